import type { Collection, SharedCollection } from '../kernel/collections.ts'
import type { RecordStore } from '../kernel/record-store.ts'
import type { Records, SharedRecords } from '../schema/index.ts'
import type { Outbox } from './outbox.ts'

export type WorkspaceStores = { readonly [C in Collection]: RecordStore<Records[C]> }

export type SharedStores = { readonly [C in SharedCollection]: RecordStore<SharedRecords[C]> }

/**
 * A unit of work: the records all workspaces share, and those of each workspace. Of no use once `work` is over: every call then
 * rejects.
 */
export interface Transaction extends SharedStores {
  workspace(id: string): WorkspaceStores
  readonly outbox: Outbox
  /** Once this is committed, whoever listens to `onNotify` is called. Of no effect in a read. */
  notify(): void
  /**
   * A part that may fail alone: when it does, what `part` wrote is taken back, the promise rejects with the first failure, and the
   * transaction goes on as if the part had never been. Nothing else is called until it is over, no other `attempt` in it either.
   */
  savepoint<T>(work: () => Promise<T>): Promise<T>
}

export interface TransactOptions {
  /**
   * `relaxed` does not wait for the disk, for work that may run twice. Others see the commit, and it survives this process. A power
   * cut or a crash of the database may undo it as a whole, unless a durable commit has followed. Locks are waited for less
   * long, so that it may fail where a durable transaction would not. PostgreSQL: asynchronous commit; SQLite: `synchronous=NORMAL`.
   */
  readonly durability?: 'relaxed'
}

export interface ReadOptions {
  /**
   * `statement` drops the snapshot: each call sees what is committed when it runs. Rows and total of a list are still of one
   * snapshot when the list has no conditions and the page ends within the first `SHALLOW_PAGE_LIMIT` records.
   */
  readonly isolation?: 'statement'
  /** `report` may read every record of a workspace. The store keeps it from delaying other calls; reports may wait for each other. */
  readonly workload?: 'report'
}

/** What is promised here holds between processes that share a database too. */
export interface Storage {
  /**
   * Commits when `work` resolves, rolls back when it throws. Resolves only once the commit is durable. Not re-entrant: inside
   * `work`, await nothing but `tx`. After a deadlock or the like, which is never the caller's to hear of, `work` runs again from the start: it has
   * no other effects.
   *
   * If any write of a transaction fails outside `attempt`, `transact` rejects with the first such failure and nothing is kept,
   * whether or not `work` waited for that call or caught its error.
   */
  transact<T>(work: (tx: Transaction) => Promise<T>, options?: TransactOptions): Promise<T>
  /** Runs work that only reads, from one snapshot. A write or a lock in it throws. */
  read<T>(work: (tx: Transaction) => Promise<T>, options?: ReadOptions): Promise<T>
  /**
   * `listener` is called soon after a transaction that said `wake` is committed, by whatever process shares the database. Calls of many
   * may be one, one may come without cause, and one may be lost with a connection: so nobody waits for it alone. What a listener
   * throws is passed over. Gives what ends it.
   */
  onNotify(listener: () => void): () => void
  /** Rejects when the database does not answer or lacks a migration. */
  check(): Promise<void>
  /** Waits for what has begun, then lets go of the database; nothing begins after it. Safe to call twice. */
  close(): Promise<void>
}
