import type { Connection, Database, Row, Statement } from '@sales-crm/sql'
import pg from 'pg'
import { ask } from './ask.ts'
import type { OwnLine } from './own-line.ts'
import { TIMEOUTS } from './pool.ts'

const WRITE = 'begin isolation level read committed'
/** What may be done again waits for others no longer than it takes to do it again: they may hold what they have for as long as they like. */
const LOCK_TIMEOUT_UNSYNCED = 500
const UNSYNCED = `; set local synchronous_commit to off; set local lock_timeout to ${LOCK_TIMEOUT_UNSYNCED}`
const READ = 'begin isolation level repeatable read read only'
/** What a session of our own is told once must be told each transaction where a pooler hands sessions about. */
const TOLD_EACH = [
  ...["timezone to 'UTC'", "datestyle to 'ISO'", `statement_timeout to ${TIMEOUTS.statement_timeout}`],
  ...[`lock_timeout to ${TIMEOUTS.lock_timeout}`, `idle_in_transaction_session_timeout to ${TIMEOUTS.idle_in_transaction_session_timeout}`],
]
  .map((setting) => `; set local ${setting}`)
  .join('')
const TRIES = 4
/** Deadlock and serialization failure: the same work may well succeed when it is done again. */
const PASSING = ['40P01', '40001']
/** With that, what is held by others for longer than it is waited for. */
const PASSING_UNSYNCED = [...PASSING, '55P03']
/** Rolled back by the database, out of resources, shut down, a system error, an internal error. */
const ENDING = /^(40|53|57P|58|XX)/
/** How a session plans what it has prepared: it begins with `once`. */
const PLANNING = {
  once: 'set local plan_cache_mode = force_generic_plan',
  anew: 'set local plan_cache_mode = force_custom_plan',
}

/** A transaction on a connection of the pool's, which has it back after one of the three. */
export interface Begun {
  readonly connection: Connection
  /** @throws the first failure there was */
  commit(): Promise<void>
  /** Commits what only read: nobody waits for that. @throws the first failure there was */
  leave(): void
  /** Takes everything back. @returns the first failure there was, `error` if none went before it */
  takeBack(error: unknown): Promise<unknown>
}

/**
 * Transactions over a pool whose clients pipeline: `begin` travels with the first statement, and a write that nobody asks about
 * with whatever comes next, `commit` at the latest. The first failure is the one that is thrown.
 */
export function transactionsOver(pool: pg.Pool, prepared: boolean) {
  async function beginAs(how: string): Promise<Begun> {
    const client = await pool.connect()
    const line = lineOver(client, { name: prepared, plan: prepared })
    line.send(how)
    return {
      connection: line,
      async commit() {
        line.mustBeSound()
        line.send('commit')
        await line.settled()
        client.release()
      },
      leave() {
        line.mustBeSound()
        line.send('commit')
        client.release()
      },
      async takeBack(error) {
        client.release(!(await rolledBack(client)))
        return line.failure() ?? error
      },
    }
  }

  async function within<T>(begun: Begun, work: Work<T>, end: (begun: Begun) => Promise<void>): Promise<T> {
    try {
      const result = await work(begun.connection)
      await end(begun)
      return result
    } catch (error) {
      throw await begun.takeBack(error)
    }
  }

  const told = prepared ? '' : TOLD_EACH
  const begin = () => beginAs(`${WRITE}${told}`)
  const once = async <T>(work: Work<T>) => within(await begin(), work, (begun) => begun.commit())

  return {
    begin,
    once,
    transact: <T>(work: Work<T>) => again(() => once(work)),
    transactUnsynced: <T>(work: Work<T>) =>
      again(async () => within(await beginAs(`${WRITE}${told}${UNSYNCED}`), work, (begun) => begun.commit()), PASSING_UNSYNCED),
    // What has been read is right whatever becomes of the commit, and the next user of the client waits behind it.
    read: <T>(work: Work<T>) => again(async () => within(await beginAs(`${READ}${told}`), work, async (begun) => begun.leave())),
  }
}

/** No transactions at all: each statement is one by itself, so that those of many callers go over one connection of prepared statements. */
export function glancesOver(own: OwnLine): Database['glance'] {
  return async (work) => {
    const look = await lookOver(own)
    try {
      const result = await work(look)
      look.mustBeSound()
      return result
    } catch (error) {
      throw look.failure() ?? error
    }
  }
}

export async function lookOver(own: OwnLine): Promise<Line> {
  return lineOver(await own.client(), { name: true, plan: false })
}

/** Runs what a deadlock or a like failure ended once more, a few times. */
export async function again<T>(run: (tries: number) => Promise<T>, passing: readonly string[] = PASSING): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run(tries)
    } catch (error) {
      const isPassing = error instanceof pg.DatabaseError && passing.includes(error.code ?? '')
      if (!isPassing || tries === TRIES) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * 2 ** tries))
    }
  }
}

export interface Line extends Connection {
  send(text: string): void
  /** Resolves when everything sent has been answered. @throws the first failure */
  settled(): Promise<void>
  /** @throws the first failure of which there is word */
  mustBeSound(): void
  failure(): unknown
}

type Work<T> = (connection: Connection) => Promise<T>

/** What was sent in a transaction, or in a part of it that may fail alone. */
interface Stretch {
  readonly sent: Promise<unknown>[]
  failure?: unknown
}

interface Ways {
  /** Whether the session keeps what it has prepared. */
  readonly name: boolean
  /** Whether it is told how to plan, which lasts as long as a transaction. */
  readonly plan: boolean
}

function lineOver(client: pg.ClientBase, ways: Ways): Line {
  const whole: Stretch = { sent: [] }
  let present = whole
  let planning: Statement['planned'] = 'once'

  function query(text: string, values: readonly unknown[], name?: string, isTotalled?: boolean): Promise<pg.QueryResult<Row>> {
    const answer = ask<Row>(client, text, values, name, isTotalled)
    const stretch = present
    stretch.sent.push(answer)
    answer.catch((error: unknown) => {
      stretch.failure ??= error
    })
    return answer
  }

  function asked({ name, sql, planned, isTotalled }: Statement, values: readonly unknown[]): Promise<pg.QueryResult<Row>> {
    if (!ways.name) return query(sql, values, undefined, isTotalled)
    if (ways.plan && planned !== planning) send(PLANNING[planned])
    planning = planned
    return query(sql, values, name, isTotalled)
  }

  function send(text: string): void {
    void query(text, [])
  }

  async function settled(stretch: Stretch): Promise<void> {
    await Promise.allSettled(stretch.sent)
    if (stretch.failure !== undefined) throw stretch.failure
  }

  async function attempt<T>(part: () => Promise<T>): Promise<T> {
    const stretch: Stretch = { sent: [] }
    const before = planning
    // Sent for the whole: it fails only after what went before it.
    send('savepoint part')
    present = stretch
    try {
      const result = await part()
      send('release savepoint part')
      await settled(stretch)
      return result
    } catch (error) {
      await Promise.allSettled([...whole.sent, ...stretch.sent])
      const failure = stretch.failure ?? error
      if (endsAll(stretch.failure)) whole.failure ??= failure
      if (whole.failure !== undefined) throw whole.failure
      present = whole
      planning = before
      send('rollback to savepoint part')
      send('release savepoint part')
      throw failure
    } finally {
      present = whole
    }
  }

  return {
    rows: async (statement, values) => (await asked(statement, values)).rows,
    run: async (statement, values) => (await asked(statement, values)).rowCount ?? 0,
    async write(statement, lists) {
      for (const values of lists) void asked(statement, values)
    },
    attempt,
    send,
    settled: () => settled(whole),
    mustBeSound() {
      if (whole.failure !== undefined) throw whole.failure
    },
    failure: () => whole.failure,
  }
}

/** A failure after which no part of the transaction may stay, the database's own or that of the way to it. */
function endsAll(failure: unknown): boolean {
  if (failure === undefined) return false
  return !(failure instanceof pg.DatabaseError) || ENDING.test(failure.code ?? '')
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
