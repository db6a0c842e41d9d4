import type { Storage } from '@sales-crm/core/ports'
import type { Row } from '../src/places.ts'
import { altered, type Spot } from './altered.ts'
import type { Breakage } from './breakage.ts'

export const TENANCY_BREAKAGES: readonly Breakage<Storage>[] = [
  ...(['get', 'getForUpdate', 'getForShare'] as const).map((verb) => ({
    guarantee: `${verb} keeps to its workspace`,
    breakage: `${verb} finds the record of any workspace`,
    noticedBy: `tenancy: deals: ${verb} does not reach a record of another workspace`,
    open: () => reachingAcross((spots) => ({ [verb]: async (id: string) => (await everywhere(spots, id))[0]?.row })),
  })),
  {
    guarantee: 'getMany keeps to its workspace',
    breakage: 'getMany finds the records of any workspace',
    noticedBy: 'tenancy: companies: getMany does not reach a record of another workspace',
    open: () =>
      reachingAcross((spots) => ({
        getMany: async (ids) => (await Promise.all(ids.map((id) => everywhere(spots, id)))).flat().map(({ row }) => row),
      })),
  },
  {
    guarantee: 'find keeps to its workspace',
    breakage: 'find without a condition finds those of any workspace',
    noticedBy: 'tenancy: grants: find does not reach a record of another workspace',
    open: () =>
      reachingAcross((spots) => ({ find: async (where) => (await Promise.all(spots.map((spot) => storeAt(spot).find(where)))).flat() })),
  },
  {
    guarantee: 'has keeps to its workspace',
    breakage: 'has looks in every workspace',
    noticedBy: 'tenancy: people: has does not reach a record of another workspace',
    open: () =>
      reachingAcross((spots) => ({
        has: async (where) => (await Promise.all(spots.map((spot) => storeAt(spot).has(where)))).includes(true),
      })),
  },
  {
    guarantee: 'list keeps to its workspace',
    breakage: 'the total of list is of all workspaces',
    noticedBy: 'tenancy: tasks: list does not reach a record of another workspace',
    open: () =>
      reachingAcross((spots) => ({
        async list(query) {
          const pages = await Promise.all(spots.map((spot) => storeAt(spot).list(query)))
          return { rows: pages.at(-1)?.rows ?? [], total: pages.reduce((sum, { total }) => sum + total, 0) }
        },
      })),
  },
  {
    guarantee: 'update keeps to its workspace',
    breakage: 'update writes the record of that id in every workspace',
    noticedBy: 'tenancy: members: one id names two records in two workspaces, each read, changed, deleted and erased alone',
    open: () =>
      reachingAcross((spots) => ({
        async update(row) {
          for (const { spot } of await everywhere(spots, row.id)) await storeAt(spot).update(row)
        },
      })),
  },
  {
    guarantee: 'softDelete keeps to its workspace',
    breakage: 'softDelete deletes the record of any workspace',
    noticedBy: 'tenancy: stages: softDelete does not reach a record of another workspace',
    open: () =>
      reachingAcross((spots) => ({
        async softDelete(id, at) {
          const found = await everywhere(spots, id)
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
      reachingAcross((spots) => ({
        async erase(id) {
          for (const spot of spots) await storeAt(spot).erase(id)
        },
      })),
  },
  {
    guarantee: 'tally keeps to its workspace',
    breakage: 'tally counts in every workspace',
    noticedBy: 'tally: products.found_by: counts neither deleted records nor those of another workspace',
    open: () =>
      reachingAcross((spots) => ({
        async tally(field, words) {
          const tallies = await Promise.all(spots.map((spot) => storeAt(spot).tally(field, words)))
          return new Map(words.map((word) => [word, tallies.reduce((sum, tally) => sum + tally.get(word)!, 0)]))
        },
      })),
  },
]

const storeAt = ({ place, tx, workspace }: Spot) => place.storeIn(tx, workspace)

/** `alter` is given the same collection in every workspace seen so far, that of the caller last. */
function reachingAcross(alter: (spots: readonly Spot[]) => ReturnType<Parameters<typeof altered>[0]>): Storage {
  const seen = new Set<string>()
  return altered((_, spot) => {
    seen.delete(spot.workspace)
    if (spot.workspace !== '') seen.add(spot.workspace)
    return spot.workspace === '' ? {} : alter([...seen].map((workspace) => ({ ...spot, workspace })))
  })
}

async function everywhere(spots: readonly Spot[], id: string): Promise<{ spot: Spot; row: Row }[]> {
  const found = await Promise.all(spots.map(async (spot) => ({ spot, row: await storeAt(spot).get(id) })))
  return found.flatMap(({ spot, row }) => (row ? [{ spot, row }] : []))
}
