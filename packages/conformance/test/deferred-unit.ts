import type { Storage, Transaction } from '@sales-crm/core/ports'
import type { LockMode } from './lock-table.ts'

/** The ways in which a deferred store can break the port. An omitted key is correct. */
export interface Weakness {
  /** getForUpdate takes no lock. */
  readonly getForUpdate?: 'unlocked'
  /** getForUpdate with an optimistic lock takes no lock. */
  readonly optimisticLock?: 'unlocked'
  /** `lock` does not wait. */
  readonly lock?: 'unlocked'
  /** getForShare takes no lock, or an exclusive one. */
  readonly getForShare?: 'unlocked' | 'exclusive'
  /** softDelete takes no lock. */
  readonly softDelete?: 'unlocked'
  /** Unique values are not locked before the commit. */
  readonly uniqueValues?: 'unlocked'
  /** Each call of a read sees its own snapshot. */
  readonly read?: 'perCall'
  /** A transaction does not see its own writes. */
  readonly ownWrites?: 'invisible'
  /** A savepoint checks conflicts only at commit, rolls back the whole transaction, or releases its locks. */
  readonly savepoint?: 'unchecked' | 'rollsBackAll' | 'releasesLocks'
  /** Concurrent claims take the same deliveries, or wait for each other. */
  readonly claim?: 'unlocked' | 'serial'
  /** Concurrent calls of deleteFinished count the same rows. */
  readonly deleteFinished?: 'unlocked'
  /** A relaxed transaction takes no locks, or rejects with a deadlock instead of being retried. */
  readonly relaxed?: 'unlocked' | 'reportsDeadlock'
  /** The work can catch a deadlock like any other error. */
  readonly deadlock?: 'catchable'
}

type Write = (tx: Transaction) => Promise<unknown>
export type Reserve = (keys: readonly string[], mode: LockMode | 'unlocked') => Promise<void>

/** The state of a running transaction. */
export interface DeferredUnit {
  readonly writes: Write[]
  /** Locks that calls wait for, awaited by the work or not. */
  readonly locks: Promise<void>[]
  isNotified: boolean
  isOver: boolean
}

/** Runs the writes and `work` in a transaction of `inner`, then rolls it back. */
export async function runAndRollBack<T>(
  inner: Storage,
  writes: readonly Write[],
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const results: T[] = []
  const rollback = new Error('rolled back')
  const run = inner.transact(async (tx) => {
    await replayWrites(tx, writes)
    results.push(await work(tx))
    throw rollback
  })
  await run.catch((error) => {
    if (error !== rollback) throw error
  })
  return results[0] as T
}

export async function replayWrites(tx: Transaction, writes: readonly Write[]): Promise<void> {
  for (const write of writes) await write(tx)
}
