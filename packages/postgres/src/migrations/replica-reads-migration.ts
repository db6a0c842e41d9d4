import type { Tables } from '@sales-crm/sql'
import { type Kysely, sql } from 'kysely'

/**
 * What tells which replicas a caller may read from. Writes are unlogged, so that marks cost no write to the disk: after a
 * crash or a failover there are none, and a caller without a mark reads from the leader.
 */
export async function createReplicaReads(db: Kysely<Tables>): Promise<void> {
  await sql`create table replication_heartbeats (
    id integer primary key, server text not null, written_at timestamptz not null)`.execute(db)
  await sql`create unlogged table recent_writes (
    workspace_id uuid not null, client_id uuid not null, user_id uuid not null,
    written_at timestamptz not null, position pg_lsn,
    primary key (workspace_id, client_id, user_id))`.execute(db)
}
