import type { Email, Phone } from '@sales-crm/client'
import type { CustomValue } from '../../records/facts/custom-values.ts'

/** A record as a row describes it. What the row leaves empty is missing. */
export interface Draft {
  readonly fullName?: string
  readonly firstName?: string
  readonly middleName?: string
  readonly lastName?: string
  readonly emails?: readonly Email[]
  readonly phones?: readonly Phone[]
  readonly position?: string
  readonly website?: string
  /** The name of the company. */
  readonly company?: string
  readonly ownerId?: string
  readonly tagIds?: readonly string[]
  readonly note?: string
  /** The values of custom fields by key. */
  readonly custom?: Readonly<Record<string, CustomValue>>
}

/** Adds what another column says. Lists and addresses grow; all else is replaced. */
export function mergeDrafts(draft: Draft, more: Draft): Draft {
  const merged: Draft = { ...draft, ...more }
  return {
    ...merged,
    ...(draft.emails && more.emails && { emails: [...draft.emails, ...more.emails] }),
    ...(draft.phones && more.phones && { phones: [...draft.phones, ...more.phones] }),
    ...(draft.custom && more.custom && { custom: mergeCustom(draft.custom, more.custom) }),
  }
}

function mergeCustom(
  values: Readonly<Record<string, CustomValue>>,
  more: Readonly<Record<string, CustomValue>>,
): Readonly<Record<string, CustomValue>> {
  const merged: Record<string, CustomValue> = { ...values }
  for (const [key, value] of Object.entries(more)) {
    const before = merged[key]
    merged[key] = isAddress(before) && isAddress(value) ? { ...before, ...value } : value
  }
  return merged
}

export function isAddress(
  value: CustomValue | undefined,
): value is Extract<CustomValue, { street?: string }> {
  return typeof value === 'object' && !Array.isArray(value)
}
