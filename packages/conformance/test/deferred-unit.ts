import type { Storage, Transaction } from '@sales-crm/core/ports'
import type { LockMode } from './lock-table.ts'

export interface Weakness {
  readonly getForUpdate?: 'free'
  readonly optimisticLock?: 'free'
  readonly getForShare?: 'free' | 'alone'
  readonly softDelete?: 'free'
  /** Values that must not be shared are held by nobody until the commit. */
  readonly values?: 'free'
  /** `read` sees a moment for each of its calls. */
  readonly read?: 'moments'
  /** A transaction does not see its own writes. */
  readonly sight?: 'none'
  /** Whether a part waits for the commit to be judged, takes back all there is, or lets go of what is held. */
  readonly attempt?: 'unjudged' | 'all' | 'free'
  /** Whether a claim takes what others have taken, or waits for them. */
  readonly claim?: 'free' | 'waits'
  /** Two that forget at once count the same. */
  readonly forget?: 'free'
  /** What need not be synced holds nothing, or hears of deadlocks. */
  readonly relaxed?: 'free' | 'deadlock'
  /** A deadlock is an error like any other to the work. */
  readonly deadlock?: 'heard'
}

type Write = (tx: Transaction) => Promise<unknown>
export type Reserve = (keys: readonly string[], mode: LockMode | 'free') => Promise<void>

/** A transaction that runs. */
export interface DeferredUnit {
  readonly writes: Write[]
  /** What its calls wait for, whoever waits for them. */
  readonly locks: Promise<void>[]
  isNotified: boolean
  isOver: boolean
}

/** What `look` finds after the writes, which are then taken back. */
export async function runAndRollBack<T>(
  inner: Storage,
  writes: readonly Write[],
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const results: T[] = []
  const rollback = new Error('taken back')
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
