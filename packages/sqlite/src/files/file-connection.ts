import type { Connection, Row, Statement } from '@sales-crm/sql'
import type Database from 'better-sqlite3'

/**
 * Statements are prepared once for each connection. Everything runs at once: the promises are resolved when
 * they are given.
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
    // A full disk has ended the transaction, and what is written now would stay.
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
