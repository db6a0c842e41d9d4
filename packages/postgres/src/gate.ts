import type { Counter, Gate, Granted, RateWindow } from '@sales-crm/core/ports'
import pg from 'pg'
import { ask } from './ask.ts'
import type { PoolOptions } from './options.ts'
import { ownLine } from './own-line.ts'

const COUNTED = `
  insert into rate_windows as w (key, used, closes_at)
  select $1, 1, clock_timestamp() + make_interval(secs => $2) %FROM%
  on conflict (key) do update set
    used = case when w.closes_at <= clock_timestamp() then 1 else w.used + 1 end,
    closes_at = case when w.closes_at <= clock_timestamp() then clock_timestamp() + make_interval(secs => $2) else w.closes_at end
  returning used, extract(epoch from closes_at)::float8 as resets, extract(epoch from closes_at - clock_timestamp())::float8 as wait`

const GRANTED = `
  select g.user_id, g.client_id, m.role
  from grants g join members m on m.workspace_id = g.workspace_id and m.id = g.user_id
  where g.workspace_id = %WORKSPACE% and g.id = %GRANT% and g.revoked_at is null and g.deleted_at is null
    and m.removed_at is null and m.deleted_at is null`

const COUNT = { name: 'crm_count', text: COUNTED.replace('%FROM%', '') }
const LOOK_UP = { name: 'crm_look_up', text: GRANTED.replace('%WORKSPACE%', '$1').replace('%GRANT%', '$2') }
const ADMIT = {
  name: 'crm_admit',
  text: `with granted as (${GRANTED.replace('%WORKSPACE%', '$3').replace('%GRANT%', '$4')}),
    counted as (${COUNTED.replace('%FROM%', 'from granted')})
    select * from granted cross join counted`,
}
const SWEEP = "delete from rate_windows where closes_at < clock_timestamp() - interval '1 hour'"
/** What PostgreSQL says of a write where none is taken. */
const READ_ONLY = '25006'
const SWEEP_EVERY_MS = 600_000

interface Counted {
  readonly used: number
  readonly resets: number
  readonly wait: number
}

export interface PostgresGate extends Gate {
  close(): Promise<void>
}

/**
 * Windows in the database, shared by all processes, by the database's clock. One connection of its own carries all look-ups,
 * pipelined. Nothing it writes need survive a crash, so it waits for no disk.
 */
export function postgresGate(options: PoolOptions): PostgresGate {
  const line = ownLine(options, async (client) => {
    if (options.prepared !== false) await client.query('set synchronous_commit = off')
  })

  async function first<R extends pg.QueryResultRow>(
    { name, text }: { name: string; text: string },
    values: unknown[],
  ): Promise<R | undefined> {
    const { rows } = await ask<R>(await line.client(), text, values, options.prepared === false ? undefined : name)
    return rows[0]
  }

  async function lookUp({ workspace_id, id }: { readonly workspace_id: string; readonly id: string }) {
    const granted = await first<Granted & pg.QueryResultRow>(LOOK_UP, [workspace_id, id])
    return granted && { granted, window: undefined }
  }

  const sweeping = setInterval(() => {
    void line
      .present()
      .then((client) => client?.query(SWEEP))
      .catch(() => {})
  }, SWEEP_EVERY_MS).unref()

  return {
    async count({ key, seconds }) {
      return windowOf((await first<Counted>(COUNT, [key, seconds]))!)
    },
    async admit(grant, counter: Counter | undefined) {
      if (!counter) return lookUp(grant)
      const { workspace_id, id } = grant
      try {
        const row = await first<Granted & Counted>(ADMIT, [counter.key, counter.seconds, workspace_id, id])
        if (!row) return undefined
        const { user_id, client_id, role } = row
        return { granted: { user_id, client_id, role }, window: windowOf(row) }
      } catch (error) {
        // After a failover to a standby what only reads goes on.
        if (error instanceof pg.DatabaseError && error.code === READ_ONLY) return lookUp(grant)
        throw error
      }
    },
    async close() {
      clearInterval(sweeping)
      await line.close()
    },
  }
}

function windowOf({ used, resets, wait }: Counted): RateWindow {
  return { used, resets: Math.ceil(resets), wait: Math.max(1, Math.ceil(wait)) }
}
