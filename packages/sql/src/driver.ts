import type { ReadOptions, TransactOptions } from '@sales-crm/core/ports'
import type { Statement } from './statements/statement.ts'

/** A row under its columns' names, its values as the driver gives them. */
export type Row = Readonly<Record<string, unknown>>

/** A statement with its values. */
export interface BoundStatement {
  readonly statement: Statement
  readonly values: readonly unknown[]
}

/** One transaction's line to the database. */
export interface Connection {
  /** What it reads, or what it changed and gives back. */
  query(statement: Statement, values: readonly unknown[]): Promise<readonly Row[]>
  /** How many rows it changed. */
  execute(statement: Statement, values: readonly unknown[]): Promise<number>
  /**
   * As `run` for each of `lists`, none after one that fails, where nobody asks how many rows. A driver may
   * send them on without waiting, and fail with the commit.
   */
  executeMany(statement: Statement, valueLists: readonly (readonly unknown[])[]): Promise<void>
  /**
   * Reads what `reading` asks for by its keys, and relies on it: `guard` of its row is sent before all that
   * is written, and fails where the row was changed. `undefined` where the transaction holds what it reads.
   * Left out where all do.
   */
  lockOptimistically?(
    lookup: BoundStatement,
    versionCheck: (row: Row) => BoundStatement,
  ): Promise<readonly Row[] | undefined>
  /**
   * Runs `part`, which is not begun within another, and settles when everything it sent has been answered.
   * When it throws, or anything it sent has failed, all it did is taken back, and the first failure is
   * thrown. A failure that no transaction survives is that of the whole transaction too.
   */
  savepoint<T>(work: () => Promise<T>): Promise<T>
}

/** The processes that share a database with this one. */
export interface Notifier {
  /** Has those of them that listen called, soon. Does not throw, and is not waited for. */
  notify(): void
  /**
   * `listener` is called when one of them wakes the others, and when that may have been missed. Asked once,
   * and until the database is closed.
   */
  onNotify(listener: () => void): void
}

/** What a driver gives the shared stores: transactions with the promises of the core's `Storage`. */
export interface DatabaseDriver {
  transact<T>(work: (connection: Connection) => Promise<T>, options?: TransactOptions): Promise<T>
  read<T>(work: (connection: Connection) => Promise<T>, options?: ReadOptions): Promise<T>
  /** Left out where no other process is told. */
  readonly notifier?: Notifier
  /** Rejects when the database does not answer. */
  check(): Promise<void>
  close(): Promise<void>
}
