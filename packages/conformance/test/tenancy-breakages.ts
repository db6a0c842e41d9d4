import type { Collection, Condition, Storage } from '@sales-crm/core/ports'
import type { Row, RowStore } from '../src/collections.ts'
import { alterStorage, type StoreLocation, searchMethods } from './altered-storage.ts'
import type { Breakage } from './breakage.ts'

export const TENANCY_BREAKAGES: readonly Breakage<Storage>[] = [
  ...(['get', 'getForUpdate', 'getForShare'] as const).map((verb) => ({
    guarantee: `${verb} keeps to its workspace`,
    breakage: `${verb} finds the record of any workspace`,
    noticedBy: `tenancy: deals: ${verb} does not reach a record of another workspace`,
    open: () =>
      reachAcrossWorkspaces((spots) => ({
        [verb]: async (id: string) => (await findEverywhere(spots, id))[0]?.row,
      })),
  })),
  {
    guarantee: 'getForUpdate with an optimistic lock keeps to its workspace',
    breakage: 'getForUpdate with an optimistic lock finds the record of any workspace',
    noticedBy:
      'tenancy: deals: getForUpdate with an optimistic lock does not reach a record of another workspace',
    open: () =>
      reachAcrossWorkspaces((spots) => ({
        getForUpdate: async (id, options) =>
          options?.lock === 'optimistic'
            ? (await findEverywhere(spots, id))[0]?.row
            : storeAt(spots.at(-1)!).getForUpdate(id),
      })),
  },
  {
    guarantee: 'getMany keeps to its workspace',
    breakage: 'getMany finds the records of any workspace',
    noticedBy: 'tenancy: companies: getMany does not reach a record of another workspace',
    open: () =>
      reachAcrossWorkspaces((spots) => ({
        getMany: async (ids) =>
          (await Promise.all(ids.map((id) => findEverywhere(spots, id)))).flat().map(({ row }) => row),
      })),
  },
  {
    guarantee: 'find keeps to its workspace',
    breakage: 'find without a condition finds those of any workspace',
    noticedBy: 'tenancy: grants: find does not reach a record of another workspace',
    open: () =>
      reachAcrossWorkspaces((spots) => ({
        find: async (where) => (await Promise.all(spots.map((spot) => storeAt(spot).find(where)))).flat(),
      })),
  },
  {
    guarantee: 'has keeps to its workspace',
    breakage: 'has looks in every workspace',
    noticedBy: 'tenancy: people: has does not reach a record of another workspace',
    open: () =>
      reachAcrossWorkspaces((spots) => ({
        has: async (where) =>
          (await Promise.all(spots.map((spot) => storeAt(spot).has(where)))).includes(true),
      })),
  },
  {
    guarantee: 'list keeps to its workspace',
    breakage: 'the total of list is of all workspaces',
    noticedBy: 'tenancy: tasks: list does not reach a record of another workspace',
    open: () =>
      reachAcrossWorkspaces((spots) => ({
        async list(query) {
          const pages = await Promise.all(spots.map((spot) => storeAt(spot).list(query)))
          return { rows: pages.at(-1)?.rows ?? [], total: pages.reduce((sum, { total }) => sum + total, 0) }
        },
      })),
  },
  {
    guarantee: 'update keeps to its workspace',
    breakage: 'update writes the record of that id in every workspace',
    noticedBy:
      'tenancy: members: one id names two records in two workspaces, each read, changed, deleted and erased alone',
    open: () =>
      reachAcrossWorkspaces((spots) => ({
        async update(row) {
          for (const { spot } of await findEverywhere(spots, row.id)) await storeAt(spot).update(row)
        },
      })),
  },
  {
    guarantee: 'softDelete keeps to its workspace',
    breakage: 'softDelete deletes the record of any workspace',
    noticedBy: 'tenancy: stages: softDelete does not reach a record of another workspace',
    open: () =>
      reachAcrossWorkspaces((spots) => ({
        async softDelete(id, at) {
          const found = await findEverywhere(spots, id)
          for (const { spot } of found) await storeAt(spot).softDelete(id, at)
          return found.length > 0
        },
      })),
  },
  {
    guarantee: 'erase keeps to its workspace',
    breakage: 'erase removes the record of any workspace',
    noticedBy: 'tenancy: attachments: erase does not reach a record of another workspace',
    open: () =>
      reachAcrossWorkspaces((spots) => ({
        async hardDelete(id) {
          for (const spot of spots) await storeAt(spot).hardDelete(id)
        },
      })),
  },
  {
    guarantee: 'tally keeps to its workspace',
    breakage: 'tally counts in every workspace',
    noticedBy: 'tally: products.found_by: counts neither deleted records nor those of another workspace',
    open: () =>
      reachAcrossWorkspaces((spots) => ({
        async countByTerm(field, words) {
          const tallies = await Promise.all(spots.map((spot) => storeAt(spot).countByTerm(field, words)))
          return new Map(
            words.map((word) => [word, tallies.reduce((sum, tally) => sum + tally.get(word)!, 0)]),
          )
        },
      })),
  },
  {
    guarantee: 'aggregate keeps to its workspace',
    breakage: 'it counts in every workspace',
    noticedBy: 'tenancy: deals: aggregate does not reach a record of another workspace',
    open: () =>
      reachAcrossWorkspaces((spots) => ({
        aggregate: async (query) =>
          (await Promise.all(spots.map((spot) => storeAt(spot).aggregate(query))))
            .flat()
            .slice(0, query.limit),
      })),
  },
  {
    guarantee: 'medianDuration keeps to its workspace',
    breakage: 'it looks in every workspace',
    noticedBy: 'tenancy: deals: medianDuration does not reach a record of another workspace',
    open: () =>
      reachAcrossWorkspaces((spots) => ({
        async medianDuration(query) {
          const medians = await Promise.all(spots.map((spot) => storeAt(spot).medianDuration(query)))
          return medians.find((median) => median !== undefined)
        },
      })),
  },
  {
    guarantee: '`whereRelated` keeps to its workspace',
    breakage: 'a record of any workspace is what the field leads to',
    noticedBy: 'related records: `whereRelated` finds nothing by null, and looks in its own workspace alone',
    open: () =>
      relateAcrossWorkspaces(async (row, condition, storesOf) => {
        if (!('whereRelated' in condition)) return undefined
        const { collection, field, is } = condition.whereRelated
        const found = await Promise.all(
          storesOf(collection).map((store) =>
            store.has([
              { field: 'id', is: row[condition.field] as string },
              { field, is },
            ]),
          ),
        )
        return found.includes(true)
      }),
  },
  {
    guarantee: '`lacks` keeps to its workspace',
    breakage: 'a record of any workspace may name the one of that id',
    noticedBy: 'related records: `lacks` looks in its own workspace alone',
    open: () =>
      relateAcrossWorkspaces(async (row, condition, storesOf) => {
        if (!('notExists' in condition)) return undefined
        const { collection, foreignKey: by, field, from } = condition.notExists
        const found = await Promise.all(
          storesOf(collection).map((store) =>
            store.has([
              { field: by, is: row.id },
              { field, from },
            ]),
          ),
        )
        return !found.includes(true)
      }),
  },
]

type Meets = (
  row: Row,
  condition: Condition<Row>,
  storesOf: (name: Collection) => RowStore[],
) => Promise<boolean | undefined>

/** Searches by `meets`, which is given what every workspace seen so far has, where that has an answer. */
function relateAcrossWorkspaces(meets: Meets): Storage {
  return reachAcrossWorkspaces((spots) => {
    const { spec: place, tx, workspace } = spots.at(-1)!
    const store = place.storeIn(tx, workspace)
    const storesOf = (name: Collection) =>
      spots.map((spot) => tx.workspace(spot.workspace)[name] as unknown as RowStore)
    return searchMethods(store, async (where) => {
      const own = where.filter((condition) => !('whereRelated' in condition || 'notExists' in condition))
      const asked = where.filter((condition) => !own.includes(condition))
      const rows = await store.find(own)
      const met = await Promise.all(
        rows.map((row) => Promise.all(asked.map((condition) => meets(row, condition, storesOf)))),
      )
      return rows.filter((_, nth) => !met[nth]!.includes(false))
    })
  })
}

const storeAt = ({ spec: place, tx, workspace }: StoreLocation) => place.storeIn(tx, workspace)

/** `alter` is given the same collection in every workspace seen so far, that of the caller last. */
function reachAcrossWorkspaces(
  alter: (spots: readonly StoreLocation[]) => ReturnType<Parameters<typeof alterStorage>[0]>,
): Storage {
  const seen = new Set<string>()
  return alterStorage((_, spot) => {
    seen.delete(spot.workspace)
    if (spot.workspace !== '') seen.add(spot.workspace)
    return spot.workspace === '' ? {} : alter([...seen].map((workspace) => ({ ...spot, workspace })))
  })
}

async function findEverywhere(
  spots: readonly StoreLocation[],
  id: string,
): Promise<{ spot: StoreLocation; row: Row }[]> {
  const found = await Promise.all(spots.map(async (spot) => ({ spot, row: await storeAt(spot).get(id) })))
  return found.flatMap(({ spot, row }) => (row ? [{ spot, row }] : []))
}
