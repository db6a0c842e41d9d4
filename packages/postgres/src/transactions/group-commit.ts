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
      // Connecting failed, so nothing was sent: safe to retry.
      const client = await this.#connection.client().catch(() => {
        throw new GroupRejection()
      })
      const writes = group.flatMap((job) => job.writes)
      await commitTogether(client, writes)
    } catch (error) {
      // After a refused statement nothing of the group is committed. After a lost connection the outcome is
      // unknown.
      if (error instanceof GroupRejection)
        for (const { writes, resolve, reject } of group) this.#commitAlone(writes).then(resolve, reject)
      else for (const { reject } of group) reject(error)
      return
    }
    for (const { resolve } of group) resolve()
  }
}

class GroupRejection extends Error {}

/** @throws GroupRejection when the database committed nothing */
async function commitTogether(client: pg.ClientBase, writes: Writes): Promise<void> {
  const beginResult = query(client, BEGIN, [])
  const results = writes.map(({ statement, values }) => query(client, statement.sql, values, statement.name))
  const commitResult = query(client, 'commit', [])
  const outcomes = await Promise.allSettled([beginResult, ...results, commitResult])
  const failure = outcomes.find((outcome) => outcome.status === 'rejected')
  if (!failure) return
  if (failure !== outcomes.at(-1) && failure.reason instanceof pg.DatabaseError) throw new GroupRejection()
  throw failure.reason
}
