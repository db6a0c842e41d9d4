import { join } from 'node:path'
import type { Storage, Transaction, WorkspaceStores } from '@sales-crm/core/ports'
import { sqliteStorage } from '@sales-crm/sqlite'
import { median } from '../rounds.ts'
import { type BenchFixture, createFixture, subscribe } from './fixture.ts'

const NAMES = ['noOutbox', 'noWebhook', 'oneWebhook'] as const
const COUNT = 640

/**
 * Milliseconds per write: without an outbox, with no webhook, and with one webhook. Ratios are relative to
 * the first.
 */
export interface Writes {
  readonly concurrency: number
  readonly ms: Readonly<Record<(typeof NAMES)[number], number>>
  readonly ratio: { readonly noWebhook: number; readonly oneWebhook: number }
}

/** Measures the cost of the outbox for the creation of a task, in this process and without deliveries. */
export async function measureWriting(folder: string, rounds: number, concurrency: number): Promise<Writes> {
  const openFile = async (name: string) =>
    sqliteStorage({ file: join(folder, `writing-${name}-${concurrency}.db`) })
  const storages = {
    noOutbox: await openFile('noOutbox'),
    noWebhook: await openFile('noWebhook'),
    oneWebhook: await openFile('oneWebhook'),
  }
  const fixtures = {
    noOutbox: await createFixture(wrapTransactions(storages.noOutbox, removeOutbox)),
    noWebhook: await createFixture(wrapTransactions(storages.noWebhook, keepOutbox)),
    oneWebhook: await createFixture(wrapTransactions(storages.oneWebhook, keepOutbox)),
  }
  await subscribe(fixtures.oneWebhook, 'https://hooks.example.com/')

  for (const name of NAMES) await measureWrite(fixtures[name], concurrency)
  const ms = { noOutbox: [] as number[], noWebhook: [] as number[], oneWebhook: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < NAMES.length; turn += 1) {
      const name = NAMES[(round + turn) % NAMES.length]!
      ms[name].push(await measureWrite(fixtures[name], concurrency))
    }
  }
  await Promise.all(NAMES.map((name) => storages[name].close()))
  const ratioTo = (name: 'noWebhook' | 'oneWebhook') =>
    median(ms[name].map((each, round) => each / ms.noOutbox[round]!))
  return {
    concurrency,
    ms: { noOutbox: median(ms.noOutbox), noWebhook: median(ms.noWebhook), oneWebhook: median(ms.oneWebhook) },
    ratio: { noWebhook: ratioTo('noWebhook'), oneWebhook: ratioTo('oneWebhook') },
  }
}

async function measureWrite({ crm, actor, task }: BenchFixture, concurrency: number): Promise<number> {
  let remaining = COUNT
  async function writeSequentially(): Promise<void> {
    while (remaining > 0) {
      remaining -= 1
      await crm.tasks.create(actor, task)
    }
  }
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: concurrency }, writeSequentially))
  return (performance.now() - startedAt) / COUNT
}

type TransactionOverrides = (tx: Transaction) => PropertyDescriptorMap

/**
 * Wraps the transactions of a storage. All variants are wrapped, so that the wrapping costs each the same.
 */
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
