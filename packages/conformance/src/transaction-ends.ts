import type { Transaction } from '@sales-crm/core/ports'
import { expect } from 'vitest'
import type { Case, Context } from './case.ts'
import { getCollection, getStored, type RowStore, write } from './collections.ts'
import { cloneRow, insertRow } from './sample-rows.ts'
import { type Call, READS, WRITES } from './store-calls.ts'
import { expectConflict } from './uniqueness.ts'

const [PRODUCTS, TYPES] = [getCollection('products'), getCollection('task_types')]

type Handling = (failing: Promise<void>) => Promise<void> | void

/** How transactions end: part of `transactions`. */
export const transactionEnds: readonly Case[] = [
  fails('catches its error', (failing) => failing.catch(() => undefined)),
  fails('does not wait for it', () => undefined),
  {
    name: 'once its work is over, no call of a transaction answers',
    run: (context) => rejectsAfterEnd(context, READS),
  },
  {
    name: 'once its work is over, no call of a transaction writes',
    run: (context) => rejectsAfterEnd(context, WRITES),
  },
]

function fails(how: string, handle: Handling): Case {
  return {
    name: `a write that fails undoes the whole transaction and is what transact rejects with, though the work ${how}`,
    async run(context) {
      const row = await insertRow(context, TYPES)
      const fine = cloneRow(TYPES, row)
      const failing = write(context, TYPES, async (store) => {
        await store.insert(fine)
        await handle(store.insert(cloneRow(TYPES, row, { key: row['key'] })))
      })
      await expectConflict(failing, 'key')
      expect(await getStored(context, TYPES, fine.id)).toBeUndefined()
    },
  }
}

/** Tried on transactions of both kinds that were committed, one that threw, and a read. */
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
  const failing = storage.transact((tx) => keepStore(tx).then(() => Promise.reject(new Error('undone'))))
  await expect(failing).rejects.toThrow('undone')
  await storage.read(keepStore)
  for (const store of stores) {
    for (const { name, run: make } of calls) await expect(make(store, row, next), name).rejects.toThrow()
  }
  expect(await getStored(context, PRODUCTS, row.id)).toEqual(row)
  expect(await getStored(context, PRODUCTS, next.id)).toBeUndefined()
}
