import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Dialect, Tables } from '../dialect.ts'
import { createSharedTable, createWorkspaceTable, type RecordTable } from './record-table.ts'

const WORKSPACE_TABLES: readonly RecordTable[] = [
  {
    name: 'webhooks',
    columns: {
      client_id: 'text',
      url: 'text not null',
      host: 'text not null',
      events: 'json not null',
      sealed_secret: 'text',
    },
    sortColumns: ['created_at'],
  },
  { name: 'snapshots', columns: { entity: 'text not null' }, sortColumns: [] },
  {
    // No foreign key to webhooks: a deleted webhook is erased at once, regardless of its deliveries.
    name: 'deliveries',
    columns: {
      webhook_id: 'uuid not null',
      event: 'text not null',
      snapshot_id: 'uuid not null',
      status: 'text not null',
      reason: 'text',
      attempts: 'json not null',
      attempts_count: 'integer not null',
      last_attempt: 'boolean not null',
      due_at: 'instant',
      sending: 'boolean not null',
      lease: 'integer not null',
    },
    foreignKeys: { snapshot_id: 'snapshots' },
    sortColumns: [],
    filterColumns: ['webhook_id'],
  },
]

const USAGE_LOGS: RecordTable = {
  name: 'usage_logs',
  columns: {
    period: 'text not null',
    workspace_id: 'uuid not null',
    client_id: 'text not null',
    period_start: 'instant not null',
    period_end: 'instant not null',
    requests: 'json not null',
    due_at: 'instant',
  },
  sortColumns: ['due_at', 'period_end'],
  uniqueColumns: ['period'],
}

export async function createWebhookTables(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  const createIndex = (index: RawBuilder<unknown>) => sql`create index ${index}`.execute(db)
  for (const table of WORKSPACE_TABLES) await createWorkspaceTable(db, dialect, table)
  await createSharedTable(db, dialect, USAGE_LOGS)
  // Partial indexes over pending deliveries only. With `deleted_at` in them, SQLite answers from the
  // index alone.
  await createIndex(
    sql`deliveries_waiting on deliveries (workspace_id, webhook_id, due_at, deleted_at) where due_at is not null and deleted_at is null`,
  )
  // The delivery log of a webhook by status, in order, and its pending deliveries.
  await createIndex(
    sql`deliveries_by_status on deliveries (workspace_id, webhook_id, status, created_at, id, deleted_at) where deleted_at is null`,
  )
  await createIndex(
    sql`deliveries_over on deliveries (updated_at) where due_at is null and deleted_at is null`,
  )
  // Includes deleted deliveries: they keep their snapshots alive.
  await createIndex(sql`deliveries_of_snapshot on deliveries (workspace_id, snapshot_id)`)
  await createIndex(sql`snapshots_by_age on snapshots (created_at) where deleted_at is null`)
  await createIndex(
    sql`grants_live on grants (workspace_id, client_id) where revoked_at is null and deleted_at is null`,
  )
}
