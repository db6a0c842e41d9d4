import { setImmediate } from 'node:timers/promises'
import { memoryStorage } from '@sales-crm/core/memory'
import type { Storage } from '@sales-crm/core/ports'
import type { Breakage } from './breakage.ts'
import { commitEachCall, commitOnError, loseUnawaitedWrites, shareFailures } from './broken-transactions.ts'
import { deferredStorage } from './deferred-storage.ts'
import { runAndRollBack } from './deferred-unit.ts'

const CLOSE = 'check and close: close waits for running work, can be called twice, and rejects later work'
const VISIBLE =
  'relaxed durability: resolves with the value of the work once its writes are visible to later calls'

export const RELAXED_DURABILITY_BREAKAGES: readonly Breakage<Storage>[] = [
  {
    guarantee: 'A relaxed transaction is visible at once',
    breakage: 'a relaxed transaction commits after it resolves',
    noticedBy: VISIBLE,
    open: () => alterRelaxed(resolveBeforeCommit),
  },
  {
    guarantee: 'A relaxed transaction returns the value of its work',
    breakage: 'a relaxed transaction returns nothing',
    noticedBy: VISIBLE,
    open: () =>
      alterRelaxed((memory) => ({
        transact: (work) => memory.transact(work).then(() => undefined as never),
      })),
  },
  {
    guarantee: 'A relaxed transaction is atomic',
    breakage: 'every call of a relaxed transaction commits by itself',
    noticedBy: 'relaxed durability: hides uncommitted writes from other transactions',
    open: () => alterRelaxed(commitEachCall),
  },
  {
    guarantee: 'A relaxed transaction rolls back when it throws',
    breakage: 'writes before the error are kept',
    noticedBy: 'relaxed durability: rolls back when the work throws, and rejects with its error unchanged',
    open: () => alterRelaxed(commitOnError),
  },
  {
    guarantee: 'A relaxed write need not be awaited',
    breakage: 'writes in flight when the work ends are lost',
    noticedBy: 'relaxed durability: rolls back and rejects when a write fails that the work does not await',
    open: () => alterRelaxed(loseUnawaitedWrites),
  },
  {
    guarantee: 'A relaxed transaction supports savepoints',
    breakage: 'savepoint in a relaxed transaction throws',
    noticedBy: 'relaxed durability: rolls back a failed savepoint alone',
    open: () => {
      const savepoint = () => Promise.reject(new Error('There are no savepoints.'))
      return alterRelaxed((memory) => ({
        transact: (work) => memory.transact((tx) => work({ ...tx, savepoint })),
      }))
    },
  },
  {
    guarantee: 'Transactions in a shared commit fail alone',
    breakage: 'transactions that share a commit share its failure',
    noticedBy:
      'relaxed durability: rolls back only those that throw among twenty transactions of both durabilities',
    open: () => shareFailures(),
  },
  {
    guarantee: 'A relaxed transaction locks',
    breakage: 'getForUpdate in a relaxed transaction only reads',
    noticedBy:
      'relaxed durability: counts twenty concurrent increments with getForUpdate, every other one relaxed',
    open: () => deferredStorage({ relaxed: 'unlocked' }),
  },
  {
    guarantee: 'A relaxed transaction is retried after a deadlock',
    breakage: 'a relaxed transaction rejects with the deadlock',
    noticedBy:
      'relaxed durability: commits two transactions that lock records in opposite order, one of them relaxed',
    open: () => deferredStorage({ relaxed: 'reportsDeadlock' }),
  },
  {
    guarantee: 'A relaxed transaction notifies',
    breakage: 'a relaxed transaction calls no listener',
    noticedBy: 'relaxed durability: calls listeners after a commit that notifies',
    open: () =>
      alterRelaxed((memory) => ({
        transact: (work) => memory.transact((tx) => work({ ...tx, notify: () => undefined })),
      })),
  },
  {
    guarantee: 'A relaxed transaction rejects calls after its work has ended',
    breakage: 'every call of a relaxed transaction commits by itself',
    noticedBy: 'transactions: every write rejects after the work has ended',
    open: () => alterRelaxed(commitEachCall),
  },
  {
    guarantee: 'close waits for relaxed transactions',
    breakage: 'close does not wait for relaxed transactions',
    noticedBy: CLOSE,
    open: () =>
      alterRelaxed((memory) => ({
        transact: (work) => memory.transact(work).then((result) => setImmediate(result)),
      })),
  },
  {
    guarantee: 'No relaxed transaction begins after close',
    breakage: 'a relaxed transaction begins after close',
    noticedBy: CLOSE,
    open: () => alterRelaxed(() => memoryStorage()),
  },
]

/** A correct store except for its relaxed transactions. */
function alterRelaxed(relaxed: (memory: Storage) => Pick<Storage, 'transact'>): Storage {
  const memory = memoryStorage()
  const relaxedStorage = relaxed(memory)
  return {
    ...memory,
    transact: (work, options) => (options?.durability === 'relaxed' ? relaxedStorage : memory).transact(work),
  }
}

function resolveBeforeCommit(memory: Storage): Pick<Storage, 'transact'> {
  return {
    async transact(work) {
      const result = await runAndRollBack(memory, [], work)
      void setImmediate().then(() => memory.transact(work))
      return result
    },
  }
}
