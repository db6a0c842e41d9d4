import type { Connection, Row, Statement } from '@sales-crm/sql'
import type Database from 'better-sqlite3'
import { SnapshotVersions } from './snapshot-versions.ts'

/** A connection, its prepared statements, and the statements that begin and end its transactions. */
export interface FileConnection {
  readonly db: Database.Database
  readonly connection: Omit<Connection, 'savepoint'>
  /** For a connection that does not write: `Connection.readVersions`. */
  readonly readVersions: NonNullable<Connection['readVersions']>
  readonly execute: (text: TransactionStep) => void
  /** Sets whether commits wait for the disk; initially they do. Must not be called in a transaction. */
  readonly setSynchronous: (isFull: boolean) => void
}

type TransactionStep =
  | 'begin'
  | 'begin immediate'
  | 'commit'
  | 'rollback'
  | `${'savepoint' | 'release' | 'rollback to'} ${'job' | 'part'}`

export function createFileConnection(db: Database.Database): FileConnection {
  const statements = new Map<string, Database.Statement>()
  const versions = new SnapshotVersions(db)
  let isSynchronousFull = true
  return {
    db,
    connection: createConnection(db),
    readVersions: () => versions.read(),
    execute(text) {
      let statement = statements.get(text)
      if (!statement) {
        statement = db.prepare(text)
        statements.set(text, statement)
      }
      statement.run()
    },
    setSynchronous(isFull) {
      if (isFull === isSynchronousFull) return
      // If the pragma fails, commits may wait needlessly, but none skips a required wait.
      isSynchronousFull = false
      db.pragma(`synchronous = ${isFull ? 'FULL' : 'NORMAL'}`)
      isSynchronousFull = isFull
    },
  }
}

/**
 * Prepares each statement once per connection. Statements run synchronously, so the returned promises are
 * already resolved.
 */
export function createConnection(db: Database.Database): Omit<Connection, 'savepoint'> {
  const statements = new Map<Statement, Database.Statement>()

  function prepare(statement: Statement): Database.Statement {
    let preparedStatement = statements.get(statement)
    if (!preparedStatement) {
      preparedStatement = db.prepare(statement.sql)
      statements.set(statement, preparedStatement)
    }
    return preparedStatement
  }

  function assertWithinTransaction(preparedStatement: Database.Statement): Database.Statement {
    // A full disk rolls the transaction back; a later write would be committed by itself.
    if (!preparedStatement.readonly && !db.inTransaction) throw new Error('The transaction has failed.')
    return preparedStatement
  }

  function execute(statement: Statement, values: readonly unknown[]): number {
    return assertWithinTransaction(prepare(statement)).run(...values).changes
  }

  return {
    async query(statement, values) {
      return assertWithinTransaction(prepare(statement)).all(...values) as Row[]
    },
    async execute(statement, values) {
      return execute(statement, values)
    },
    async executeMany(statement, valueLists) {
      for (const values of valueLists) execute(statement, values)
    },
  }
}
