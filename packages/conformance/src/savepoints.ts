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
  name: 'attempt',
  cases: [
    ...ALL_COLLECTIONS.flatMap((spec) => WRITES.map((call) => rollsBack(spec, call))),
    {
      name: 'what a part writes is kept, seen by it and after it, and its value returned',
      run: keepsWrites,
    },
    {
      name: 'an error passes through unchanged, and the transaction goes on',
      async run(context) {
        const row = await insertRow(context, PIPELINES)
        const error = Object.assign(new Error('mine'), { code: '23505', fields: { name: 'mine' } })
        const answer = await write(context, PIPELINES, async (store, tx) => {
          await expect(tx.savepoint(() => Promise.reject(error))).rejects.toBe(error)
          return store.get(row.id)
        })
        expect(answer).toEqual(row)
      },
    },
    {
      name: 'a write that its part does not wait for is kept or taken back with it',
      async run(context) {
        const row = await insertRow(context, PIPELINES)
        const [good, bad] = [cloneRow(PIPELINES, row), cloneRow(PIPELINES, row)]
        const now = (store: RowStore) => store.find([{ field: 'id', oneOf: [good.id, bad.id] }])
        await write(context, PIPELINES, async (store, tx) => {
          const part = tx.savepoint(async () => {
            void store.insert(bad)
            throw new Error('undone')
          })
          await expect(part).rejects.toThrow('undone')
          await tx.savepoint(async () => {
            void store.insert(good)
          })
          expect(await now(store)).toEqual([good])
        })
        expect(await read(context, PIPELINES, now)).toEqual([good])
      },
    },
    ...savepointFailures,
    {
      name: 'of many parts, one after another, the ones that throw leave nothing and the others everything',
      async run(context) {
        const row = await insertRow(context, PIPELINES)
        const rows = Array.from({ length: 50 }, () => cloneRow(PIPELINES, row))
        const sound = rows.filter((_, nth) => nth % 3 === 0)
        await write(context, PIPELINES, async (store, tx) => {
          for (const each of rows) {
            const part = tx.savepoint(async () => {
              await store.insert(each)
              if (!sound.includes(each)) throw new Error('undone')
            })
            await part.catch(() => undefined)
          }
          expect(sortedIds(await store.find([]))).toEqual(sortedIds([row, ...sound]))
        })
        expect(sortedIds(await read(context, PIPELINES, (store) => store.find([])))).toEqual(
          sortedIds([row, ...sound]),
        )
      },
    },
    {
      name: 'a transaction that throws takes back what its attempts kept',
      async run(context) {
        const row = await insertRow(context, PIPELINES)
        const next = cloneRow(PIPELINES, row)
        const failing = write(context, PIPELINES, async (store, tx) => {
          await tx.savepoint(() => store.insert(next))
          await tx.savepoint(() => store.softDelete(row.id, instant(9)))
          throw new Error('undone')
        })
        await expect(failing).rejects.toThrow('undone')
        expect(await getStored(context, PIPELINES, row.id)).toEqual(row)
        expect(await getStored(context, PIPELINES, next.id)).toBeUndefined()
      },
    },
    {
      name: 'a part that throws is taken back in two workspaces and above them',
      run: rollsBackAcrossWorkspaces,
    },
    {
      name: 'within a read a part reads, and its write is refused',
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

/** What was written before it and is written after it stays. */
function rollsBack(spec: CollectionSpec, call: Call): Case {
  return {
    name: `${spec.name}: ${call.name} is taken back alone when the part throws`,
    async run(context) {
      const row = await insertRow(context, spec)
      const [next, before, after] = [1, 2, 3].map(() => cloneRow(spec, row)) as [Row, Row, Row]
      const ids = [row, next, before, after].map(({ id }) => id)
      await write(context, spec, async (store, tx) => {
        await store.insert(before)
        const part = tx.savepoint(async () => {
          await call.run(store, row, next)
          throw new Error('undone')
        })
        await expect(part).rejects.toThrow('undone')
        expect(sortById(await store.getMany(ids)), 'after the part').toEqual(sortById([row, before]))
        await store.insert(after)
      })
      const left = await read(context, spec, (store) => store.getMany(ids))
      expect(sortById(left), 'after the commit').toEqual(sortById([row, before, after]))
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
  const answer = await write(context, PIPELINES, async (store, tx) => {
    const value = await tx.savepoint(async () => {
      await store.update(changed)
      expect(await store.find([{ field: 'name', is: 'changed' }])).toEqual([changed])
      await store.insert(next)
      void store.insert(unawaited)
      expect(sortById(await store.find([]))).toEqual(all)
      return { of: 'the part' }
    })
    expect(sortById(await store.find([]))).toEqual(all)
    return value
  })
  expect(answer).toEqual({ of: 'the part' })
  expect(sortById(await read(context, PIPELINES, (store) => store.find([])))).toEqual(all)
}

async function rollsBackAcrossWorkspaces({ storage, workspace, otherWorkspace }: Context): Promise<void> {
  const users = ALL_COLLECTIONS.find(({ name }) => name === 'users')!
  const mine = await insertRow({ storage, workspace }, PIPELINES)
  const theirs = await insertRow({ storage, workspace: otherWorkspace }, PIPELINES)
  const user = await insertRow({ storage, workspace }, users)
  await storage.transact(async (tx) => {
    const part = tx.savepoint(async () => {
      await PIPELINES.storeIn(tx, workspace).softDelete(mine.id, instant(9))
      await PIPELINES.storeIn(tx, otherWorkspace).hardDelete(theirs.id)
      await users.storeIn(tx, workspace).update({ ...user, name: 'changed' })
      throw new Error('undone')
    })
    await expect(part).rejects.toThrow('undone')
  })
  expect(await getStored({ storage, workspace }, PIPELINES, mine.id)).toEqual(mine)
  expect(await getStored({ storage, workspace: otherWorkspace }, PIPELINES, theirs.id)).toEqual(theirs)
  expect(await getStored({ storage, workspace }, users, user.id)).toEqual(user)
}

function sortById(rows: readonly Row[]): Row[] {
  return [...rows].sort((a, b) => (a.id < b.id ? -1 : 1))
}

function sortedIds(rows: readonly Row[]): string[] {
  return rows.map(({ id }) => id).sort()
}
