/** The parts of an address, in the order of forms. */
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
