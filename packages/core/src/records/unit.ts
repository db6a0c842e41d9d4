import type { SharedStores, Transaction, WorkspaceStores } from '../ports.ts'

/** One workspace within a transaction. */
export interface Unit {
  readonly workspaceId: string
  readonly stores: WorkspaceStores
  readonly shared: SharedStores
  /** As the transaction's. */
  wake(): void
}

export function unitOf(tx: Transaction, workspaceId: string): Unit {
  return { workspaceId, stores: tx.workspace(workspaceId), shared: tx, wake: () => tx.wake() }
}

/** The distinct ids that `field` holds on a page, nulls left out. */
export function idsIn<R, F extends keyof R>(page: readonly R[], field: F): string[] {
  const ids = new Set<string>()
  for (const record of page) {
    const id = record[field]
    if (typeof id === 'string') ids.add(id)
  }
  return [...ids]
}

/** Loads records by id, as a map of what `view` makes of each. */
export async function viewsOf<R extends { readonly id: string }, V>(
  store: { getMany(ids: readonly string[]): Promise<readonly R[]> },
  ids: readonly string[],
  view: (record: R) => V,
): Promise<ReadonlyMap<string, V>> {
  if (ids.length === 0) return new Map()
  const found = await store.getMany(ids)
  return new Map(found.map((record) => [record.id, view(record)]))
}

/** What is linked under an id, or null when there is no link or its record is gone. */
export function linked<V>(views: ReadonlyMap<string, V>, id: string | null): V | null {
  return (id === null ? undefined : views.get(id)) ?? null
}
