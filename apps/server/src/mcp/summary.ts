type Fields = Readonly<Record<string, unknown>>

/** A record of a list, with no more of what is embedded in it than who or what that is: a page is read whole by a model. */
export function summarizeRecord(record: object): object {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, summarizeValue(value)]))
}

/** Of an embedded record no more than who or what it is; anything else as it is. */
export function summarizeValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('id' in value)) return value
  const { id, name, full_name, title, key, email, type } = value as Fields
  return Object.fromEntries(
    Object.entries({ id, name, full_name, title, key, email, type }).filter(([, each]) => each !== undefined),
  )
}
