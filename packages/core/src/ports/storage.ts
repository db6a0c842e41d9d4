import type { Actor } from '../kernel/actor.ts'
import type { RecordStore } from '../kernel/record-store.ts'
import type { WorkspaceSize } from '../kernel/workspace-size.ts'
import type { Collection, Records, SharedCollection, SharedRecords } from '../schema/index.ts'
import type { AccessGate } from './access-gate.ts'
import type { Outbox } from './outbox.ts'

/** The stores of one workspace, by collection. Obtained from `Transaction.workspace`. */
export type WorkspaceStores = { readonly [C in Collection]: RecordStore<Records[C]> }

/** The stores of the collections that all workspaces share. */
export type SharedStores = { readonly [C in SharedCollection]: RecordStore<SharedRecords[C]> }

/**
 * A unit of work on the shared collections and on those of each workspace. Calls after the end of `work`
 * reject.
 */
export interface Transaction extends SharedStores {
  /** Returns the stores of a workspace. An unknown id has empty ones. */
  workspace(id: string): WorkspaceStores
  /** The deliveries of all workspaces. */
  readonly outbox: Outbox
  /** What the workspace's quota bounds. Zero for an unknown workspace. */
  measureWorkspace(id: string): Promise<WorkspaceSize>
  /**
   * Waits until no other transaction holds the key, and holds it until the end of this one. Reads after it see what the
   * holders before it have committed. Several keys are locked in one order, or transactions wait for each other. A read
   * rejects.
   */
  lock(key: string): Promise<void>
  /** Calls the listeners of `onNotify` once this transaction has committed. No effect in a read. */
  notify(): void
  /**
   * Runs a part that fails alone: its writes are rolled back, the promise rejects with the first failure, and
   * the transaction continues as before it. A savepoint may have others within it, one level deep, and no other call
   * may run until it settles.
   */
  savepoint<T>(work: () => Promise<T>): Promise<T>
}

/** Options of `Storage.transact`. The default is a durable transaction. */
export interface TransactOptions {
  /**
   * `relaxed` does not wait for the disk, for work that may run twice. Others see the commit, and it survives
   * this process. A power cut or a crash of the database may undo it as a whole, unless a durable commit has
   * followed. Lock timeouts are shorter, so it may fail where a durable transaction would not. PostgreSQL:
   * asynchronous commit; SQLite: `synchronous=NORMAL`.
   */
  readonly durability?: 'relaxed'
}

/** Options of `Storage.read`. The default is one snapshot for all calls. */
export interface ReadOptions {
  /**
   * `statement` drops the snapshot: each call sees what is committed when it runs. Rows and total of a list
   * are still of one snapshot if the list has no conditions and the page ends within the first
   * `SHALLOW_PAGE_LIMIT` records.
   */
  readonly isolation?: 'statement'
  /**
   * `report` may read every record of a workspace. A store keeps long reads from delaying other calls, these and
   * those it recognizes itself; long reads may wait for each other.
   */
  readonly workload?: 'report'
  /**
   * Who reads: long reads of different workspaces take turns. Once the signal is aborted, a long read is not begun, or
   * ends before its next statement, and `read` rejects. A member of an app sees at least what it has written itself.
   */
  readonly caller?: Pick<Actor, 'workspaceId' | 'signal'> & Partial<Pick<Actor, 'clientId' | 'userId'>>
}

/** These guarantees also hold between processes that share a database. */
export interface Storage {
  /**
   * Commits when `work` resolves and rolls back when it throws. Resolves once the commit is durable. After a
   * deadlock or a serialization failure `work` is retried from the start, so it must have no other effects.
   * Within `work` another `transact` or `read` rejects: inside it await only `tx`.
   *
   * A write that fails outside a savepoint fails the transaction: `transact` rejects with the first such
   * failure, whether or not `work` awaited the write or caught its error.
   */
  transact<T>(work: (tx: Transaction) => Promise<T>, options?: TransactOptions): Promise<T>
  /** Runs work that only reads, from one snapshot. A write or a lock in it throws. */
  read<T>(work: (tx: Transaction) => Promise<T>, options?: ReadOptions): Promise<T>
  /**
   * Calls `listener` soon after a transaction that called `notify` commits, in any process on the same
   * database. Calls may be merged, spurious, or lost with a connection: use it to react early, never as the
   * only trigger. Errors of a listener are ignored.
   * @returns a function that removes the listener
   */
  onNotify(listener: () => void): () => void
  /** Rejects if the database does not respond or lacks a migration. */
  check(): Promise<void>
  /** Authorizes by grants and rate limit windows that all processes on the database share. Default: those of this process. */
  readonly gate?: AccessGate
  /** Number of long calls of one workspace that gain from running at once. Default: 4. */
  readonly concurrency?: number
  /** The version of the tables, which archives of workspaces have. Default: 0, for a store without tables. */
  readonly schemaVersion?: number
  /** Waits for running work and closes the database. Nothing starts after it. Safe to call twice. */
  close(): Promise<void>
}
