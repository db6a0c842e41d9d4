import { expect } from 'vitest'
import type { Case, Context, Group } from './case.ts'
import {
  ALL_COLLECTIONS,
  type CollectionSpec,
  getCollection,
  getStored,
  type Row,
  type RowStore,
  read,
  write,
} from './collections.ts'
import { cloneRow, insertRow, instant } from './sample-rows.ts'
import { savepointFailures } from './savepoint-failures.ts'
import { savepointRaces } from './savepoint-races.ts'
import { type Call, WRITES } from './store-calls.ts'

const PIPELINES = getCollection('pipelines')

export const savepoints: Group = {
  name: 'savepoint',
  cases: [
    ...ALL_COLLECTIONS.flatMap((spec) => WRITES.map((call) => rollsBack(spec, call))),
    {
      name: 'keeps its writes, visible in it and after it, and resolves with the value of its work',
      run: keepsWrites,
    },
    {
      name: 'rejects with the error of its work, unchanged, and the transaction continues',
      async run(context) {
        const row = await insertRow(context, PIPELINES)
        const error = Object.assign(new Error('mine'), { code: '23505', fields: { name: 'mine' } })
        const result = await write(context, PIPELINES, async (store, tx) => {
          await expect(tx.savepoint(() => Promise.reject(error))).rejects.toBe(error)
          return store.get(row.id)
        })
        expect(result).toEqual(row)
      },
    },
    {
      name: 'keeps or rolls back a write that its work does not await',
      async run(context) {
        const row = await insertRow(context, PIPELINES)
        const [good, bad] = [cloneRow(PIPELINES, row), cloneRow(PIPELINES, row)]
        const findBoth = (store: RowStore) => store.find([{ field: 'id', oneOf: [good.id, bad.id] }])
        await write(context, PIPELINES, async (store, tx) => {
          const savepoint = tx.savepoint(async () => {
            void store.insert(bad)
            throw new Error('rolled back')
          })
          await expect(savepoint).rejects.toThrow('rolled back')
          await tx.savepoint(async () => {
            void store.insert(good)
          })
          expect(await findBoth(store)).toEqual([good])
        })
        expect(await read(context, PIPELINES, findBoth)).toEqual([good])
      },
    },
    ...savepointFailures,
    {
      name: 'rolls back each that throws among fifty successive savepoints and keeps the others',
      async run(context) {
        const row = await insertRow(context, PIPELINES)
        const rows = Array.from({ length: 50 }, () => cloneRow(PIPELINES, row))
        const kept = rows.filter((_, nth) => nth % 3 === 0)
        await write(context, PIPELINES, async (store, tx) => {
          for (const each of rows) {
            const savepoint = tx.savepoint(async () => {
              await store.insert(each)
              if (!kept.includes(each)) throw new Error('rolled back')
            })
            await savepoint.catch(() => undefined)
          }
          expect(sortedIds(await store.find([]))).toEqual(sortedIds([row, ...kept]))
        })
        expect(sortedIds(await read(context, PIPELINES, (store) => store.find([])))).toEqual(
          sortedIds([row, ...kept]),
        )
      },
    },
    {
      name: 'within another one fails alone, and the other continues',
      async run(context) {
        const row = await insertRow(context, PIPELINES)
        const [before, inner, unawaited, after] = [1, 2, 3, 4].map(() => cloneRow(PIPELINES, row)) as Row[]
        await write(context, PIPELINES, (store, tx) =>
          tx.savepoint(async () => {
            await store.insert(before!)
            const failing = tx.savepoint(async () => {
              await store.insert(inner!)
              void store.insert(unawaited!)
              throw new Error('rolled back')
            })
            await expect(failing).rejects.toThrow('rolled back')
            expect(sortedIds(await store.find([]))).toEqual(sortedIds([row, before!]))
            const conflicting = tx.savepoint(() => store.insert(row))
            await expect(conflicting).rejects.toThrow()
            await tx.savepoint(() => store.insert(after!))
          }),
        )
        expect(sortedIds(await read(context, PIPELINES, (store) => store.find([])))).toEqual(
          sortedIds([row, before!, after!]),
        )
      },
    },
    {
      name: 'within another one is rolled back with it',
      async run(context) {
        const row = await insertRow(context, PIPELINES)
        const [inner, next, after] = [1, 2, 3].map(() => cloneRow(PIPELINES, row)) as Row[]
        await write(context, PIPELINES, async (store, tx) => {
          const failing = tx.savepoint(async () => {
            await tx.savepoint(() => store.insert(inner!))
            await tx.savepoint(() => store.insert(next!))
            throw new Error('rolled back')
          })
          await expect(failing).rejects.toThrow('rolled back')
          expect(sortedIds(await store.find([]))).toEqual([row.id])
          await store.insert(after!)
        })
        expect(sortedIds(await read(context, PIPELINES, (store) => store.find([])))).toEqual(
          sortedIds([row, after!]),
        )
      },
    },
    {
      name: 'is rolled back with its transaction',
      async run(context) {
        const row = await insertRow(context, PIPELINES)
        const next = cloneRow(PIPELINES, row)
        const failing = write(context, PIPELINES, async (store, tx) => {
          await tx.savepoint(() => store.insert(next))
          await tx.savepoint(() => store.softDelete(row.id, instant(9)))
          throw new Error('rolled back')
        })
        await expect(failing).rejects.toThrow('rolled back')
        expect(await getStored(context, PIPELINES, row.id)).toEqual(row)
        expect(await getStored(context, PIPELINES, next.id)).toBeUndefined()
      },
    },
    {
      name: 'rolls back writes to two workspaces and to shared collections',
      run: rollsBackAcrossWorkspaces,
    },
    {
      name: 'can read but not write within a read',
      async run(context) {
        const row = await insertRow(context, PIPELINES)
        await read(context, PIPELINES, async (store, tx) => {
          expect(await tx.savepoint(() => store.get(row.id))).toEqual(row)
          await expect(tx.savepoint(() => store.softDelete(row.id, instant(9)))).rejects.toThrow()
          expect(await store.get(row.id)).toEqual(row)
        })
        expect(await getStored(context, PIPELINES, row.id)).toEqual(row)
      },
    },
    ...savepointRaces,
  ],
}

/** Checks that writes before and after the savepoint are kept. */
function rollsBack(spec: CollectionSpec, call: Call): Case {
  return {
    name: `${spec.name}: rolls back ${call.name} alone when its work throws`,
    async run(context) {
      const row = await insertRow(context, spec)
      const [next, before, after] = [1, 2, 3].map(() => cloneRow(spec, row)) as [Row, Row, Row]
      const ids = [row, next, before, after].map(({ id }) => id)
      await write(context, spec, async (store, tx) => {
        await store.insert(before)
        const savepoint = tx.savepoint(async () => {
          await call.run(store, row, next)
          throw new Error('rolled back')
        })
        await expect(savepoint).rejects.toThrow('rolled back')
        expect(sortById(await store.getMany(ids)), 'after the savepoint').toEqual(sortById([row, before]))
        await store.insert(after)
      })
      const stored = await read(context, spec, (store) => store.getMany(ids))
      expect(sortById(stored), 'after the commit').toEqual(sortById([row, before, after]))
    },
  }
}

async function keepsWrites(context: Context): Promise<void> {
  const row = await insertRow(context, PIPELINES, { name: 'first' })
  const [next, unawaited] = [
    cloneRow(PIPELINES, row, { name: 'next' }),
    cloneRow(PIPELINES, row, { name: 'unawaited' }),
  ]
  const changed = { ...row, name: 'changed' }
  const all = sortById([changed, next, unawaited])
  const result = await write(context, PIPELINES, async (store, tx) => {
    const value = await tx.savepoint(async () => {
      await store.update(changed)
      expect(await store.find([{ field: 'name', is: 'changed' }])).toEqual([changed])
      await store.insert(next)
      void store.insert(unawaited)
      expect(sortById(await store.find([]))).toEqual(all)
      return { of: 'the savepoint' }
    })
    expect(sortById(await store.find([]))).toEqual(all)
    return value
  })
  expect(result).toEqual({ of: 'the savepoint' })
  expect(sortById(await read(context, PIPELINES, (store) => store.find([])))).toEqual(all)
}

async function rollsBackAcrossWorkspaces({ storage, workspace, otherWorkspace }: Context): Promise<void> {
  const users = ALL_COLLECTIONS.find(({ name }) => name === 'users')!
  const own = await insertRow({ storage, workspace }, PIPELINES)
  const foreign = await insertRow({ storage, workspace: otherWorkspace }, PIPELINES)
  const user = await insertRow({ storage, workspace }, users)
  await storage.transact(async (tx) => {
    const savepoint = tx.savepoint(async () => {
      await PIPELINES.storeIn(tx, workspace).softDelete(own.id, instant(9))
      await PIPELINES.storeIn(tx, otherWorkspace).hardDelete(foreign.id)
      await users.storeIn(tx, workspace).update({ ...user, name: 'changed' })
      throw new Error('rolled back')
    })
    await expect(savepoint).rejects.toThrow('rolled back')
  })
  expect(await getStored({ storage, workspace }, PIPELINES, own.id)).toEqual(own)
  expect(await getStored({ storage, workspace: otherWorkspace }, PIPELINES, foreign.id)).toEqual(foreign)
  expect(await getStored({ storage, workspace }, users, user.id)).toEqual(user)
}

function sortById(rows: readonly Row[]): Row[] {
  return [...rows].sort((a, b) => (a.id < b.id ? -1 : 1))
}

function sortedIds(rows: readonly Row[]): string[] {
  return rows.map(({ id }) => id).sort()
}
