import type { Pool } from 'pg'

/** A server that receives the log. */
export interface Standby {
  readonly name: string
  /** PostgreSQL's `sync_state`; null if the user has no right to see it, as `pg_monitor` has. */
  readonly syncState: 'sync' | 'quorum' | 'potential' | 'async' | null
  /** Bytes of the log that it has not stored yet. */
  readonly lagBytes: number | null
}

/** The servers of a database. */
export interface Replication {
  /** `host:port` of the server that takes writes, as it knows it. */
  readonly leader: string
  /** True if a commit waits until a standby has stored it. */
  readonly isSynchronous: boolean
  readonly standbys: readonly Standby[]
}

const LEADER_SQL = `
  select coalesce(host(inet_server_addr()) || ':' || inet_server_port(), 'a local socket') as leader,
    current_setting('synchronous_standby_names') <> ''
      and current_setting('synchronous_commit') not in ('off', 'local') as "isSynchronous"`

/** Subscriptions of logical replication read the log as well, and are no standbys. */
const STANDBYS_SQL = `
  select application_name as name, sync_state as "syncState",
    pg_wal_lsn_diff(pg_current_wal_lsn(), flush_lsn)::float8 as "lagBytes"
  from pg_stat_replication r
  where state is distinct from 'backup'
    and not exists (select from pg_replication_slots s where s.active_pid = r.pid and s.slot_type = 'logical')
  order by application_name`

export async function readReplication(pool: Pool): Promise<Replication> {
  const leader = await pool.query<Omit<Replication, 'standbys'>>(LEADER_SQL)
  const standbys = await pool.query<Standby>(STANDBYS_SQL)
  return { ...leader.rows[0]!, standbys: standbys.rows }
}
