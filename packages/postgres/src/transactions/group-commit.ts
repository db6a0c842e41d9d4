import type { BoundStatement } from '@sales-crm/sql'
import pg from 'pg'
import { TIMEOUTS } from '../wire/pool.ts'
import { query } from '../wire/query.ts'
import type { SharedConnection } from '../wire/shared-connection.ts'
import { lockTimeoutError } from './keyed-mutex.ts'

/** Most units of work in one commit; bounds how long each waits. */
const MAX_GROUP = 64
/** A unit with more statements gets its own transaction, so others do not wait for it. */
const MAX_STATEMENTS = 32
/** Milliseconds. A unit that waits longer for a lock leaves the group and waits alone. */
const LOCK_TIMEOUT = 50
const BEGIN = 'begin isolation level read committed'

/** The writes of one unit of work, in order. */
export type Writes = readonly BoundStatement[]

interface Job {
  readonly writes: Writes
  /** By `performance.now()`. */
  readonly queuedAt: number
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** Sets the lock timeout on a new connection of the group commit. */
export const prepareGroupConnection = (client: pg.Client): Promise<unknown> =>
  client.query(`set lock_timeout to ${LOCK_TIMEOUT}`)

/**
 * Commits the writes of concurrent units of work in one transaction and resolves each after the commit. If
 * the group fails, each unit is written alone and fails alone. A single unit does not wait for others. A unit
 * that waited longer than the lock timeout is rejected unsent.
 * @param commitAlone writes one unit in its own transaction
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
      // Connecting failed, so nothing was sent: safe to retry.
      const client = await connection.client().catch(() => {
        throw new GroupRejection()
      })
      await commit(
        client,
        group.flatMap(({ writes }) => writes),
      )
    } catch (error) {
      // After a refused statement nothing of the group is committed. After a lost connection the outcome is
      // unknown.
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

/** @throws GroupRejection when the database committed nothing */
async function commit(client: pg.ClientBase, writes: Writes): Promise<void> {
  const beginResult = query(client, BEGIN, [])
  const results = writes.map(({ statement, values }) => query(client, statement.sql, values, statement.name))
  const commitResult = query(client, 'commit', [])
  const outcomes = await Promise.allSettled([beginResult, ...results, commitResult])
  const failure = outcomes.find((outcome) => outcome.status === 'rejected')
  if (!failure) return
  if (failure !== outcomes.at(-1) && failure.reason instanceof pg.DatabaseError) throw new GroupRejection()
  throw failure.reason
}
