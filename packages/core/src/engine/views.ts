/** The distinct non-null ids in `field` of a page. */
export function collectIds<R, F extends keyof R>(page: readonly R[], field: F): string[] {
  const ids = new Set<string>()
  for (const record of page) {
    const id = record[field]
    if (typeof id === 'string') ids.add(id)
  }
  return [...ids]
}

/** Loads records by id and maps each to its view. */
export async function loadViews<R extends { readonly id: string }, V>(
  store: { getMany(ids: readonly string[]): Promise<readonly R[]> },
  ids: readonly string[],
  view: (record: R) => V,
): Promise<ReadonlyMap<string, V>> {
  if (ids.length === 0) return new Map()
  const records = await store.getMany(ids)
  return new Map(records.map((record) => [record.id, view(record)]))
}

/** The view of an id; null without an id or if its record was deleted. */
export function getOrNull<V>(views: ReadonlyMap<string, V>, id: string | null): V | null {
  return (id === null ? undefined : views.get(id)) ?? null
}
