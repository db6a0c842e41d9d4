import type { Transaction } from '@sales-crm/core/ports'
import { expect } from 'vitest'
import { type Call, READS, WRITES } from './calls.ts'
import type { Case, Context } from './case.ts'
import { placeOf, type RowStore, stored, write } from './places.ts'
import { another, planted } from './samples.ts'
import { expectConflict } from './uniqueness.ts'

const [PRODUCTS, TYPES] = [placeOf('products'), placeOf('task_types')]

type Heed = (refused: Promise<void>) => Promise<void> | void

/** How transactions end: part of `transactions`. */
export const endings: readonly Case[] = [
  fails('catches its error', (refused) => refused.catch(() => undefined)),
  fails('does not wait for it', () => undefined),
  {
    name: 'once its work is over, no call of a transaction answers',
    run: (context) => rejectedLate(context, READS),
  },
  {
    name: 'once its work is over, no call of a transaction writes',
    run: (context) => rejectedLate(context, WRITES),
  },
]

function fails(how: string, heed: Heed): Case {
  return {
    name: `a write that fails undoes the whole transaction and is what transact rejects with, though the work ${how}`,
    async run(context) {
      const row = await planted(context, TYPES)
      const fine = another(TYPES, row)
      const refused = write(context, TYPES, async (store) => {
        await store.insert(fine)
        await heed(store.insert(another(TYPES, row, { key: row['key'] })))
      })
      await expectConflict(refused, 'key')
      expect(await stored(context, TYPES, fine.id)).toBeUndefined()
    },
  }
}

/** Tried on transactions of both kinds that were committed, one that threw, and a read. */
async function rejectedLate(context: Context, calls: readonly Call[]): Promise<void> {
  const { storage, workspace } = context
  const row = await planted(context, PRODUCTS)
  const next = another(PRODUCTS, row)
  const kept: RowStore[] = []
  const keep = async (tx: Transaction) => {
    const store = PRODUCTS.storeIn(tx, workspace)
    await store.get(row.id)
    kept.push(store)
  }
  await storage.transact(keep)
  await storage.transactUnsynced(keep)
  const failing = storage.transact((tx) => keep(tx).then(() => Promise.reject(new Error('undone'))))
  await expect(failing).rejects.toThrow('undone')
  await storage.read(keep)
  for (const store of kept) {
    for (const { name, make } of calls) await expect(make(store, row, next), name).rejects.toThrow()
  }
  expect(await stored(context, PRODUCTS, row.id)).toEqual(row)
  expect(await stored(context, PRODUCTS, next.id)).toBeUndefined()
}
