import type { ReadOptions, TransactOptions } from '@sales-crm/core/ports'
import type { EntryBudget } from './entry-budget.ts'
import type { Statement } from './statements/statement.ts'

/** A row by column name, with the driver's values. */
export type Row = Readonly<Record<string, unknown>>

/** A statement with its values. */
export interface BoundStatement {
  readonly statement: Statement
  readonly values: readonly unknown[]
}

/** The connection of one transaction. */
export interface Connection {
  /** Runs a statement and returns its rows, including those of `returning`. */
  query(statement: Statement, values: readonly unknown[]): Promise<readonly Row[]>
  /** Runs a statement and returns the number of changed rows. */
  execute(statement: Statement, values: readonly unknown[]): Promise<number>
  /**
   * Runs the statement once per entry of `valueLists` and stops at the first failure. A driver may pipeline them
   * and report a failure at the commit.
   */
  executeMany(statement: Statement, valueLists: readonly (readonly unknown[])[]): Promise<void>
  /**
   * Reads a row by its key without a lock: the statement of `versionCheck` runs before all writes and fails if
   * the row has changed since. `undefined` if it is too late for that, and the caller must lock the row. Absent
   * for drivers whose transactions always lock.
   */
  lockOptimistically?(
    lookup: BoundStatement,
    versionCheck: (row: Row) => BoundStatement,
  ): Promise<readonly Row[] | undefined>
  /**
   * Runs `work` in a savepoint, which may be within another one. Settles after all statements of `work` have finished. If
   * `work` or one of its statements fails, the savepoint is rolled back and the first failure is thrown. A
   * failure that ends the transaction fails the whole transaction.
   */
  savepoint<T>(work: () => Promise<T>): Promise<T>
  /**
   * The settings versions that reads of the present snapshot have found, by scope. Empty once anything was committed since.
   * Absent where finding that out costs as much as reading them.
   */
  readVersions?(): Map<string, ReadonlyMap<string, string>>
  /** Absent if statements may take any time. The dialect must have planner hints. */
  readonly entryBudget?: EntryBudget
}

/** Notifications between the processes that share a database. */
export interface Notifier {
  /** Notifies the listening processes soon. Does not throw, and is not awaited. */
  notify(): void
  /**
   * Calls `listener` on a notification of another process, and when one may have been missed. Called at most
   * once; it listens until the database is closed.
   */
  onNotify(listener: () => void): void
}

/** Transactions with the guarantees of the core's `Storage`, for the shared stores. */
export interface DatabaseDriver {
  transact<T>(work: (connection: Connection) => Promise<T>, options?: TransactOptions): Promise<T>
  read<T>(work: (connection: Connection) => Promise<T>, options?: ReadOptions): Promise<T>
  /** Absent if no other process needs a notification. */
  readonly notifier?: Notifier
  /** Rejects if the database does not answer. */
  check(): Promise<void>
  close(): Promise<void>
}
