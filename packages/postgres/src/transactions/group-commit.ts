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
/** Milliseconds. If a unit waits longer for a lock, the group is rolled back and each unit waits alone. */
const LOCK_TIMEOUT = 50
const BEGIN = 'begin isolation level read committed'

/** Sets the lock timeout of a new connection: a setting at its start would yield to one in the URL. */
export const prepareGroupConnection = (client: pg.Client): Promise<unknown> =>
  client.query(`set lock_timeout to ${LOCK_TIMEOUT}`)

/** The writes of one unit of work, in order. */
export type Writes = readonly BoundStatement[]

interface Job {
  readonly writes: Writes
  /** By `performance.now()`. */
  readonly queuedAt: number
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Commits the writes of concurrent units of work in one transaction and resolves each after the commit. A unit
 * waits for the commit in progress, if any, and not for further units. If the database refuses a group, each unit
 * is written alone and fails alone. A unit that waited ten seconds for its turn is rejected unsent.
 */
export class GroupCommit {
  readonly #connection: Pick<SharedConnection, 'client'>
  readonly #commitAlone: (writes: Writes) => Promise<void>
  #queue: Job[] = []
  #isCommitting = false

  /** @param commitAlone writes one unit in its own transaction */
  constructor(connection: Pick<SharedConnection, 'client'>, commitAlone: (writes: Writes) => Promise<void>) {
    this.#connection = connection
    this.#commitAlone = commitAlone
  }

  commit(writes: Writes): Promise<void> {
    if (writes.length > MAX_STATEMENTS) return this.#commitAlone(writes)
    return new Promise((resolve, reject) => {
      this.#queue.push({ writes, queuedAt: performance.now(), resolve, reject })
      if (this.#isCommitting) return
      this.#isCommitting = true
      setImmediate(() => void this.#drainQueue())
    })
  }

  async #drainQueue(): Promise<void> {
    for (let group = this.#nextGroup(); group.length > 0; group = this.#nextGroup())
      await this.#commitGroup(group)
    this.#isCommitting = false
  }

  #nextGroup(): readonly Job[] {
    const deadline = performance.now() - TIMEOUTS.lock_timeout
    const expiredJobs = this.#queue.filter(({ queuedAt }) => queuedAt < deadline)
    const group = this.#queue.slice(expiredJobs.length, expiredJobs.length + MAX_GROUP)
    this.#queue = this.#queue.slice(expiredJobs.length + MAX_GROUP)
    for (const { reject } of expiredJobs) reject(lockTimeoutError())
    return group
  }

  async #commitGroup(group: readonly Job[]): Promise<void> {
    try {
      const client = await this.#connection.client().catch(() => undefined)
      const isCommitted = client !== undefined && (await commitTogether(client, group))
      for (const { writes, resolve, reject } of group) {
        if (isCommitted) resolve()
        else this.#commitAlone(writes).then(resolve, reject)
      }
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }
}

/**
 * @returns false when the database refused a statement, so that nothing is committed
 * @throws Error when the outcome is unknown: the connection was lost, or `begin` or `commit` failed
 */
async function commitTogether(client: pg.ClientBase, group: readonly Job[]): Promise<boolean> {
  const writes = group.flatMap((job) => job.writes)
  const results = [
    query(client, BEGIN, []),
    ...writes.map(({ statement, values }) => query(client, statement.sql, values, statement.name)),
    query(client, 'commit', []),
  ]
  const outcomes = await Promise.allSettled(results)
  const failure = outcomes.find((outcome) => outcome.status === 'rejected')
  if (!failure) return true
  const { reason } = failure
  const isRefused = reason instanceof pg.DatabaseError && failure !== outcomes.at(-1)
  // After a refused `begin` each write is committed by itself, unless the session has ended.
  if (isRefused && (failure !== outcomes[0] || reason.severity === 'FATAL')) return false
  throw reason
}
