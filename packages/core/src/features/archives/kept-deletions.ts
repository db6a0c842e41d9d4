import type { RecordStore } from '../../kernel/record-store.ts'
import type { WorkspaceStores } from '../../ports/storage.ts'
import { ARCHIVED_COLLECTIONS, ARCHIVED_SHAPES, type Row } from './archived-collections.ts'
import { scanPages } from './scan-pages.ts'

/** The ids of deleted records by collection. */
export type KeptDeletions = ReadonlyMap<string, ReadonlySet<string>>

/**
 * Finds the deleted records that an archive has: those that its other records refer to, live ones or deleted ones. Its memory
 * grows with their number alone.
 */
export async function findKeptDeletions(stores: WorkspaceStores): Promise<KeptDeletions> {
  const kept = new Map<string, Set<string>>()
  /** Ids in kept records, live or deleted. */
  const referred = new Map<string, Set<string>>()
  // Records that refer come before those that they refer to.
  for (const collection of ARCHIVED_COLLECTIONS.toReversed()) {
    const { foreignKeys } = ARCHIVED_SHAPES.get(collection)!
    const ids = addSet(kept, collection)
    for await (const page of scanPages(stores, collection, 'deleted')) {
      const referredByLive = await findReferred(
        stores,
        collection,
        page.map(({ record }) => record.id),
      )
      for (const { record } of page) {
        if (!referredByLive.has(record.id) && !referred.get(collection)?.has(record.id)) continue
        ids.add(record.id)
        for (const [field, target] of Object.entries(foreignKeys))
          if (typeof record[field] === 'string') addSet(referred, target).add(record[field])
      }
    }
  }
  return kept
}

function addSet(sets: Map<string, Set<string>>, name: string): Set<string> {
  const set = sets.get(name) ?? new Set()
  sets.set(name, set)
  return set
}

/** The ids among `ids` that live records refer to. */
async function findReferred(
  stores: WorkspaceStores,
  target: string,
  ids: readonly string[],
): Promise<ReadonlySet<unknown>> {
  const found = new Set<unknown>()
  for (const collection of ARCHIVED_COLLECTIONS) {
    const store = stores[collection as keyof WorkspaceStores] as unknown as RecordStore<Row>
    for (const [field, each] of Object.entries(ARCHIVED_SHAPES.get(collection)!.foreignKeys)) {
      if (each !== target) continue
      const groups = await store.aggregate({
        where: [{ field, oneOf: ids }],
        groupBy: [{ field }],
        ...{ order: 'count', limit: ids.length },
      })
      for (const { keys } of groups) found.add(keys[0])
    }
  }
  return found
}
