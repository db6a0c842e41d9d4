import type { Transaction } from '@sales-crm/core/ports'
import { expect } from 'vitest'
import { type Case, type Context, leaveTransactions } from './case.ts'
import { getCollection, getStored, KEYED, type RowStore, write } from './collections.ts'
import { cloneRow, insertRow } from './sample-rows.ts'
import { type Call, READS, WRITES } from './store-calls.ts'
import { expectConflict } from './uniqueness.ts'

const PRODUCTS = getCollection('products')

type HandleFailure = (failing: Promise<void>) => Promise<void> | void

/** Ends of transactions: part of the group `transactions`. */
export const transactionEnds: readonly Case[] = [
  failsWholeTransaction('catches its error', (failing) => failing.catch(() => undefined)),
  failsWholeTransaction('does not await it', () => undefined),
  {
    name: 'every read rejects after the work has ended',
    run: (context) => rejectsAfterEnd(context, READS),
  },
  {
    name: 'every write rejects after the work has ended',
    run: (context) => rejectsAfterEnd(context, WRITES),
  },
  {
    name: 'a transaction or read begun within the work of another rejects, and the other one goes on',
    run: rejectsNested,
  },
  {
    name: 'a transaction begun by what a work has started, after its end, runs',
    async run({ storage }) {
      const started = await storage.transact(async () => ({ begin: leaveTransactions() }))
      await started.begin(() => storage.transact((tx) => tx.workspaces.has([])))
    },
  },
]

async function rejectsNested(context: Context): Promise<void> {
  const { storage } = context
  const row = await insertRow(context, KEYED)
  const begin = [() => storage.transact(async () => {}), () => storage.read(async () => {})]
  const rejectAll = async () => {
    for (const beginNested of begin) await expect(beginNested()).rejects.toThrow('within the work of another')
  }
  await storage.read(rejectAll)
  const next = cloneRow(KEYED, row)
  await write(context, KEYED, async (store) => {
    await rejectAll()
    await store.insert(next)
  })
  expect(await getStored(context, KEYED, next.id)).toEqual(next)
}

function failsWholeTransaction(how: string, handle: HandleFailure): Case {
  return {
    name: `a failed write fails the whole transaction even if the work ${how}`,
    async run(context) {
      const row = await insertRow(context, KEYED)
      const next = cloneRow(KEYED, row)
      const failing = write(context, KEYED, async (store) => {
        await store.insert(next)
        await handle(store.insert(cloneRow(KEYED, row, { key: row['key'] })))
      })
      await expectConflict(failing, 'key')
      expect(await getStored(context, KEYED, next.id)).toBeUndefined()
    },
  }
}

/** Makes the calls on ended transactions: two committed, one of them relaxed, one rolled back, and a read. */
async function rejectsAfterEnd(context: Context, calls: readonly Call[]): Promise<void> {
  const { storage, workspace } = context
  const row = await insertRow(context, PRODUCTS)
  const next = cloneRow(PRODUCTS, row)
  const stores: RowStore[] = []
  const keepStore = async (tx: Transaction) => {
    const store = PRODUCTS.storeIn(tx, workspace)
    await store.get(row.id)
    stores.push(store)
  }
  await storage.transact(keepStore)
  await storage.transact(keepStore, { durability: 'relaxed' })
  const failing = storage.transact((tx) => keepStore(tx).then(() => Promise.reject(new Error('rolled back'))))
  await expect(failing).rejects.toThrow('rolled back')
  await storage.read(keepStore)
  for (const store of stores) {
    for (const { name, run } of calls) await expect(run(store, row, next), name).rejects.toThrow()
  }
  expect(await getStored(context, PRODUCTS, row.id)).toEqual(row)
  expect(await getStored(context, PRODUCTS, next.id)).toBeUndefined()
}
