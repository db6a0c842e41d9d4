import { expect } from 'vitest'
import type { Case, Context, Group } from './case.ts'
import { OWN, type Place, type Row, type RowStore, stored, write } from './places.ts'
import { another, emptied, instant, planted } from './samples.ts'

interface Verb {
  readonly name: string
  /** Uses the verb on a record of another workspace, and expects it not to be there. */
  misses(store: RowStore, row: Row, place: Place): Promise<void>
}

const VERBS: readonly Verb[] = [
  { name: 'get', misses: async (store, { id }) => expect(await store.get(id)).toBeUndefined() },
  { name: 'getWithLinks', misses: async (store, { id }) => expect(await store.getWithLinks(id)).toBeUndefined() },
  { name: 'getForUpdate', misses: async (store, { id }) => expect(await store.getForUpdate(id)).toBeUndefined() },
  { name: 'getToChange', misses: async (store, { id }) => expect(await store.getToChange(id)).toBeUndefined() },
  { name: 'getForShare', misses: async (store, { id }) => expect(await store.getForShare(id)).toBeUndefined() },
  { name: 'getMany', misses: async (store, { id }) => expect(await store.getMany([id])).toEqual([]) },
  {
    name: 'find',
    async misses(store, { id }) {
      expect(await store.find([{ field: 'id', is: id }])).toEqual([])
      expect(await store.find([])).toEqual([])
    },
  },
  {
    name: 'has',
    async misses(store, { id }) {
      expect(await store.has([{ field: 'id', is: id }])).toBe(false)
      expect(await store.has([])).toBe(false)
    },
  },
  {
    name: 'list',
    async misses(store, { id }) {
      const query = { page: 1, per_page: 5, order_by: 'created_at', order: 'asc' } as const
      expect(await store.list({ ...query, where: [] })).toEqual({ rows: [], total: 0 })
      expect(await store.list({ ...query, where: [{ field: 'id', is: id }] })).toEqual({ rows: [], total: 0 })
    },
  },
  {
    name: 'summarize',
    async misses(store) {
      const all = await store.summarize({ where: [], by: [], latest: 'created_at', order: 'count', most: 5 })
      expect(all).toEqual([{ keys: [], count: 0, sum: 0n, latest: null }])
    },
  },
  {
    name: 'medianSpan',
    misses: async (store) => expect(await store.medianSpan({ where: [], from: 'created_at', to: 'updated_at' })).toBeUndefined(),
  },
  {
    name: 'update',
    async misses(store, row, place) {
      const { id } = row
      await store.update(emptied(place, another(place, row, { id, updated_at: instant(9) })))
      expect(await store.get(id)).toBeUndefined()
    },
  },
  { name: 'softDelete', misses: async (store, { id }) => expect(await store.softDelete(id, instant(9))).toBe(false) },
  { name: 'erase', misses: (store, { id }) => store.erase(id) },
]

export const tenancy: Group = {
  name: 'tenancy',
  cases: OWN.flatMap((place) => [...VERBS.map((verb) => outOfReach(place, verb)), oneIdTwice(place)]),
}

function outOfReach(place: Place, verb: Verb): Case {
  return {
    name: `${place.name}: ${verb.name} does not reach a record of another workspace`,
    async run(context) {
      const theirs = await planted(beyond(context), place)
      await write(context, place, (store) => verb.misses(store, theirs, place))
      expect(await stored(beyond(context), place, theirs.id)).toEqual(theirs)
    },
  }
}

/** A member has the id of its user in every workspace, and any other kind might. */
function oneIdTwice(place: Place): Case {
  return {
    name: `${place.name}: one id names two records in two workspaces, each read, changed, deleted and erased alone`,
    async run(context) {
      const theirs = await planted(beyond(context), place, {}, 1)
      const mine = await planted(context, place, { id: theirs.id }, 2)
      expect(await stored(context, place, mine.id)).toEqual(mine)
      const changed = another(place, mine, { id: mine.id, updated_at: instant(7) })
      await write(context, place, (store) => store.update(changed))
      expect(await stored(context, place, mine.id)).toEqual(changed)
      expect(await stored(beyond(context), place, theirs.id)).toEqual(theirs)
      expect(await write(context, place, (store) => store.softDelete(mine.id, instant(9)))).toBe(true)
      expect(await stored(beyond(context), place, theirs.id)).toEqual(theirs)
      await write(context, place, (store) => store.erase(mine.id))
      expect(await stored(beyond(context), place, theirs.id)).toEqual(theirs)
    },
  }
}

function beyond({ storage, elsewhere }: Context): { storage: Context['storage']; workspace: string } {
  return { storage, workspace: elsewhere }
}
