import type { Transaction } from '@sales-crm/core/ports'
import { expect } from 'vitest'
import { type Case, type Context, newId } from './case.ts'
import { EVERY, type Place, placeOf, type Row, type RowStore, stored, write } from './places.ts'
import { another, distinct, instant, planted } from './samples.ts'
import { expectConflict } from './uniqueness.ts'

const [PIPELINES, STAGES, TYPES] = [placeOf('pipelines'), placeOf('stages'), placeOf('task_types')]

type Refused = (store: RowStore) => Promise<unknown>
type Heed = (refused: Promise<unknown>) => Promise<unknown> | undefined

const HEEDS: Readonly<Record<string, Heed>> = {
  'awaits it': (refused) => refused,
  'catches its error': (refused) => refused.catch(() => undefined),
  'does not wait for it': () => undefined,
}

/** Parts in which a write fails, and values that a part leaves free: part of `attempt`. */
export const failures: readonly Case[] = [
  ...Object.entries(HEEDS).map(([how, heed]) => conflicting(how, heed)),
  ...EVERY.flatMap((place) => [...place.unique, ...place.neverReused].map((field) => freesValues(place, field))),
  {
    name: 'a part that catches a conflict and throws an error of its own rejects with the conflict',
    async run(context) {
      const row = await planted(context, TYPES)
      await write(context, TYPES, async (store, tx) => {
        const part = tx.attempt(async () => {
          await store.insert(twin(row)).catch(() => undefined)
          throw new Error('mine')
        })
        await expectConflict(part, 'key')
      })
    },
  },
  {
    name: 'a write that fails for another reason than a conflict rejects its attempt alone too',
    run: refusedOtherwise,
  },
  {
    name: 'a write that failed before an attempt fails the transaction, whatever the attempt made of it',
    async run(context) {
      const row = await planted(context, TYPES)
      const fine = another(TYPES, row)
      const refused = write(context, TYPES, async (store, tx) => {
        await store.insert(twin(row)).catch(() => undefined)
        await tx.attempt(() => store.insert(fine)).catch(() => undefined)
      })
      await expectConflict(refused, 'key')
      expect(await stored(context, TYPES, fine.id)).toBeUndefined()
    },
  },
  {
    name: 'a write that fails after an attempt fails the transaction, whether or not the attempt did',
    async run(context) {
      const row = await planted(context, TYPES)
      const parts = [() => Promise.resolve(), () => Promise.reject(new Error('undone'))]
      for (const part of parts) {
        const fine = another(TYPES, row)
        const refused = write(context, TYPES, async (store, tx) => {
          await store.insert(fine)
          await tx.attempt(part).catch(() => undefined)
          await store.insert(twin(row)).catch(() => undefined)
        })
        await expectConflict(refused, 'key')
        expect(await stored(context, TYPES, fine.id)).toBeUndefined()
      }
    },
  },
  {
    name: 'once its work is over, a transaction attempts nothing',
    run: attemptedLate,
  },
]

/** Another record with the same key. */
function twin(row: Row): Row {
  return another(TYPES, row, { key: row['key'] })
}

function conflicting(how: string, heed: Heed): Case {
  return {
    name: `a conflict is what its attempt rejects with, and the transaction goes on, when the part ${how}`,
    async run(context) {
      const row = await planted(context, TYPES)
      const other = another(TYPES, row)
      await write(context, TYPES, (store) => store.insert(other))
      const refusals: Readonly<Record<string, Refused>> = {
        insert: (store) => store.insert(twin(row)),
        insertMany: (store) => store.insertMany([another(TYPES, row), twin(row)]),
        update: (store) => store.update({ ...other, key: row['key'] }, other),
      }
      for (const [verb, refuse] of Object.entries(refusals)) await refusedIn(context, [row, other], verb, (store) => heed(refuse(store)))
    },
  }
}

/** `all` is what the collection holds. */
async function refusedIn(context: Context, all: readonly Row[], verb: string, part: (store: RowStore) => unknown): Promise<void> {
  const [before, within, after] = [1, 2, 3].map(() => another(TYPES, all[0]!)) as [Row, Row, Row]
  const ids = [...all, before, within, after].map(({ id }) => id)
  await write(context, TYPES, async (store, tx) => {
    await store.insert(before)
    const attempt = tx.attempt(async () => {
      await store.insert(within)
      await part(store)
    })
    await expectConflict(attempt, 'key', verb)
    expect(await sortedIn(store, ids), `after ${verb}`).toEqual(inOrder([...all, before]))
    await store.insert(after)
  })
  const left = await write(context, TYPES, async (store) => {
    const rows = await sortedIn(store, ids)
    await store.erase(before.id)
    await store.erase(after.id)
    return rows
  })
  expect(left, `committed after ${verb}`).toEqual(inOrder([...all, before, after]))
}

/** In a collection with a unique field: what a part took is free again, and what it freed is taken again. */
function freesValues(place: Place, field: string): Case {
  return {
    name: `${place.name}.${field}: a value taken in a part that threw is free again, and one freed is taken`,
    async run(context) {
      const row = await planted(context, place)
      const heir = another(place, row)
      const renamed = { ...row, [field]: distinct(field) }
      await write(context, place, async (store, tx) => {
        const part = tx.attempt(async () => {
          await store.insert(heir)
          await store.update(renamed)
          await store.erase(row.id)
          throw new Error('undone')
        })
        await expect(part).rejects.toThrow('undone')
        const twin = another(place, row, { [field]: row[field] })
        await expectConflict(
          tx.attempt(() => store.insert(twin)),
          field,
        )
        await store.insert(heir)
        await store.insert(another(place, row, { [field]: renamed[field] }))
      })
      expect(await stored(context, place, heir.id)).toEqual(heir)
    },
  }
}

async function refusedOtherwise(context: Context): Promise<void> {
  const stage = await planted(context, STAGES)
  const next = another(STAGES, stage)
  const refusals: readonly Refused[] = [
    (store) => store.insert(another(STAGES, stage, { id: stage.id })),
    (store) => store.insert(another(STAGES, stage, { pipeline_id: newId() })),
    (store) => store.update({ ...stage, pipeline_id: newId() }),
  ]
  await write(context, STAGES, async (store, tx) => {
    for (const refuse of refusals) {
      await expect(tx.attempt(() => refuse(store))).rejects.toThrow()
      expect(await store.get(stage.id)).toEqual(stage)
    }
    await store.insert(next)
  })
  expect(await stored(context, STAGES, next.id)).toEqual(next)
}

/** Tried on a transaction that was committed, one that threw, and a read. */
async function attemptedLate({ storage, workspace }: Context): Promise<void> {
  const row = await planted({ storage, workspace }, PIPELINES)
  const kept: Transaction[] = []
  const keep = async (tx: Transaction) => {
    await PIPELINES.storeIn(tx, workspace).get(row.id)
    kept.push(tx)
  }
  await storage.transact(keep)
  const failing = storage.transact((tx) => keep(tx).then(() => Promise.reject(new Error('undone'))))
  await expect(failing).rejects.toThrow('undone')
  await storage.read(keep)
  for (const tx of kept) {
    await expect(tx.attempt(async () => 'too late')).rejects.toThrow()
    await expect(tx.attempt(() => PIPELINES.storeIn(tx, workspace).softDelete(row.id, instant(9)))).rejects.toThrow()
  }
  expect(await stored({ storage, workspace }, PIPELINES, row.id)).toEqual(row)
}

async function sortedIn(store: RowStore, ids: readonly string[]): Promise<Row[]> {
  return inOrder(await store.getMany(ids))
}

function inOrder(rows: readonly Row[]): Row[] {
  return [...rows].sort((a, b) => (a.id < b.id ? -1 : 1))
}
