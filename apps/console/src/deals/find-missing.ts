const CUSTOM_PREFIX = 'custom_fields.'
/** The dialog of lost deals asks for them. */
const OF_LOSS: readonly string[] = ['lost_reason', 'lost_note']

/**
 * Returns those of the fields that a stage requires which a deal has not, without those of a loss. What the row of the
 * deal does not have is left to the service.
 */
export function findMissing(required: readonly string[], deal: object): readonly string[] {
  const row = deal as Readonly<Record<string, unknown>>
  return required.filter((name) => !OF_LOSS.includes(name) && isMissing(name, row))
}

/** The key of a custom field; undefined for other names. */
export function customKeyOf(name: string): string | undefined {
  return name.startsWith(CUSTOM_PREFIX) ? name.slice(CUSTOM_PREFIX.length) : undefined
}

function isMissing(name: string, row: Readonly<Record<string, unknown>>): boolean {
  const key = customKeyOf(name)
  if (key === undefined) return isEmpty(row[name])
  const values = row['custom_fields'] as readonly { readonly key: string }[] | undefined
  return values !== undefined && !values.some((each) => each.key === key)
}

function isEmpty(value: unknown): boolean {
  return value === null || value === 0 || (Array.isArray(value) && value.length === 0)
}
