import type { Storage, Transaction, WorkspaceStores } from '@sales-crm/core/ports'
import { createCrmOn } from '../data.ts'
import { measureInRounds } from '../rounds.ts'
import { createTaskInput } from '../rows.ts'
import { createDatabase } from './fixture.ts'

const COUNT = 640
const CONCURRENCY = 64

/**
 * Measures the milliseconds to create a task with no webhook, and with the outbox removed, in this process and
 * without deliveries.
 */
export async function measureWriting(folder: string, rounds: number) {
  return measureInRounds(
    {
      outbox: await prepareWrite(folder, 'outbox', keepOutbox),
      noOutbox: await prepareWrite(folder, 'no-outbox', removeOutbox),
    },
    rounds,
  )
}

async function prepareWrite(folder: string, name: string, createOverrides: TransactionOverrides) {
  const { storage, data } = await createDatabase(folder, `writing-${name}`)
  const crm = createCrmOn(wrapTransactions(storage, createOverrides))
  const task = createTaskInput(data, 0)
  return async (): Promise<number> => {
    let remaining = COUNT
    async function writeSequentially(): Promise<void> {
      while (remaining-- > 0) await crm.tasks.create(data.actor, task)
    }
    const startedAt = performance.now()
    await Promise.all(Array.from({ length: CONCURRENCY }, writeSequentially))
    return (performance.now() - startedAt) / COUNT
  }
}

type TransactionOverrides = (tx: Transaction) => PropertyDescriptorMap

/** Wraps the transactions of a storage. Both variants are wrapped, so that the wrapping costs each the same. */
function wrapTransactions(storage: Storage, createOverrides: TransactionOverrides): Storage {
  return {
    ...storage,
    transact: (work) => storage.transact((tx) => work(Object.create(tx, createOverrides(tx)))),
  }
}

const keepOutbox: TransactionOverrides = (tx) => ({
  notify: { value: () => tx.notify() },
  workspace: {
    value: (id: string): WorkspaceStores =>
      Object.create(tx.workspace(id), { webhooks: { value: tx.workspace(id).webhooks } }),
  },
})

const NO_WEBHOOKS = Promise.resolve([])

const removeOutbox: TransactionOverrides = (tx) => ({
  notify: { value: () => {} },
  workspace: {
    value: (id: string): WorkspaceStores =>
      Object.create(tx.workspace(id), { webhooks: { value: { find: () => NO_WEBHOOKS } } }),
  },
})
