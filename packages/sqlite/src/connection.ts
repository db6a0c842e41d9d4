import type { Connection, Row, Statement } from '@sales-crm/sql'
import type Database from 'better-sqlite3'

/** Statements are prepared once for each connection. Everything runs at once: the promises are resolved when they are given. */
export function connectionTo(file: Database.Database): Omit<Connection, 'attempt'> {
  const prepared = new Map<Statement, Database.Statement>()

  function prepare(statement: Statement): Database.Statement {
    let found = prepared.get(statement)
    if (!found) {
      found = file.prepare(statement.sql)
      prepared.set(statement, found)
    }
    return found
  }

  function mayChange(found: Database.Statement): Database.Statement {
    // A full disk has ended the transaction, and what is written now would stay.
    if (!found.readonly && !file.inTransaction) throw new Error('The transaction has failed.')
    return found
  }

  function change(statement: Statement, values: readonly unknown[]): number {
    return mayChange(prepare(statement)).run(...values).changes
  }

  return {
    async rows(statement, values) {
      return mayChange(prepare(statement)).all(...values) as Row[]
    },
    async run(statement, values) {
      return change(statement, values)
    },
    async write(statement, lists) {
      for (const values of lists) change(statement, values)
    },
  }
}
