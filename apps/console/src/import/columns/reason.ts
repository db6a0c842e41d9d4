import type { ImportColumn } from '@sales-crm/client'

/** Why a column was proposed for a field. Each code has some of the others. */
export interface ColumnReason {
  readonly code: NonNullable<ImportColumn['reason']>['code']
  readonly header?: string
  readonly system?: string
  readonly share?: number
}

/** Reasons that somebody should look at. */
const UNSURE = new Set<ColumnReason['code']>(['taken', 'no_name', 'too_many_fields', 'no_custom_fields'])
/** Fewer values of the form than these are worth a look. */
const SURE_SHARE = 0.9

export type ReasonMark = 'check' | 'alert' | 'plus' | 'minus'

/** How a column's reason is marked: chosen, worth a look, new or left out. */
export function markReason({ target, reason, is_ambiguous }: ImportColumn): ReasonMark {
  if (is_ambiguous) return 'alert'
  const { code, share = 1 } = (reason ?? {}) as Partial<ColumnReason>
  if (code !== undefined && (UNSURE.has(code) || (code === 'values' && share < SURE_SHARE))) return 'alert'
  if (target === null) return 'minus'
  return target.field === 'new_custom_field' ? 'plus' : 'check'
}
