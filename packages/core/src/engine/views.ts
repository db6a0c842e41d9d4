/** The distinct ids that `field` holds on a page, nulls left out. */
export function collectIds<R, F extends keyof R>(page: readonly R[], field: F): string[] {
  const ids = new Set<string>()
  for (const record of page) {
    const id = record[field]
    if (typeof id === 'string') ids.add(id)
  }
  return [...ids]
}

/** Loads records by id, as a map of what `view` makes of each. */
export async function loadViews<R extends { readonly id: string }, V>(
  store: { getMany(ids: readonly string[]): Promise<readonly R[]> },
  ids: readonly string[],
  view: (record: R) => V,
): Promise<ReadonlyMap<string, V>> {
  if (ids.length === 0) return new Map()
  const records = await store.getMany(ids)
  return new Map(records.map((record) => [record.id, view(record)]))
}

/** What is linked under an id, or null when there is no link or its record is gone. */
export function getOrNull<V>(views: ReadonlyMap<string, V>, id: string | null): V | null {
  return (id === null ? undefined : views.get(id)) ?? null
}
