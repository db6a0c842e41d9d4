import { join } from 'node:path'
import type { Storage, Transaction, WorkspaceStores } from '@sales-crm/core/ports'
import { sqliteStorage } from '@sales-crm/sqlite'
import { median } from '../rounds.ts'
import { type BenchFixture, createFixture, subscribe } from './fixture.ts'

const NAMES = ['without', 'nobody', 'one'] as const
const COUNT = 640

/** Milliseconds of a write: without an outbox, with one that nobody is subscribed to, and with one webhook. Ratios over the first. */
export interface Writes {
  readonly atOnce: number
  readonly ms: Readonly<Record<(typeof NAMES)[number], number>>
  readonly ratio: { readonly nobody: number; readonly one: number }
}

/** What the outbox costs a new task, in this process and with nobody sending. */
export async function measureWriting(folder: string, rounds: number, atOnce: number): Promise<Writes> {
  const open = async (name: string) => sqliteStorage({ file: join(folder, `writing-${name}-${atOnce}.db`) })
  const storages = { without: await open('without'), nobody: await open('nobody'), one: await open('one') }
  const places = {
    without: await createFixture(wrapTransactions(storages.without, withoutOutbox)),
    nobody: await createFixture(wrapTransactions(storages.nobody, asItIs)),
    one: await createFixture(wrapTransactions(storages.one, asItIs)),
  }
  await subscribe(places.one, 'https://hooks.example.com/')

  for (const name of NAMES) await perWrite(places[name], atOnce)
  const ms = { without: [] as number[], nobody: [] as number[], one: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < NAMES.length; turn += 1) {
      const name = NAMES[(round + turn) % NAMES.length]!
      ms[name].push(await perWrite(places[name], atOnce))
    }
  }
  await Promise.all(NAMES.map((name) => storages[name].close()))
  const over = (name: 'nobody' | 'one') => median(ms[name].map((each, round) => each / ms.without[round]!))
  return {
    atOnce,
    ms: { without: median(ms.without), nobody: median(ms.nobody), one: median(ms.one) },
    ratio: { nobody: over('nobody'), one: over('one') },
  }
}

async function perWrite({ crm, actor, task }: BenchFixture, atOnce: number): Promise<number> {
  let left = COUNT
  async function writeInTurn(): Promise<void> {
    while (left > 0) {
      left -= 1
      await crm.tasks.create(actor, task)
    }
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: atOnce }, writeInTurn))
  return (performance.now() - began) / COUNT
}

type OfTransaction = (tx: Transaction) => PropertyDescriptorMap

/** All variants are wrapped, so that wrapping costs each the same. */
function wrapTransactions(storage: Storage, changed: OfTransaction): Storage {
  return { ...storage, transact: (work) => storage.transact((tx) => work(Object.create(tx, changed(tx)))) }
}

const asItIs: OfTransaction = (tx) => ({
  notify: { value: () => tx.notify() },
  workspace: {
    value: (id: string): WorkspaceStores =>
      Object.create(tx.workspace(id), { webhooks: { value: tx.workspace(id).webhooks } }),
  },
})

const NONE = Promise.resolve([])

const withoutOutbox: OfTransaction = (tx) => ({
  notify: { value: () => {} },
  workspace: {
    value: (id: string): WorkspaceStores =>
      Object.create(tx.workspace(id), { webhooks: { value: { find: () => NONE } } }),
  },
})
