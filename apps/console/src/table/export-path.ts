/** What a list takes, and an export does not. */
const LIST_ONLY = new Set(['include', 'page', 'per_page'])

/**
 * The path of an export with the filters and the order of a list.
 * @param fields names of those that become columns; default all
 */
export function exportPath(kind: string, query: object, fields?: readonly string[]): string {
  const entries = Object.entries({ ...query, columns: fields?.join() }).filter(
    ([name, value]) => value !== undefined && !LIST_ONLY.has(name),
  )
  return `${kind}/export?${new URLSearchParams([...entries.map(([name, value]) => [name, String(value)]), ['format', 'csv']])}`
}
