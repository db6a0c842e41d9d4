import type { Address, CustomField, Email, Phone } from '@sales-crm/client'
import { ADDRESS_PARTS } from '@sales-crm/core/browser'
import type { ImportKind } from '../can-import.ts'

/** What a column becomes. */
export type Target = { readonly id: string } & (
  | { readonly kind: PlainTarget }
  | { readonly kind: 'email'; readonly type: Email['type'] }
  | { readonly kind: 'phone'; readonly type: Phone['type'] }
  | { readonly kind: 'field'; readonly field: CustomField }
  | { readonly kind: 'address'; readonly field: CustomField; readonly part: keyof Address }
)

export type PlainTarget =
  | 'fullName'
  | 'firstName'
  | 'middleName'
  | 'lastName'
  | 'position'
  | 'website'
  | 'company'
  | 'owner'
  | 'tags'
  | 'note'

const EMAIL_TYPES = ['work', 'home', 'other'] as const satisfies readonly Email['type'][]
const PHONE_TYPES = ['mobile', 'work', 'home', 'other'] as const satisfies readonly Phone['type'][]

/** The id of the name of a company, which is not called a full name. */
export const COMPANY_NAME = 'name'

const plain = (kind: PlainTarget): Target => ({ id: kind, kind })

/** What the columns of a file can become, in the order of the choice. */
export function listTargets(kind: ImportKind, fields: readonly CustomField[]): readonly Target[] {
  const contact: readonly Target[] = [
    ...EMAIL_TYPES.map((type): Target => ({ id: `email:${type}`, kind: 'email', type })),
    ...PHONE_TYPES.map((type): Target => ({ id: `phone:${type}`, kind: 'phone', type })),
  ]
  const own: readonly Target[] =
    kind === 'people'
      ? [
          ...(['fullName', 'firstName', 'middleName', 'lastName'] as const).map(plain),
          ...contact,
          plain('position'),
          plain('company'),
        ]
      : [{ id: COMPANY_NAME, kind: 'fullName' }, ...contact, plain('website')]
  return [
    ...own,
    ...(['owner', 'tags', 'note'] as const).map(plain),
    ...fields.flatMap((field): readonly Target[] =>
      field.type === 'address'
        ? ADDRESS_PARTS.map((part) => ({ id: `field:${field.key}:${part}`, kind: 'address', field, part }))
        : [{ id: `field:${field.key}`, kind: 'field', field }],
    ),
  ]
}

/** True if several columns may become this: a record has a list of them. */
export function isRepeatable({ kind }: Target): boolean {
  return kind === 'email' || kind === 'phone'
}

export function isPartOfName({ kind }: Target): boolean {
  return kind === 'fullName' || kind === 'firstName' || kind === 'middleName' || kind === 'lastName'
}
