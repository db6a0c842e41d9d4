import { expect } from 'vitest'
import type { Case, Context, Group } from './case.ts'
import {
  type CollectionSpec,
  getStored,
  type Row,
  type RowStore,
  WORKSPACE_COLLECTIONS,
  write,
} from './collections.ts'
import { cloneRow, insertRow, instant, withNulls } from './sample-rows.ts'

interface Method {
  readonly name: string
  /** Calls the method with a record of another workspace and expects to find none. */
  expectMissing(store: RowStore, row: Row, spec: CollectionSpec): Promise<void>
}

const METHODS: readonly Method[] = [
  { name: 'get', expectMissing: async (store, { id }) => expect(await store.get(id)).toBeUndefined() },
  {
    name: 'getForUpdate',
    expectMissing: async (store, { id }) => expect(await store.getForUpdate(id)).toBeUndefined(),
  },
  {
    name: 'getForUpdate with an optimistic lock',
    expectMissing: async (store, { id }) =>
      expect(await store.getForUpdate(id, { lock: 'optimistic' })).toBeUndefined(),
  },
  {
    name: 'getForShare',
    expectMissing: async (store, { id }) => expect(await store.getForShare(id)).toBeUndefined(),
  },
  { name: 'getMany', expectMissing: async (store, { id }) => expect(await store.getMany([id])).toEqual([]) },
  {
    name: 'find',
    async expectMissing(store, { id }) {
      expect(await store.find([{ field: 'id', is: id }])).toEqual([])
      expect(await store.find([])).toEqual([])
    },
  },
  {
    name: 'has',
    async expectMissing(store, { id }) {
      expect(await store.has([{ field: 'id', is: id }])).toBe(false)
      expect(await store.has([])).toBe(false)
    },
  },
  {
    name: 'list',
    async expectMissing(store, { id }) {
      const query = { page: 1, per_page: 5, order_by: 'created_at', order: 'asc' } as const
      expect(await store.list({ ...query, where: [] })).toEqual({ rows: [], total: 0 })
      expect(await store.list({ ...query, where: [{ field: 'id', is: id }] })).toEqual({ rows: [], total: 0 })
    },
  },
  {
    name: 'aggregate',
    async expectMissing(store) {
      const all = await store.aggregate({
        where: [],
        groupBy: [],
        latest: 'created_at',
        order: 'count',
        limit: 5,
      })
      expect(all).toEqual([{ keys: [], count: 0, sum: 0n, latest: null }])
    },
  },
  {
    name: 'medianDuration',
    expectMissing: async (store) =>
      expect(await store.medianDuration({ where: [], from: 'created_at', to: 'updated_at' })).toBeUndefined(),
  },
  {
    name: 'update',
    async expectMissing(store, row, spec) {
      const { id } = row
      await store.update(withNulls(spec, cloneRow(spec, row, { id, updated_at: instant(9) })))
      expect(await store.get(id)).toBeUndefined()
    },
  },
  {
    name: 'softDelete',
    expectMissing: async (store, { id }) => expect(await store.softDelete(id, instant(9))).toBe(false),
  },
  { name: 'hardDelete', expectMissing: (store, { id }) => store.hardDelete(id) },
]

export const tenancy: Group = {
  name: 'tenancy',
  cases: WORKSPACE_COLLECTIONS.flatMap((spec) => [
    ...METHODS.map((method) => isUnreachable(spec, method)),
    allowsSameId(spec),
  ]),
}

function isUnreachable(spec: CollectionSpec, method: Method): Case {
  return {
    name: `${spec.name}: ${method.name} does not reach a record of another workspace`,
    async run(context) {
      const foreign = await insertRow(otherContext(context), spec)
      await write(context, spec, (store) => method.expectMissing(store, foreign, spec))
      expect(await getStored(otherContext(context), spec, foreign.id)).toEqual(foreign)
    },
  }
}

/** A member has the id of its user in every workspace, so ids are unique only within a workspace. */
function allowsSameId(spec: CollectionSpec): Case {
  return {
    name: `${spec.name}: records with the same id in two workspaces are independent`,
    async run(context) {
      const foreign = await insertRow(otherContext(context), spec, {}, 1)
      const own = await insertRow(context, spec, { id: foreign.id }, 2)
      expect(await getStored(context, spec, own.id)).toEqual(own)
      const changed = cloneRow(spec, own, { id: own.id, updated_at: instant(7) })
      await write(context, spec, (store) => store.update(changed))
      expect(await getStored(context, spec, own.id)).toEqual(changed)
      expect(await getStored(otherContext(context), spec, foreign.id)).toEqual(foreign)
      expect(await write(context, spec, (store) => store.softDelete(own.id, instant(9)))).toBe(true)
      expect(await getStored(otherContext(context), spec, foreign.id)).toEqual(foreign)
      await write(context, spec, (store) => store.hardDelete(own.id))
      expect(await getStored(otherContext(context), spec, foreign.id)).toEqual(foreign)
    },
  }
}

function otherContext({ storage, otherWorkspace }: Context): {
  storage: Context['storage']
  workspace: string
} {
  return { storage, workspace: otherWorkspace }
}
