import type { Statement } from './statement.ts'

/** A row under its columns' names, its values as the driver gives them. */
export type Row = Readonly<Record<string, unknown>>

/** One transaction's line to the database. */
export interface Connection {
  rows(statement: Statement, values: readonly unknown[]): Promise<readonly Row[]>
  /** How many rows it changed. */
  run(statement: Statement, values: readonly unknown[]): Promise<number>
  /**
   * As `run` for each of `lists`, none after one that fails, where nobody asks how many rows. A driver may send them on without
   * waiting, and fail with the commit.
   */
  write(statement: Statement, lists: readonly (readonly unknown[])[]): Promise<void>
}

/** What a driver gives the shared stores: transactions with the promises of the core's `Storage`. */
export interface Database {
  transact<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  read<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  /** Rejects when the database does not answer. */
  check(): Promise<void>
  close(): Promise<void>
}
