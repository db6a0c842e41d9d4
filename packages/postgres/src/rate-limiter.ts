import {
  type AccessGate,
  type AuthorizedGrant,
  type RateLimit,
  type RateLimitStatus,
  toRateLimitStatus,
} from '@sales-crm/core/ports'
import pg from 'pg'
import type { ConnectionOptions } from './wire/pool.ts'
import { query } from './wire/query.ts'
import { SharedConnection } from './wire/shared-connection.ts'

// `least` bounds a window that was opened before the clock was set back.
const COUNT_SQL = `
  insert into rate_windows as w (key, used, closes_at)
  select $1, 1, clock_timestamp() + make_interval(secs => $2) %FROM%
  on conflict (key) do update set
    used = case when w.closes_at <= clock_timestamp() then 1 else w.used + 1 end,
    closes_at = case when w.closes_at <= clock_timestamp() then clock_timestamp() + make_interval(secs => $2)
      else least(w.closes_at, clock_timestamp() + make_interval(secs => $2)) end
  returning used, extract(epoch from closes_at)::float8 as resets, extract(epoch from closes_at - clock_timestamp())::float8 as wait`

const GRANT_SQL = `
  select g.user_id, g.client_id, m.role
  from grants g join members m on m.workspace_id = g.workspace_id and m.id = g.user_id
  where g.workspace_id = %WORKSPACE% and g.id = %GRANT% and g.revoked_at is null and g.deleted_at is null
    and m.removed_at is null and m.deleted_at is null`

const COUNT = { name: 'crm_count', text: COUNT_SQL.replace('%FROM%', '') }
const LOOK_UP_GRANT = {
  name: 'crm_look_up_grant',
  text: GRANT_SQL.replace('%WORKSPACE%', '$1').replace('%GRANT%', '$2'),
}
const AUTHORIZE = {
  name: 'crm_authorize',
  text: `with granted as (${GRANT_SQL.replace('%WORKSPACE%', '$3').replace('%GRANT%', '$4')}),
    counted as (${COUNT_SQL.replace('%FROM%', 'from granted')})
    select * from granted cross join counted`,
}
const DELETE_EXPIRED = "delete from rate_windows where closes_at < clock_timestamp() - interval '1 hour'"
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
  readonly #expiryTimer: NodeJS.Timeout

  constructor(options: ConnectionOptions) {
    this.#connection = new SharedConnection(options)
    this.#isPrepared = options.prepared !== false
    this.#expiryTimer = setInterval(() => void this.#deleteExpired(), DELETE_EXPIRED_EVERY_MS).unref()
  }

  async count(rateLimit: RateLimit): Promise<RateLimitStatus> {
    const { key, seconds } = rateLimit
    return toStatus(rateLimit, (await this.#queryFirst<WindowRow>(COUNT, [key, seconds]))!)
  }

  async authorize(grant: GrantKey, rateLimit: RateLimit | undefined): Promise<Authorization | undefined> {
    if (!rateLimit) return this.#lookUpGrant(grant)
    const { workspace_id, id } = grant
    const values = [rateLimit.key, rateLimit.seconds, workspace_id, id]
    try {
      const row = await this.#queryFirst<AuthorizedGrant & WindowRow>(AUTHORIZE, values)
      if (!row) return undefined
      const { user_id, client_id, role } = row
      return { grant: { user_id, client_id, role }, rateLimit: toStatus(rateLimit, row) }
    } catch (error) {
      // After a failover to a standby, grants can still be read.
      if (error instanceof pg.DatabaseError && error.code === READ_ONLY_SQLSTATE)
        return this.#lookUpGrant(grant)
      throw error
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#expiryTimer)
    await this.#connection.close()
  }

  async #lookUpGrant({ workspace_id, id }: GrantKey): Promise<Authorization | undefined> {
    const grant = await this.#queryFirst<AuthorizedGrant>(LOOK_UP_GRANT, [workspace_id, id])
    return grant && { grant, rateLimit: undefined }
  }

  async #queryFirst<R extends object>(
    { name, text }: { readonly name: string; readonly text: string },
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
    await client?.query(DELETE_EXPIRED).catch(() => {})
  }
}

type GrantKey = Parameters<AccessGate['authorize']>[0]
type Authorization = NonNullable<Awaited<ReturnType<AccessGate['authorize']>>>

function toStatus(rateLimit: RateLimit, { used, resets, wait }: WindowRow): RateLimitStatus {
  return toRateLimitStatus(rateLimit, used, resets * 1000, wait * 1000)
}
