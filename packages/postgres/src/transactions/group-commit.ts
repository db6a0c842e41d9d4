import type { BoundStatement, Statement } from '@sales-crm/sql'
import pg from 'pg'
import { TIMEOUTS } from '../wire/pool.ts'
import { query } from '../wire/query.ts'
import type { SharedConnection } from '../wire/shared-connection.ts'
import { lockTimeoutError } from './keyed-mutex.ts'

/** How many units of work share a commit at most, so that none waits long for its answer. */
const MAX_GROUP = 64
/** A unit of more statements than this has a transaction of its own, so that no other waits for it. */
const MAX_STATEMENTS = 32
/** Milliseconds. What somebody holds for longer is waited for by the one who wants it, and by no other. */
const LOCK_TIMEOUT = 50
const BEGIN = 'begin isolation level read committed'

/** All that one unit of work writes, in order. */
export type Writes = readonly BoundStatement[]

interface Job {
  readonly writes: Writes
  /** By `performance.now()`. */
  readonly queuedAt: number
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** What the connection of a group commit is told once. */
export const prepareGroupConnection = (client: pg.Client): Promise<unknown> =>
  client.query(`set lock_timeout to ${LOCK_TIMEOUT}`)

/**
 * Writes what units of work have gathered, those of one moment in one transaction, and answers each once that
 * is committed. Where any of them fails, each is written alone, and fails alone. A lone unit waits for
 * nobody. One that has waited for its group longer than it would for a lock is not sent.
 * @param commitAlone writes one unit in a transaction of its own
 */
export function createGroupCommit(
  connection: SharedConnection,
  commitAlone: (writes: Writes) => Promise<void>,
): (writes: Writes) => Promise<void> {
  let queue: Job[] = []
  let isCommitting = false

  async function drainQueue(): Promise<void> {
    for (let group = nextGroup(); group.length > 0; group = nextGroup()) await commitGroup(group)
    isCommitting = false
  }

  function nextGroup(): readonly Job[] {
    const deadline = performance.now() - TIMEOUTS.lock_timeout
    const expiredJobs = queue.filter(({ queuedAt }) => queuedAt < deadline)
    const group = queue.slice(expiredJobs.length, expiredJobs.length + MAX_GROUP)
    queue = queue.slice(expiredJobs.length + MAX_GROUP)
    for (const { reject } of expiredJobs) reject(lockTimeoutError())
    return group
  }

  async function commitGroup(group: readonly Job[]): Promise<void> {
    try {
      // Where no connection is to be had nothing was sent yet.
      const client = await connection.client().catch(() => {
        throw new GroupRejection()
      })
      await commit(client, mergeWrites(group.map(({ writes }) => writes)))
    } catch (error) {
      // Nothing of a group is there after one of its statements was refused. Of a connection that was lost
      // nobody knows.
      if (!(error instanceof GroupRejection)) {
        for (const { reject } of group) reject(error)
        return
      }
      for (const { writes, resolve, reject } of group) commitAlone(writes).then(resolve, reject)
      return
    }
    for (const { resolve } of group) resolve()
  }

  return (writes) => {
    if (writes.length > MAX_STATEMENTS) return commitAlone(writes)
    return new Promise((resolve, reject) => {
      queue.push({ writes, queuedAt: performance.now(), resolve, reject })
      if (isCommitting) return
      isCommitting = true
      setImmediate(() => void drainQueue())
    })
  }
}

class GroupRejection extends Error {}

/** @throws Refused where the database has taken nothing of it */
async function commit(client: pg.ClientBase, writes: Writes): Promise<void> {
  const beginning = query(client, BEGIN, [])
  const results = writes.map(({ statement, values }) => query(client, statement.sql, values, statement.name))
  const committing = query(client, 'commit', [])
  const outcomes = await Promise.allSettled([beginning, ...results, committing])
  const failure = outcomes.find((outcome) => outcome.status === 'rejected')
  if (!failure) return
  if (failure !== outcomes.at(-1) && failure.reason instanceof pg.DatabaseError) throw new GroupRejection()
  throw failure.reason
}

/** The same writes, each unit's own in their order, with those that may go as one side by side. */
export function mergeWrites(units: readonly Writes[]): Writes {
  const maxLength = units.reduce((max, { length }) => Math.max(max, length), 0)
  return Array.from({ length: maxLength }, (_, index) =>
    units.flatMap((writes) => writes[index] ?? []),
  ).flatMap(mergeRepeated)
}

/** As one for each power of two in their number: so that few statements are prepared. */
function mergeRepeated(writes: Writes): Writes {
  const valueLists = new Map<Statement, (readonly unknown[])[]>()
  for (const { statement, values } of writes)
    valueLists.set(statement, [...(valueLists.get(statement) ?? []), values])
  return [...valueLists].flatMap(([statement, valueSets]) => {
    const { repeat } = statement
    if (!repeat) return valueSets.map((values) => ({ statement, values }))
    const merged: BoundStatement[] = []
    for (let from = 0; from < valueSets.length; ) {
      const count = 2 ** Math.floor(Math.log2(valueSets.length - from))
      merged.push({
        statement: count === 1 ? statement : repeat(count),
        values: valueSets.slice(from, from + count).flat(),
      })
      from += count
    }
    return merged
  })
}
