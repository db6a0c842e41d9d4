import type { Pool } from 'pg'
import type { Replication, Standby } from './server-states.ts'

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
