import type { Statement } from './statement.ts'

/** A row under its columns' names, its values as the driver gives them. */
export type Row = Readonly<Record<string, unknown>>

/** A statement with its values. */
export interface Asked {
  readonly statement: Statement
  readonly values: readonly unknown[]
}

/** One transaction's line to the database. */
export interface Connection {
  /** What it reads, or what it changed and gives back. */
  rows(statement: Statement, values: readonly unknown[]): Promise<readonly Row[]>
  /** How many rows it changed. */
  run(statement: Statement, values: readonly unknown[]): Promise<number>
  /**
   * As `run` for each of `lists`, none after one that fails, where nobody asks how many rows. A driver may send them on without
   * waiting, and fail with the commit.
   */
  write(statement: Statement, lists: readonly (readonly unknown[])[]): Promise<void>
  /**
   * Reads what `reading` asks for by its keys, and relies on it: `guard` of its row is sent before all that is written, and fails where the row was changed.
   * `undefined` where the transaction holds what it reads. Left out where all do.
   */
  rely?(reading: Asked, guard: (row: Row) => Asked): Promise<readonly Row[] | undefined>
  /**
   * Runs `part`, which is not begun within another, and settles when everything it sent has been answered. When it throws, or
   * anything it sent has failed, all it did is taken back, and the first failure is thrown. A failure that no transaction survives
   * is that of the whole transaction too.
   */
  attempt<T>(part: () => Promise<T>): Promise<T>
}

/** The processes that share a database with this one. */
export interface Others {
  /** Has those of them that listen called, soon. Does not throw, and is not waited for. */
  wake(): void
  /**
   * `listener` is called when one of them wakes the others, and when that may have been missed. Asked once, and until the database is
   * closed.
   */
  onWake(listener: () => void): void
}

/** What a driver gives the shared stores: transactions with the promises of the core's `Storage`. */
export interface Database {
  transact<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  transactUnsynced<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  read<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  glance<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  survey<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  /** Left out where no other process is told. */
  readonly others?: Others
  /** Rejects when the database does not answer. */
  check(): Promise<void>
  close(): Promise<void>
}
