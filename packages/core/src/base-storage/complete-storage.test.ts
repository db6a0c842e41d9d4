import { expect, test } from 'vitest'
import { memoryStorage } from '../memory/index.ts'
import type { Transaction } from '../ports/storage.ts'
import type { BaseStorage, BaseTransaction } from './base-storage.ts'
import { completeStorage } from './complete-storage.ts'

/** A base on a memory store, whose verbs are its own: they say that there is a tag, and seven pending deliveries. */
function openBase(): BaseStorage {
  const memory = memoryStorage()
  const openTransaction = (tx: Transaction): BaseTransaction => ({
    ...tx,
    workspaceIds: async () => [],
    workspace(id) {
      const stores = tx.workspace(id)
      return { ...stores, tags: { ...stores.tags, has: async () => true } }
    },
    outbox: { ...tx.outbox, backlog: async () => ({ pending: 7, earliestDueAt: undefined }) },
  })
  return {
    ...memory,
    transact: (work, options) => memory.transact((tx) => work(openTransaction(tx)), options),
    read: (work, options) => memory.read((tx) => work(openTransaction(tx)), options),
  }
}

test("a store's own verbs and outbox are used in place of the derived ones", async () => {
  const storage = completeStorage(openBase())
  const seen = await storage.read(async (tx) => {
    const { tags, lists } = tx.workspace('acme')
    const backlog = await tx.outbox.backlog()
    return { tag: await tags.has([]), list: await lists.has([]), pending: backlog.pending }
  })
  expect(seen).toEqual({ tag: true, list: false, pending: 7 })
})

test("a store's own verbs and outbox reject after the end of the work, as derived ones do", async () => {
  const storage = completeStorage(openBase())
  const ended = await storage.read(async (tx) => ({ tags: tx.workspace('acme').tags, outbox: tx.outbox }))
  await expect(ended.tags.has([])).rejects.toThrow('The transaction is over.')
  await expect(ended.outbox.backlog()).rejects.toThrow('The transaction is over.')
})
