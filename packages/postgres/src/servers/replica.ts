import type { ReadOptions } from '@sales-crm/core/ports'
import type { Connection } from '@sales-crm/sql'
import type pg from 'pg'
import { PooledTransactions } from '../transactions/pooled-transactions.ts'
import { ServerReads } from '../transactions/server-reads.ts'
import { type ConnectionOptions, createPool } from '../wire/pool.ts'
import { SharedConnection } from '../wire/shared-connection.ts'
import type { Position } from './read-positions.ts'

/** Milliseconds for a replica to say how far it is. */
const ANSWER_TIMEOUT = 1000

/** A standby of the present leader has its heartbeat. Positions in the logs of two leaders do not compare. */
const COMPARE_POSITION = {
  name: 'crm_compare_position',
  sql: `select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $1::pg_lsn
    and exists (select from replication_heartbeats where server = $2) as "hasReplayed"`,
  params: [],
  plan: 'generic',
} as const

const READ_HEARTBEAT = `
  select pg_is_in_recovery() as is_standby, server, written_at from replication_heartbeats`

/** The time of a leader, when it was read. */
export interface LeaderTime {
  readonly server: string
  /** Milliseconds of the leader's clock. */
  readonly at: number
  /** By `performance.now()`. */
  readonly readAt: number
}

/** What is known of a replica, and done with it. */
export interface ReplicaState {
  /** `host:port` of its URL. */
  readonly server: string
  /** False while it lags, does not answer, or is no standby of the leader. */
  readonly isUsed: boolean
  /** Undefined if it did not answer, or is no standby of the leader. */
  readonly lagSeconds: number | undefined
  /** Reads that it has answered. */
  readonly reads: number
  /** Reads that went to the leader, since it lacked what their caller had written, or failed. */
  readonly refusals: number
}

export class Replica {
  readonly #maxLagSeconds: number
  readonly #pool: pg.Pool
  readonly #reads: ServerReads
  readonly #heartbeats: SharedConnection
  #state: ReplicaState

  constructor(options: ConnectionOptions, maxLagSeconds: number) {
    this.#maxLagSeconds = maxLagSeconds
    this.#pool = createPool(options)
    this.#reads = new ServerReads(options, new PooledTransactions(this.#pool, options.prepared !== false))
    this.#heartbeats = new SharedConnection(options)
    this.#state = {
      server: new URL(options.url).host,
      ...{ isUsed: false, lagSeconds: undefined, reads: 0, refusals: 0 },
    }
  }

  get state(): ReplicaState {
    return this.#state
  }

  /** @throws Error if the replica has not replayed the position */
  async read<T>(
    work: (connection: Connection) => Promise<T>,
    options: ReadOptions | undefined,
    { lsn, server }: Position,
  ): Promise<T> {
    const prepare = async (connection: Connection) => {
      const [row] = await this.#expectAnswer(connection.query(COMPARE_POSITION, [lsn, server]))
      if (!row?.['hasReplayed']) throw new Error('The replica has not replayed the position.')
    }
    try {
      const result = await this.#reads.read(work, options, prepare)
      this.#state = { ...this.#state, reads: this.#state.reads + 1 }
      return result
    } catch (error) {
      this.#state = { ...this.#state, refusals: this.#state.refusals + 1 }
      throw error
    }
  }

  /** Finds out how far the replica is behind the leader. */
  async compare(leader: LeaderTime): Promise<void> {
    const lagSeconds = await this.#measureLag(leader).catch(() => undefined)
    const isUsed = lagSeconds !== undefined && lagSeconds <= this.#maxLagSeconds
    this.#state = { ...this.#state, isUsed, lagSeconds }
  }

  async close(): Promise<void> {
    await Promise.all([this.#reads.close(), this.#heartbeats.close(), this.#pool.end()])
  }

  async #measureLag(leader: LeaderTime): Promise<number | undefined> {
    const { rows } = await this.#expectAnswer(
      this.#heartbeats
        .client()
        .then((client) =>
          client.query<{ is_standby: boolean; server: string; written_at: string }>(READ_HEARTBEAT),
        ),
    )
    const [heartbeat] = rows
    if (!heartbeat?.is_standby || heartbeat.server !== leader.server) return undefined
    const leaderNow = leader.at + performance.now() - leader.readAt
    return Math.max(0, leaderNow - Date.parse(heartbeat.written_at)) / 1000
  }

  /** A replica that does not answer in time is left out until it does. */
  async #expectAnswer<T>(answer: Promise<T>): Promise<T> {
    const { promise: timeout, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      this.#state = { ...this.#state, isUsed: false }
      reject(new Error('The replica does not answer.'))
    }, ANSWER_TIMEOUT)
    return Promise.race([answer, timeout]).finally(() => clearTimeout(timer))
  }
}
