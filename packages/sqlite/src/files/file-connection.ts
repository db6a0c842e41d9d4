import type { Connection, Row, Statement } from '@sales-crm/sql'
import type Database from 'better-sqlite3'

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
