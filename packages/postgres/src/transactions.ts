import type { Connection, Database, Row, Statement } from '@sales-crm/sql'
import pg from 'pg'
import { ask } from './ask.ts'

const WRITE = 'begin isolation level read committed'
const READ = 'begin isolation level repeatable read read only'
/** What a session of our own is told once must be told each transaction where a pooler hands sessions about. */
const IN_UTC = "; set local timezone to 'UTC'; set local datestyle to 'ISO'"
const TRIES = 4
/** Deadlock and serialization failure: the same work may well succeed when it is done again. */
const PASSING = new Set(['40P01', '40001'])

/**
 * Transactions over a pool whose clients pipeline: `begin` travels with the first statement, and a write that nobody asks about
 * with whatever comes next, `commit` at the latest. The first failure is the one that is thrown.
 */
export function transactionsOver(pool: pg.Pool, prepared: boolean): Pick<Database, 'transact' | 'read'> {
  async function once<T>(begin: string, work: (connection: Connection) => Promise<T>, end: (line: Line) => Promise<void>): Promise<T> {
    const client = await pool.connect()
    const line = lineOver(client, prepared)
    let broken = true
    try {
      line.send(prepared ? begin : `${begin}${IN_UTC}`)
      const result = await work(line)
      line.send('commit')
      await end(line)
      broken = false
      return result
    } catch (error) {
      broken = !(await rolledBack(client))
      throw line.failure() ?? error
    } finally {
      client.release(broken)
    }
  }

  async function again<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await once(WRITE, work, (line) => line.settled())
      } catch (error) {
        const passing = error instanceof pg.DatabaseError && PASSING.has(error.code ?? '')
        if (!passing || tries === TRIES) throw error
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * 2 ** tries))
      }
    }
  }

  // What has been read is right whatever becomes of the commit, and the next user of the client waits behind it.
  return { transact: again, read: (work) => once(READ, work, async () => {}) }
}

interface Line extends Connection {
  send(text: string): void
  /** Resolves when everything sent has been answered. @throws the first failure */
  settled(): Promise<void>
  failure(): unknown
}

function lineOver(client: pg.PoolClient, prepared: boolean): Line {
  const sent: Promise<unknown>[] = []
  let failure: unknown

  function query(text: string, values: readonly unknown[], name?: string): Promise<pg.QueryResult<Row>> {
    const answer = ask<Row>(client, text, values, name)
    answer.catch((error: unknown) => {
      failure ??= error
    })
    return answer
  }

  function asked({ name, sql }: Statement, values: readonly unknown[]): Promise<pg.QueryResult<Row>> {
    return query(sql, values, prepared ? name : undefined)
  }

  return {
    rows: async (statement, values) => (await asked(statement, values)).rows,
    run: async (statement, values) => (await asked(statement, values)).rowCount ?? 0,
    async write(statement, lists) {
      for (const values of lists) sent.push(asked(statement, values))
    },
    send(text) {
      sent.push(query(text, []))
    },
    async settled() {
      await Promise.allSettled(sent)
      if (failure !== undefined) throw failure
    },
    failure: () => failure,
  }
}

/** A `commit` after a failure has rolled back already, and a second rollback does no harm. */
async function rolledBack(client: pg.PoolClient): Promise<boolean> {
  try {
    await client.query('rollback')
    return true
  } catch {
    return false
  }
}
