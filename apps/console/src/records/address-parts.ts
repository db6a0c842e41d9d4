import type { Address } from '@sales-crm/client'

export const ADDRESS_PARTS = [
  'street',
  'number',
  'complement',
  'district',
  'city',
  'state',
  'postal_code',
  'country',
] as const satisfies readonly (keyof Address)[]
