import type { Transaction } from '@sales-crm/core/ports'
import { expect } from 'vitest'
import { type Case, type Context, newId } from './case.ts'
import {
  ALL_COLLECTIONS,
  type CollectionSpec,
  getCollection,
  getStored,
  type Row,
  type RowStore,
  write,
} from './collections.ts'
import { cloneRow, insertRow, instant, uniqueText } from './sample-rows.ts'
import { expectConflict } from './uniqueness.ts'

const [PIPELINES, STAGES, TYPES] = [
  getCollection('pipelines'),
  getCollection('stages'),
  getCollection('task_types'),
]

type FailingWrite = (store: RowStore) => Promise<unknown>
type Handling = (refused: Promise<unknown>) => Promise<unknown> | undefined

const HANDLINGS: Readonly<Record<string, Handling>> = {
  'awaits it': (refused) => refused,
  'catches its error': (refused) => refused.catch(() => undefined),
  'does not wait for it': () => undefined,
}

/** Parts in which a write fails, and values that a part leaves free: part of `attempt`. */
export const savepointFailures: readonly Case[] = [
  ...Object.entries(HANDLINGS).map(([how, handle]) => reportsConflict(how, handle)),
  ...ALL_COLLECTIONS.flatMap((spec) =>
    [...spec.unique, ...spec.uniqueForever].map((field) => freesValues(spec, field)),
  ),
  {
    name: 'a part that catches a conflict and throws an error of its own rejects with the conflict',
    async run(context) {
      const row = await insertRow(context, TYPES)
      await write(context, TYPES, async (store, tx) => {
        const part = tx.savepoint(async () => {
          await store.insert(cloneWithSameKey(row)).catch(() => undefined)
          throw new Error('mine')
        })
        await expectConflict(part, 'key')
      })
    },
  },
  {
    name: 'a write that fails for another reason than a conflict rejects its attempt alone too',
    run: reportsOtherFailures,
  },
  {
    name: 'a write that failed before an attempt fails the transaction, whatever the attempt made of it',
    async run(context) {
      const row = await insertRow(context, TYPES)
      const fine = cloneRow(TYPES, row)
      const refused = write(context, TYPES, async (store, tx) => {
        await store.insert(cloneWithSameKey(row)).catch(() => undefined)
        await tx.savepoint(() => store.insert(fine)).catch(() => undefined)
      })
      await expectConflict(refused, 'key')
      expect(await getStored(context, TYPES, fine.id)).toBeUndefined()
    },
  },
  {
    name: 'a write that fails after an attempt fails the transaction, whether or not the attempt did',
    async run(context) {
      const row = await insertRow(context, TYPES)
      const parts = [() => Promise.resolve(), () => Promise.reject(new Error('undone'))]
      for (const part of parts) {
        const fine = cloneRow(TYPES, row)
        const refused = write(context, TYPES, async (store, tx) => {
          await store.insert(fine)
          await tx.savepoint(part).catch(() => undefined)
          await store.insert(cloneWithSameKey(row)).catch(() => undefined)
        })
        await expectConflict(refused, 'key')
        expect(await getStored(context, TYPES, fine.id)).toBeUndefined()
      }
    },
  },
  {
    name: 'once its work is over, a transaction attempts nothing',
    run: rejectsAfterEnd,
  },
]

/** Another record with the same key. */
function cloneWithSameKey(row: Row): Row {
  return cloneRow(TYPES, row, { key: row['key'] })
}

function reportsConflict(how: string, handle: Handling): Case {
  return {
    name: `a conflict is what its attempt rejects with, and the transaction goes on, when the part ${how}`,
    async run(context) {
      const row = await insertRow(context, TYPES)
      const other = cloneRow(TYPES, row)
      await write(context, TYPES, (store) => store.insert(other))
      const failingWrites: Readonly<Record<string, FailingWrite>> = {
        insert: (store) => store.insert(cloneWithSameKey(row)),
        insertMany: (store) => store.insertMany([cloneRow(TYPES, row), cloneWithSameKey(row)]),
        update: (store) => store.update({ ...other, key: row['key'] }, other),
      }
      for (const [verb, fail] of Object.entries(failingWrites))
        await expectConflictInSavepoint(context, [row, other], verb, (store) => handle(fail(store)))
    },
  }
}

/** `all` is what the collection holds. */
async function expectConflictInSavepoint(
  context: Context,
  all: readonly Row[],
  verb: string,
  part: (store: RowStore) => unknown,
): Promise<void> {
  const [before, within, after] = [1, 2, 3].map(() => cloneRow(TYPES, all[0]!)) as [Row, Row, Row]
  const ids = [...all, before, within, after].map(({ id }) => id)
  await write(context, TYPES, async (store, tx) => {
    await store.insert(before)
    const attempt = tx.savepoint(async () => {
      await store.insert(within)
      await part(store)
    })
    await expectConflict(attempt, 'key', verb)
    expect(await loadSorted(store, ids), `after ${verb}`).toEqual(sortById([...all, before]))
    await store.insert(after)
  })
  const left = await write(context, TYPES, async (store) => {
    const rows = await loadSorted(store, ids)
    await store.hardDelete(before.id)
    await store.hardDelete(after.id)
    return rows
  })
  expect(left, `committed after ${verb}`).toEqual(sortById([...all, before, after]))
}

/** In a collection with a unique field: what a part took is free again, and what it freed is taken again. */
function freesValues(spec: CollectionSpec, field: string): Case {
  return {
    name: `${spec.name}.${field}: a value taken in a part that threw is free again, and one freed is taken`,
    async run(context) {
      const row = await insertRow(context, spec)
      const heir = cloneRow(spec, row)
      const renamed = { ...row, [field]: uniqueText(field) }
      await write(context, spec, async (store, tx) => {
        const part = tx.savepoint(async () => {
          await store.insert(heir)
          await store.update(renamed)
          await store.hardDelete(row.id)
          throw new Error('undone')
        })
        await expect(part).rejects.toThrow('undone')
        const twin = cloneRow(spec, row, { [field]: row[field] })
        await expectConflict(
          tx.savepoint(() => store.insert(twin)),
          field,
        )
        await store.insert(heir)
        await store.insert(cloneRow(spec, row, { [field]: renamed[field] }))
      })
      expect(await getStored(context, spec, heir.id)).toEqual(heir)
    },
  }
}

async function reportsOtherFailures(context: Context): Promise<void> {
  const stage = await insertRow(context, STAGES)
  const next = cloneRow(STAGES, stage)
  const failingWrites: readonly FailingWrite[] = [
    (store) => store.insert(cloneRow(STAGES, stage, { id: stage.id })),
    (store) => store.insert(cloneRow(STAGES, stage, { pipeline_id: newId() })),
    (store) => store.update({ ...stage, pipeline_id: newId() }),
  ]
  await write(context, STAGES, async (store, tx) => {
    for (const fail of failingWrites) {
      await expect(tx.savepoint(() => fail(store))).rejects.toThrow()
      expect(await store.get(stage.id)).toEqual(stage)
    }
    await store.insert(next)
  })
  expect(await getStored(context, STAGES, next.id)).toEqual(next)
}

/** Tried on a transaction that was committed, one that threw, and a read. */
async function rejectsAfterEnd({ storage, workspace }: Context): Promise<void> {
  const row = await insertRow({ storage, workspace }, PIPELINES)
  const transactions: Transaction[] = []
  const keepTransaction = async (tx: Transaction) => {
    await PIPELINES.storeIn(tx, workspace).get(row.id)
    transactions.push(tx)
  }
  await storage.transact(keepTransaction)
  const failing = storage.transact((tx) =>
    keepTransaction(tx).then(() => Promise.reject(new Error('undone'))),
  )
  await expect(failing).rejects.toThrow('undone')
  await storage.read(keepTransaction)
  for (const tx of transactions) {
    await expect(tx.savepoint(async () => 'too late')).rejects.toThrow()
    await expect(
      tx.savepoint(() => PIPELINES.storeIn(tx, workspace).softDelete(row.id, instant(9))),
    ).rejects.toThrow()
  }
  expect(await getStored({ storage, workspace }, PIPELINES, row.id)).toEqual(row)
}

async function loadSorted(store: RowStore, ids: readonly string[]): Promise<Row[]> {
  return sortById(await store.getMany(ids))
}

function sortById(rows: readonly Row[]): Row[] {
  return [...rows].sort((a, b) => (a.id < b.id ? -1 : 1))
}
