import { CrmError, type ReadOptions } from '@sales-crm/core/ports'
import type { Connection } from '@sales-crm/sql'
import type pg from 'pg'
import type { ConnectionOptions } from '../wire/pool.ts'
import { SERVER_START } from './leader.ts'
import type { Position, ReadPositions } from './read-positions.ts'
import { type Heartbeat, Replica } from './replica.ts'
import type { ReplicaState } from './server-states.ts'

/** Milliseconds between heartbeats. All processes share the row: one of them writes it. */
const HEARTBEAT_INTERVAL = 1000
const DEFAULT_LAG_SECONDS = 5

/** A heartbeat need not survive a crash of the leader, so it does not wait for the disk. */
const WRITE_HEARTBEAT = `
  with written as (
    insert into replication_heartbeats as h (id, server, written_at) values (1, ${SERVER_START}, clock_timestamp())
    on conflict (id) do update set server = excluded.server, written_at = excluded.written_at
    where h.server <> excluded.server or h.written_at < clock_timestamp() - make_interval(secs => ${HEARTBEAT_INTERVAL / 2000})
    returning written_at)
  select set_config('synchronous_commit', 'off', true), ${SERVER_START} as server, clock_timestamp() as now,
    coalesce((select written_at from written), (select written_at from replication_heartbeats)) as written_at`

/**
 * Replicas that the reads of callers go to. A replica is read from only if it has replayed what its caller has written: each
 * read asks that very replica, before its snapshot. One that lags, or does not answer, is left out until it has caught up.
 */
export class Replicas {
  readonly #replicas: readonly Replica[]
  readonly #leaderPool: pg.Pool
  readonly #positions: ReadPositions
  readonly #timer: NodeJS.Timeout
  #heartbeat: Heartbeat | undefined
  #update: Promise<void> | undefined
  #turn = 0

  constructor(
    options: ConnectionOptions & { readonly readUrls: readonly string[] },
    leaderPool: pg.Pool,
    positions: ReadPositions,
  ) {
    const { readLagSeconds = DEFAULT_LAG_SECONDS } = options
    this.#replicas = options.readUrls.map(
      (url) => new Replica({ ...options, url, leader: null }, readLagSeconds),
    )
    this.#leaderPool = leaderPool
    this.#positions = positions
    this.#timer = setInterval(() => void this.update(), HEARTBEAT_INTERVAL).unref()
    void this.update()
  }

  /** @returns undefined for a read that must go to the leader */
  async read<T>(
    work: (connection: Connection) => Promise<T>,
    options: ReadOptions | undefined,
  ): Promise<{ readonly result: T } | undefined> {
    const position = this.#findPosition(options?.caller)
    const replica = position && this.#choose()
    if (!replica) return undefined
    try {
      return { result: await replica.read(work, options, position) }
    } catch (error) {
      if (error instanceof CrmError || options?.caller?.signal?.aborted) throw error
      return undefined
    }
  }

  /** Finds out which replicas have the last heartbeat, and writes the next. */
  update(): Promise<void> {
    this.#update ??= this.#compareAndWrite().finally(() => {
      this.#update = undefined
    })
    return this.#update
  }

  states(): readonly ReplicaState[] {
    return this.#replicas.map((replica) => replica.state)
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#update
    await Promise.all(this.#replicas.map((replica) => replica.close()))
  }

  async #compareAndWrite(): Promise<void> {
    const last = this.#heartbeat
    await Promise.all(last ? this.#replicas.map((replica) => replica.compare(last)) : [])
    const { rows } = await this.#leaderPool
      .query<{ server: string; now: string; written_at: string }>(WRITE_HEARTBEAT)
      .catch(() => ({ rows: [] }))
    for (const { server, now, written_at } of rows)
      this.#heartbeat = {
        server,
        writtenAt: Date.parse(written_at),
        leaderTime: Date.parse(now),
        readAt: performance.now(),
      }
  }

  #findPosition(caller: ReadOptions['caller']): Position | undefined {
    const { workspaceId, clientId, userId } = caller ?? {}
    if (workspaceId === undefined || clientId === undefined || userId === undefined) return undefined
    return this.#positions.get({ workspaceId, clientId, userId })
  }

  #choose(): Replica | undefined {
    const usable = this.#replicas.filter(({ state }) => state.status === 'used')
    this.#turn += 1
    return usable[this.#turn % usable.length]
  }
}
