type Fields = Readonly<Record<string, unknown>>

/**
 * Reduces the embedded records of a list item to their identifying fields, since a model reads whole pages.
 */
export function summarizeRecord(record: object): object {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, summarizeValue(value)]))
}

/** Reduces an embedded record to its identifying fields. Other values are unchanged. */
export function summarizeValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('id' in value)) return value
  const { id, name, full_name, title, key, email, type } = value as Fields
  return Object.fromEntries(
    Object.entries({ id, name, full_name, title, key, email, type }).filter(([, each]) => each !== undefined),
  )
}
