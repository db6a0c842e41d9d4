import { expect } from 'vitest'
import { failures } from './attempt-failures.ts'
import { attemptRaces } from './attempt-races.ts'
import { type Call, WRITES } from './calls.ts'
import type { Case, Context, Group } from './case.ts'
import { EVERY, type Place, placeOf, type Row, type RowStore, read, stored, write } from './places.ts'
import { another, instant, planted } from './samples.ts'

const PIPELINES = placeOf('pipelines')

export const attempts: Group = {
  name: 'attempt',
  cases: [
    ...EVERY.flatMap((place) => WRITES.map((call) => takenBack(place, call))),
    {
      name: 'what a part writes is kept, seen by it and after it, and its value returned',
      run: kept,
    },
    {
      name: 'an error passes through unchanged, and the transaction goes on',
      async run(context) {
        const row = await planted(context, PIPELINES)
        const error = Object.assign(new Error('mine'), { code: '23505', fields: { name: 'mine' } })
        const answer = await write(context, PIPELINES, async (store, tx) => {
          await expect(tx.attempt(() => Promise.reject(error))).rejects.toBe(error)
          return store.get(row.id)
        })
        expect(answer).toEqual(row)
      },
    },
    {
      name: 'a write that its part does not wait for is kept or taken back with it',
      async run(context) {
        const row = await planted(context, PIPELINES)
        const [good, bad] = [another(PIPELINES, row), another(PIPELINES, row)]
        const now = (store: RowStore) => store.find([{ field: 'id', oneOf: [good.id, bad.id] }])
        await write(context, PIPELINES, async (store, tx) => {
          const part = tx.attempt(async () => {
            void store.insert(bad)
            throw new Error('undone')
          })
          await expect(part).rejects.toThrow('undone')
          await tx.attempt(async () => {
            void store.insert(good)
          })
          expect(await now(store)).toEqual([good])
        })
        expect(await read(context, PIPELINES, now)).toEqual([good])
      },
    },
    ...failures,
    {
      name: 'of many parts, one after another, the ones that throw leave nothing and the others everything',
      async run(context) {
        const row = await planted(context, PIPELINES)
        const rows = Array.from({ length: 50 }, () => another(PIPELINES, row))
        const sound = rows.filter((_, nth) => nth % 3 === 0)
        await write(context, PIPELINES, async (store, tx) => {
          for (const each of rows) {
            const part = tx.attempt(async () => {
              await store.insert(each)
              if (!sound.includes(each)) throw new Error('undone')
            })
            await part.catch(() => undefined)
          }
          expect(idsOf(await store.find([]))).toEqual(idsOf([row, ...sound]))
        })
        expect(idsOf(await read(context, PIPELINES, (store) => store.find([])))).toEqual(idsOf([row, ...sound]))
      },
    },
    {
      name: 'a transaction that throws takes back what its attempts kept',
      async run(context) {
        const row = await planted(context, PIPELINES)
        const next = another(PIPELINES, row)
        const failing = write(context, PIPELINES, async (store, tx) => {
          await tx.attempt(() => store.insert(next))
          await tx.attempt(() => store.softDelete(row.id, instant(9)))
          throw new Error('undone')
        })
        await expect(failing).rejects.toThrow('undone')
        expect(await stored(context, PIPELINES, row.id)).toEqual(row)
        expect(await stored(context, PIPELINES, next.id)).toBeUndefined()
      },
    },
    {
      name: 'a part that throws is taken back in two workspaces and above them',
      run: acrossWorkspaces,
    },
    {
      name: 'within a read a part reads, and its write is refused',
      async run(context) {
        const row = await planted(context, PIPELINES)
        await read(context, PIPELINES, async (store, tx) => {
          expect(await tx.attempt(() => store.get(row.id))).toEqual(row)
          await expect(tx.attempt(() => store.softDelete(row.id, instant(9)))).rejects.toThrow()
          expect(await store.get(row.id)).toEqual(row)
        })
        expect(await stored(context, PIPELINES, row.id)).toEqual(row)
      },
    },
    ...attemptRaces,
  ],
}

/** What was written before it and is written after it stays. */
function takenBack(place: Place, call: Call): Case {
  return {
    name: `${place.name}: ${call.name} is taken back alone when the part throws`,
    async run(context) {
      const row = await planted(context, place)
      const [next, before, after] = [1, 2, 3].map(() => another(place, row)) as [Row, Row, Row]
      const ids = [row, next, before, after].map(({ id }) => id)
      await write(context, place, async (store, tx) => {
        await store.insert(before)
        const part = tx.attempt(async () => {
          await call.make(store, row, next)
          throw new Error('undone')
        })
        await expect(part).rejects.toThrow('undone')
        expect(inOrder(await store.getMany(ids)), 'after the part').toEqual(inOrder([row, before]))
        await store.insert(after)
      })
      const left = await read(context, place, (store) => store.getMany(ids))
      expect(inOrder(left), 'after the commit').toEqual(inOrder([row, before, after]))
    },
  }
}

async function kept(context: Context): Promise<void> {
  const row = await planted(context, PIPELINES, { name: 'first' })
  const [next, unawaited] = [another(PIPELINES, row, { name: 'next' }), another(PIPELINES, row, { name: 'unawaited' })]
  const changed = { ...row, name: 'changed' }
  const all = inOrder([changed, next, unawaited])
  const answer = await write(context, PIPELINES, async (store, tx) => {
    const value = await tx.attempt(async () => {
      await store.update(changed)
      expect(await store.find([{ field: 'name', is: 'changed' }])).toEqual([changed])
      await store.insert(next)
      void store.insert(unawaited)
      expect(inOrder(await store.find([]))).toEqual(all)
      return { of: 'the part' }
    })
    expect(inOrder(await store.find([]))).toEqual(all)
    return value
  })
  expect(answer).toEqual({ of: 'the part' })
  expect(inOrder(await read(context, PIPELINES, (store) => store.find([])))).toEqual(all)
}

async function acrossWorkspaces({ storage, workspace, elsewhere }: Context): Promise<void> {
  const users = EVERY.find(({ name }) => name === 'users')!
  const mine = await planted({ storage, workspace }, PIPELINES)
  const theirs = await planted({ storage, workspace: elsewhere }, PIPELINES)
  const user = await planted({ storage, workspace }, users)
  await storage.transact(async (tx) => {
    const part = tx.attempt(async () => {
      await PIPELINES.storeIn(tx, workspace).softDelete(mine.id, instant(9))
      await PIPELINES.storeIn(tx, elsewhere).erase(theirs.id)
      await users.storeIn(tx, workspace).update({ ...user, name: 'changed' })
      throw new Error('undone')
    })
    await expect(part).rejects.toThrow('undone')
  })
  expect(await stored({ storage, workspace }, PIPELINES, mine.id)).toEqual(mine)
  expect(await stored({ storage, workspace: elsewhere }, PIPELINES, theirs.id)).toEqual(theirs)
  expect(await stored({ storage, workspace }, users, user.id)).toEqual(user)
}

function inOrder(rows: readonly Row[]): Row[] {
  return [...rows].sort((a, b) => (a.id < b.id ? -1 : 1))
}

function idsOf(rows: readonly Row[]): string[] {
  return rows.map(({ id }) => id).sort()
}
