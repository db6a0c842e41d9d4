/** What a list takes besides its filters. */
const NO_FILTERS = new Set(['include', 'order', 'order_by', 'page', 'per_page'])

/** The records of a list query, as a bulk change names them. */
export function toBulkQuery(query: object): object {
  const filters = Object.entries(query).flatMap(([name, value]) => {
    if (value === undefined || NO_FILTERS.has(name)) return []
    return [[name, name === 'filter' && typeof value === 'string' ? JSON.parse(value) : value] as const]
  })
  return filters.length === 0 ? { all: true } : Object.fromEntries(filters)
}
