import type { Transaction } from '@sales-crm/core/ports'
import { expect } from 'vitest'
import { type Case, type Context, newId } from './case.ts'
import {
  ALL_COLLECTIONS,
  type CollectionSpec,
  getCollection,
  getStored,
  KEYED,
  type Row,
  type RowStore,
  write,
} from './collections.ts'
import { cloneRow, insertRow, instant, uniqueText } from './sample-rows.ts'
import { expectConflict } from './uniqueness.ts'

const [PIPELINES, STAGES] = [getCollection('pipelines'), getCollection('stages')]

type FailingWrite = (store: RowStore) => Promise<unknown>
type HandleFailure = (failing: Promise<unknown>) => Promise<unknown> | undefined

const FAILURE_HANDLERS: Readonly<Record<string, HandleFailure>> = {
  'awaits it': (failing) => failing,
  'catches the error': (failing) => failing.catch(() => undefined),
  'does not await it': () => undefined,
}

/** Failed writes in savepoints, and the unique values they free: part of the group `savepoint`. */
export const savepointFailures: readonly Case[] = [
  ...Object.entries(FAILURE_HANDLERS).map(([how, handle]) => reportsConflict(how, handle)),
  ...ALL_COLLECTIONS.flatMap((spec) =>
    [...spec.unique, ...spec.uniqueForever].map((field) => freesValues(spec, field)),
  ),
  {
    name: 'rejects with a conflict that its work catches before it throws another error',
    async run(context) {
      const row = await insertRow(context, KEYED)
      await write(context, KEYED, async (store, tx) => {
        const savepoint = tx.savepoint(async () => {
          await store.insert(cloneWithSameKey(row)).catch(() => undefined)
          throw new Error('mine')
        })
        await expectConflict(savepoint, 'key')
      })
    },
  },
  {
    name: 'rejects alone when a write fails for a reason other than a conflict',
    run: reportsOtherFailures,
  },
  {
    name: 'does not prevent an earlier failed write from failing the transaction',
    async run(context) {
      const row = await insertRow(context, KEYED)
      const next = cloneRow(KEYED, row)
      const failing = write(context, KEYED, async (store, tx) => {
        await store.insert(cloneWithSameKey(row)).catch(() => undefined)
        await tx.savepoint(() => store.insert(next)).catch(() => undefined)
      })
      await expectConflict(failing, 'key')
      expect(await getStored(context, KEYED, next.id)).toBeUndefined()
    },
  },
  {
    name: 'does not prevent a later failed write from failing the transaction',
    async run(context) {
      const row = await insertRow(context, KEYED)
      const works = [() => Promise.resolve(), () => Promise.reject(new Error('rolled back'))]
      for (const work of works) {
        const next = cloneRow(KEYED, row)
        const failing = write(context, KEYED, async (store, tx) => {
          await store.insert(next)
          await tx.savepoint(work).catch(() => undefined)
          await store.insert(cloneWithSameKey(row)).catch(() => undefined)
        })
        await expectConflict(failing, 'key')
        expect(await getStored(context, KEYED, next.id)).toBeUndefined()
      }
    },
  },
  {
    name: 'rejects after the work of its transaction has ended',
    run: rejectsAfterEnd,
  },
]

function cloneWithSameKey(row: Row): Row {
  return cloneRow(KEYED, row, { key: row['key'] })
}

function reportsConflict(how: string, handle: HandleFailure): Case {
  return {
    name: `fails alone with the conflict of a write when its work ${how}`,
    async run(context) {
      const row = await insertRow(context, KEYED)
      const other = cloneRow(KEYED, row)
      await write(context, KEYED, (store) => store.insert(other))
      const failingWrites: Readonly<Record<string, FailingWrite>> = {
        insert: (store) => store.insert(cloneWithSameKey(row)),
        insertMany: (store) => store.insertMany([cloneRow(KEYED, row), cloneWithSameKey(row)]),
        update: (store) => store.update({ ...other, key: row['key'] }),
      }
      for (const [method, fail] of Object.entries(failingWrites))
        await expectConflictInSavepoint(context, [row, other], method, (store) => handle(fail(store)))
    },
  }
}

/** Runs `work` in a savepoint. `stored` are the records of the collection. */
async function expectConflictInSavepoint(
  context: Context,
  stored: readonly Row[],
  method: string,
  work: (store: RowStore) => unknown,
): Promise<void> {
  const [before, within, after] = [1, 2, 3].map(() => cloneRow(KEYED, stored[0]!)) as [Row, Row, Row]
  const ids = [...stored, before, within, after].map(({ id }) => id)
  await write(context, KEYED, async (store, tx) => {
    await store.insert(before)
    const savepoint = tx.savepoint(async () => {
      await store.insert(within)
      await work(store)
    })
    await expectConflict(savepoint, 'key', method)
    expect(await loadSorted(store, ids), `after ${method}`).toEqual(sortById([...stored, before]))
    await store.insert(after)
  })
  const committed = await write(context, KEYED, async (store) => {
    const rows = await loadSorted(store, ids)
    await store.hardDelete(before.id)
    await store.hardDelete(after.id)
    return rows
  })
  expect(committed, `committed after ${method}`).toEqual(sortById([...stored, before, after]))
}

function freesValues(spec: CollectionSpec, field: string): Case {
  return {
    name: `${spec.name}.${field}: frees the values it took and restores those it freed when its work throws`,
    async run(context) {
      const row = await insertRow(context, spec)
      const next = cloneRow(spec, row)
      const renamed = { ...row, [field]: uniqueText(field) }
      await write(context, spec, async (store, tx) => {
        const savepoint = tx.savepoint(async () => {
          await store.insert(next)
          await store.update(renamed)
          await store.hardDelete(row.id)
          throw new Error('rolled back')
        })
        await expect(savepoint).rejects.toThrow('rolled back')
        const duplicate = cloneRow(spec, row, { [field]: row[field] })
        await expectConflict(
          tx.savepoint(() => store.insert(duplicate)),
          field,
        )
        await store.insert(next)
        await store.insert(cloneRow(spec, row, { [field]: renamed[field] }))
      })
      expect(await getStored(context, spec, next.id)).toEqual(next)
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

/** Opens savepoints on ended transactions: one committed, one rolled back, and a read. */
async function rejectsAfterEnd({ storage, workspace }: Context): Promise<void> {
  const row = await insertRow({ storage, workspace }, PIPELINES)
  const transactions: Transaction[] = []
  const keepTransaction = async (tx: Transaction) => {
    await PIPELINES.storeIn(tx, workspace).get(row.id)
    transactions.push(tx)
  }
  await storage.transact(keepTransaction)
  const failing = storage.transact((tx) =>
    keepTransaction(tx).then(() => Promise.reject(new Error('rolled back'))),
  )
  await expect(failing).rejects.toThrow('rolled back')
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
