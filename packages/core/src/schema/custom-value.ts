/** The values of a record by the id of their custom field. */
export type CustomValues = Readonly<Record<string, StoredValue>>

export const ADDRESS_PARTS = [
  'street',
  'number',
  'complement',
  'district',
  'city',
  'state',
  'postal_code',
  'country',
] as const

/** Parts that are not set are left out. */
export type Address = { readonly [Part in (typeof ADDRESS_PARTS)[number]]?: string }

/** A value as stored. Options of a select are a list, one or several; no other type is a list. */
export type StoredValue = string | number | readonly string[] | Address
