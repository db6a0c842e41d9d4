import { type Condition, type Storage, toCollection } from '@sales-crm/core/ports'
import type { Row, RowStore } from '../src/collections.ts'
import { alterStorage, type StoreLocation, searchMethods } from './altered-storage.ts'
import type { Breakage } from './breakage.ts'

export const TENANCY_BREAKAGES: readonly Breakage<Storage>[] = [
  ...(['get', 'getForUpdate', 'getForShare'] as const).map((method) => ({
    guarantee: `${method} stays in its workspace`,
    breakage: `${method} reads from any workspace`,
    noticedBy: `tenancy: deals: ${method} does not reach a record of another workspace`,
    open: () =>
      reachAcrossWorkspaces((locations) => ({
        [method]: async (id: string) => (await findEverywhere(locations, id))[0]?.row,
      })),
  })),
  {
    guarantee: 'getForUpdate with an optimistic lock stays in its workspace',
    breakage: 'getForUpdate with an optimistic lock reads from any workspace',
    noticedBy:
      'tenancy: deals: getForUpdate with an optimistic lock does not reach a record of another workspace',
    open: () =>
      reachAcrossWorkspaces((locations) => ({
        getForUpdate: async (id, options) =>
          options?.lock === 'optimistic'
            ? (await findEverywhere(locations, id))[0]?.row
            : storeAt(locations.at(-1)!).getForUpdate(id),
      })),
  },
  {
    guarantee: 'getMany stays in its workspace',
    breakage: 'getMany reads from any workspace',
    noticedBy: 'tenancy: companies: getMany does not reach a record of another workspace',
    open: () =>
      reachAcrossWorkspaces((locations) => ({
        getMany: async (ids) =>
          (await Promise.all(ids.map((id) => findEverywhere(locations, id)))).flat().map(({ row }) => row),
      })),
  },
  {
    guarantee: 'find stays in its workspace',
    breakage: 'find without a condition reads from any workspace',
    noticedBy: 'tenancy: grants: find does not reach a record of another workspace',
    open: () =>
      reachAcrossWorkspaces((locations) => ({
        find: async (where) =>
          (await Promise.all(locations.map((location) => storeAt(location).find(where)))).flat(),
      })),
  },
  {
    guarantee: 'has stays in its workspace',
    breakage: 'has reads from any workspace',
    noticedBy: 'tenancy: people: has does not reach a record of another workspace',
    open: () =>
      reachAcrossWorkspaces((locations) => ({
        has: async (where) =>
          (await Promise.all(locations.map((location) => storeAt(location).has(where)))).includes(true),
      })),
  },
  {
    guarantee: 'list stays in its workspace',
    breakage: 'the total of list covers all workspaces',
    noticedBy: 'tenancy: tasks: list does not reach a record of another workspace',
    open: () =>
      reachAcrossWorkspaces((locations) => ({
        async list(query) {
          const pages = await Promise.all(locations.map((location) => storeAt(location).list(query)))
          return { rows: pages.at(-1)?.rows ?? [], total: pages.reduce((sum, { total }) => sum + total, 0) }
        },
      })),
  },
  {
    guarantee: 'update stays in its workspace',
    breakage: 'update writes the record with that id in every workspace',
    noticedBy: 'tenancy: members: records with the same id in two workspaces are independent',
    open: () =>
      reachAcrossWorkspaces((locations) => ({
        async update(row) {
          for (const { location } of await findEverywhere(locations, row.id))
            await storeAt(location).update(row)
        },
      })),
  },
  {
    guarantee: 'softDelete stays in its workspace',
    breakage: 'softDelete deletes from any workspace',
    noticedBy: 'tenancy: stages: softDelete does not reach a record of another workspace',
    open: () =>
      reachAcrossWorkspaces((locations) => ({
        async softDelete(id, at) {
          const matches = await findEverywhere(locations, id)
          for (const { location } of matches) await storeAt(location).softDelete(id, at)
          return matches.length > 0
        },
      })),
  },
  {
    guarantee: 'hardDelete stays in its workspace',
    breakage: 'hardDelete deletes from any workspace',
    noticedBy: 'tenancy: attachments: hardDelete does not reach a record of another workspace',
    open: () =>
      reachAcrossWorkspaces((locations) => ({
        async hardDelete(id) {
          for (const location of locations) await storeAt(location).hardDelete(id)
        },
      })),
  },
  {
    guarantee: 'countByTerm stays in its workspace',
    breakage: 'countByTerm counts in every workspace',
    noticedBy: 'countByTerm: products.search_terms: excludes deleted records and those of another workspace',
    open: () =>
      reachAcrossWorkspaces((locations) => ({
        async countByTerm(field, terms) {
          const counts = await Promise.all(
            locations.map((location) => storeAt(location).countByTerm(field, terms)),
          )
          return new Map(terms.map((term) => [term, counts.reduce((sum, each) => sum + each.get(term)!, 0)]))
        },
      })),
  },
  {
    guarantee: 'aggregate stays in its workspace',
    breakage: 'aggregate counts in every workspace',
    noticedBy: 'tenancy: deals: aggregate does not reach a record of another workspace',
    open: () =>
      reachAcrossWorkspaces((locations) => ({
        aggregate: async (query) =>
          (await Promise.all(locations.map((location) => storeAt(location).aggregate(query))))
            .flat()
            .slice(0, query.limit),
      })),
  },
  {
    guarantee: 'medianDuration stays in its workspace',
    breakage: 'medianDuration reads from any workspace',
    noticedBy: 'tenancy: deals: medianDuration does not reach a record of another workspace',
    open: () =>
      reachAcrossWorkspaces((locations) => ({
        async medianDuration(query) {
          const medians = await Promise.all(
            locations.map((location) => storeAt(location).medianDuration(query)),
          )
          return medians.find((median) => median !== undefined)
        },
      })),
  },
  {
    guarantee: '`whereRelated` stays in its workspace',
    breakage: '`whereRelated` follows references into any workspace',
    noticedBy: 'related records: `whereRelated` never matches null and stays within its workspace',
    open: () =>
      relateAcrossWorkspaces(async (row, condition, storesOf) => {
        if (!('whereRelated' in condition)) return undefined
        const { collection, where } = condition.whereRelated
        const results = await Promise.all(
          storesOf(collection).map((store) =>
            store.has([
              { field: 'id', is: row[condition.field] as string },
              ...(where as readonly Condition<Row>[]),
            ]),
          ),
        )
        return results.includes(true)
      }),
  },
  {
    guarantee: '`notExists` stays in its workspace',
    breakage: '`notExists` considers records of any workspace',
    noticedBy: 'related records: `notExists` stays within its workspace',
    open: () =>
      relateAcrossWorkspaces(async (row, condition, storesOf) => {
        if (!('notExists' in condition)) return undefined
        const { collection, foreignKey, field, from } = condition.notExists
        const results = await Promise.all(
          storesOf(collection).map((store) =>
            store.has([
              { field: foreignKey, is: row.id },
              { field, from },
            ]),
          ),
        )
        return !results.includes(true)
      }),
  },
]

type Matches = (
  row: Row,
  condition: Condition<Row>,
  storesOf: (name: string) => RowStore[],
) => Promise<boolean | undefined>

/** A store that applies `matches` to the stores of every workspace used so far. Undefined counts as true. */
function relateAcrossWorkspaces(matches: Matches): Storage {
  return reachAcrossWorkspaces((locations) => {
    const { spec, tx, workspace } = locations.at(-1)!
    const store = spec.storeIn(tx, workspace)
    const storesOf = (name: string) =>
      locations.map((location) => tx.workspace(location.workspace)[toCollection(name)] as unknown as RowStore)
    return searchMethods(store, async (where) => {
      const ownConditions = where.filter(
        (condition) => !('whereRelated' in condition || 'notExists' in condition),
      )
      const relatedConditions = where.filter((condition) => !ownConditions.includes(condition))
      const rows = await store.find(ownConditions)
      const results = await Promise.all(
        rows.map((row) =>
          Promise.all(relatedConditions.map((condition) => matches(row, condition, storesOf))),
        ),
      )
      return rows.filter((_, nth) => !results[nth]!.includes(false))
    })
  })
}

const storeAt = ({ spec, tx, workspace }: StoreLocation) => spec.storeIn(tx, workspace)

/** `alter` receives the same collection in every workspace used so far, that of the caller last. */
function reachAcrossWorkspaces(
  alter: (locations: readonly StoreLocation[]) => ReturnType<Parameters<typeof alterStorage>[0]>,
): Storage {
  const workspaces = new Set<string>()
  return alterStorage((_, location) => {
    workspaces.delete(location.workspace)
    if (location.workspace !== '') workspaces.add(location.workspace)
    return location.workspace === ''
      ? {}
      : alter([...workspaces].map((workspace) => ({ ...location, workspace })))
  })
}

async function findEverywhere(
  locations: readonly StoreLocation[],
  id: string,
): Promise<{ location: StoreLocation; row: Row }[]> {
  const results = await Promise.all(
    locations.map(async (location) => ({ location, row: await storeAt(location).get(id) })),
  )
  return results.flatMap(({ location, row }) => (row ? [{ location, row }] : []))
}
