import {
  type AccessGate,
  type AuthorizedGrant,
  type RateLimit,
  type RateLimitStatus,
  toRateLimitStatus,
} from '@sales-crm/core/ports'
import pg from 'pg'
import type { PoolOptions } from './pool-options.ts'
import { query } from './wire/query.ts'
import { createSharedConnection } from './wire/shared-connection.ts'

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
  name: 'crm_look_up',
  text: GRANT_SQL.replace('%WORKSPACE%', '$1').replace('%GRANT%', '$2'),
}
const AUTHORIZE = {
  name: 'crm_admit',
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

export interface PostgresAccessGate extends AccessGate {
  close(): Promise<void>
}

/**
 * Authorizes calls and counts them in windows that all processes share, by the database's clock. One
 * dedicated connection pipelines all lookups. Windows need not survive a crash: their table is unlogged, so that
 * commits do not wait for the disk.
 */
export function createAccessGate(options: PoolOptions): PostgresAccessGate {
  const connection = createSharedConnection(options)

  async function queryFirst<R extends pg.QueryResultRow>(
    { name, text }: { name: string; text: string },
    values: unknown[],
  ): Promise<R | undefined> {
    const { rows } = await query<R>(
      await connection.client(),
      text,
      values,
      options.prepared === false ? undefined : name,
    )
    return rows[0]
  }

  async function lookUpGrant({ workspace_id, id }: { readonly workspace_id: string; readonly id: string }) {
    const granted = await queryFirst<AuthorizedGrant & pg.QueryResultRow>(LOOK_UP_GRANT, [workspace_id, id])
    return granted && { grant: granted, rateLimit: undefined }
  }

  const expiryTimer = setInterval(() => {
    void connection
      .current()
      .then((client) => client?.query(DELETE_EXPIRED))
      .catch(() => {})
  }, DELETE_EXPIRED_EVERY_MS).unref()

  return {
    async count(rateLimit) {
      const { key, seconds } = rateLimit
      return toStatus(rateLimit, (await queryFirst<WindowRow>(COUNT, [key, seconds]))!)
    },
    async authorize(grant, rateLimit: RateLimit | undefined) {
      if (!rateLimit) return lookUpGrant(grant)
      const { workspace_id, id } = grant
      try {
        const row = await queryFirst<AuthorizedGrant & WindowRow>(AUTHORIZE, [
          rateLimit.key,
          rateLimit.seconds,
          workspace_id,
          id,
        ])
        if (!row) return undefined
        const { user_id, client_id, role } = row
        return { grant: { user_id, client_id, role }, rateLimit: toStatus(rateLimit, row) }
      } catch (error) {
        // After a failover to a standby, grants can still be read.
        if (error instanceof pg.DatabaseError && error.code === READ_ONLY_SQLSTATE) return lookUpGrant(grant)
        throw error
      }
    },
    async close() {
      clearInterval(expiryTimer)
      await connection.close()
    },
  }
}

function toStatus(rateLimit: RateLimit, { used, resets, wait }: WindowRow): RateLimitStatus {
  return toRateLimitStatus(rateLimit, used, resets * 1000, wait * 1000)
}
