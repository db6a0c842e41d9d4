import { CrmError, type ReadOptions } from '@sales-crm/core/ports'
import type { Connection } from '@sales-crm/sql'
import type pg from 'pg'
import { PooledTransactions } from '../transactions/pooled-transactions.ts'
import { ServerReads } from '../transactions/server-reads.ts'
import { type ConnectionOptions, createPool } from '../wire/pool.ts'
import { SharedConnection } from '../wire/shared-connection.ts'
import { SERVER_START } from './leader.ts'
import type { Position } from './read-positions.ts'
import type { ReplicaState } from './server-states.ts'

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
  select pg_is_in_recovery() as is_standby, ${SERVER_START} as started_at, server, written_at from replication_heartbeats`

/** The last heartbeat of a leader. Times are milliseconds. */
export interface Heartbeat {
  /** The start of the leader. */
  readonly server: string
  /** By the leader's clock. */
  readonly writtenAt: number
  /** By the leader's clock, when it was read. */
  readonly leaderTime: number
  /** By `performance.now()`. */
  readonly readAt: number
}

const UNAVAILABLE = { status: 'unavailable', lagSeconds: undefined } as const

interface HeartbeatRow {
  readonly is_standby: boolean
  readonly started_at: string
  /** The leader that wrote it. */
  readonly server: string
  readonly written_at: string
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
    this.#reads = new ServerReads(options, new PooledTransactions(this.#pool, options))
    this.#heartbeats = new SharedConnection(options)
    this.#state = {
      server: new URL(options.url).host,
      ...{ status: 'unavailable', lagSeconds: undefined, reads: 0, refusals: 0 },
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
      this.#countRead()
      return result
    } catch (error) {
      if (error instanceof CrmError) this.#countRead()
      else this.#state = { ...this.#state, refusals: this.#state.refusals + 1 }
      throw error
    }
  }

  /** Finds out how far the replica is behind the leader. */
  async compare(last: Heartbeat): Promise<void> {
    const standing = await this.#compareHeartbeat(last).catch(() => UNAVAILABLE)
    this.#state = { ...this.#state, ...standing }
  }

  async close(): Promise<void> {
    await Promise.all([this.#reads.close(), this.#heartbeats.close(), this.#pool.end()])
  }

  #countRead(): void {
    this.#state = { ...this.#state, reads: this.#state.reads + 1 }
  }

  async #compareHeartbeat(last: Heartbeat): Promise<Pick<ReplicaState, 'status' | 'lagSeconds'>> {
    const client = await this.#expectAnswer(this.#heartbeats.client())
    const { rows } = await this.#expectAnswer(client.query<HeartbeatRow>(READ_HEARTBEAT))
    const [heartbeat] = rows
    if (heartbeat?.started_at === last.server) return { status: 'leader', lagSeconds: undefined }
    if (!heartbeat?.is_standby || heartbeat.server !== last.server) return UNAVAILABLE
    const writtenAt = Date.parse(heartbeat.written_at)
    const leaderNow = last.leaderTime + performance.now() - last.readAt
    const lagSeconds = writtenAt >= last.writtenAt ? 0 : (leaderNow - writtenAt) / 1000
    return { status: lagSeconds <= this.#maxLagSeconds ? 'used' : 'behind', lagSeconds }
  }

  /** A replica that does not answer in time is left out until it does. */
  async #expectAnswer<T>(answer: Promise<T>): Promise<T> {
    const { promise: timeout, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      this.#state = { ...this.#state, ...UNAVAILABLE }
      reject(new Error('The replica does not answer.'))
    }, ANSWER_TIMEOUT)
    return Promise.race([answer, timeout]).finally(() => clearTimeout(timer))
  }
}
