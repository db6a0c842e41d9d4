import {
  type AccessGate,
  type AuthorizedGrant,
  type RateLimit,
  type RateLimitStatus,
  toRateLimitStatus,
} from '@sales-crm/core/ports'
import pg from 'pg'
import { type Access, type GateStatement, GateStatements } from './gate-statements.ts'
import type { ReadPositions } from './servers/read-positions.ts'
import type { ConnectionOptions } from './wire/pool.ts'
import { query } from './wire/query.ts'
import { SharedConnection } from './wire/shared-connection.ts'

/**
 * For the reads of a caller to go to the leader. A call that has begun longer ago has ended, or was announced again. It is
 * four times as long as `LONG_CALL_MS`.
 */
const RECENT_SECONDS = 20
const DELETE_EXPIRED = [
  "delete from rate_windows where closes_at < clock_timestamp() - interval '1 hour'",
  // A caller without a mark reads from the leader for a while.
  "delete from recent_writes where written_at < clock_timestamp() - interval '1 day'",
]
/** The SQLSTATE of a write in a read-only transaction. */
const READ_ONLY_SQLSTATE = '25006'
const DELETE_EXPIRED_EVERY_MS = 600_000

interface WindowRow {
  readonly used: number
  readonly resets: number
  readonly wait: number
}

/**
 * Authorizes calls and counts them in windows that all processes share, by the database's clock. One
 * dedicated connection pipelines all lookups. Windows need not survive a crash: their table is unlogged, so that
 * commits do not wait for the disk.
 */
export class PostgresAccessGate implements AccessGate {
  readonly #connection: SharedConnection
  readonly #isPrepared: boolean
  readonly #positions: ReadPositions | undefined
  readonly #statements: GateStatements
  readonly #expiryTimer: NodeJS.Timeout

  /** @param positions what callers may read from replicas; undefined without replicas */
  constructor(options: ConnectionOptions, positions?: ReadPositions) {
    this.#positions = positions
    this.#statements = new GateStatements({
      recentSeconds: options.recentSeconds ?? RECENT_SECONDS,
      isDistributed: options.isDistributed === true,
    })
    this.#connection = new SharedConnection(options)
    this.#isPrepared = options.prepared !== false
    this.#expiryTimer = setInterval(() => void this.#deleteExpired(), DELETE_EXPIRED_EVERY_MS).unref()
  }

  async count(rateLimit: RateLimit): Promise<RateLimitStatus> {
    const { key, seconds } = rateLimit
    return toStatus(rateLimit, (await this.#queryFirst<WindowRow>(this.#statements.count, [key, seconds]))!)
  }

  async authorize(
    grant: GrantKey,
    rateLimit: RateLimit | undefined,
    isRead = false,
  ): Promise<Authorization | undefined> {
    const access = this.#positions && (isRead ? 'read' : 'write')
    try {
      return await this.#authorize(grant, rateLimit, access)
    } catch (error) {
      // A database that takes no writes can still be read.
      if (error instanceof pg.DatabaseError && error.code === READ_ONLY_SQLSTATE)
        return this.#authorize(grant, undefined, undefined)
      throw error
    }
  }

  async noteWrite(caller: WritingCaller): Promise<void> {
    if (!this.#positions) return
    this.#positions.set(caller, undefined)
    await this.#queryFirst(this.#statements.markWrite, [caller.workspaceId, caller.clientId, caller.userId])
  }

  async close(): Promise<void> {
    clearInterval(this.#expiryTimer)
    await this.#connection.close()
  }

  async #authorize(
    { workspace_id, id }: GrantKey,
    rateLimit: RateLimit | undefined,
    access: Access | undefined,
  ): Promise<Authorization | undefined> {
    const values = [...(rateLimit ? [rateLimit.key, rateLimit.seconds] : []), workspace_id, id]
    const statement = this.#statements.authorize(rateLimit !== undefined, access)
    const row = await this.#queryFirst<GrantRow>(statement, values)
    if (!row) return undefined
    const { user_id, client_id, role, lsn, server } = row
    this.#positions?.set(
      { workspaceId: workspace_id, clientId: client_id, userId: user_id },
      lsn && server ? { lsn, server } : undefined,
    )
    return { grant: { user_id, client_id, role }, rateLimit: rateLimit && toStatus(rateLimit, row) }
  }

  async #queryFirst<R extends object>(
    { name, text }: GateStatement,
    values: unknown[],
  ): Promise<R | undefined> {
    const client = await this.#connection.client()
    const { rows } = await query<R & pg.QueryResultRow>(
      client,
      text,
      values,
      this.#isPrepared ? name : undefined,
    )
    return rows[0]
  }

  async #deleteExpired(): Promise<void> {
    const client = await this.#connection.current()
    for (const statement of DELETE_EXPIRED) await client?.query(statement).catch(() => {})
  }
}

type GrantRow = AuthorizedGrant & WindowRow & { readonly lsn?: string | null; readonly server?: string }
type WritingCaller = Parameters<NonNullable<AccessGate['noteWrite']>>[0]
type GrantKey = Parameters<AccessGate['authorize']>[0]
type Authorization = NonNullable<Awaited<ReturnType<AccessGate['authorize']>>>

function toStatus(rateLimit: RateLimit, { used, resets, wait }: WindowRow): RateLimitStatus {
  return toRateLimitStatus(rateLimit, used, resets * 1000, wait * 1000)
}
