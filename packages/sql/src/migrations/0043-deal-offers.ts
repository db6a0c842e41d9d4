import { type Kysely, sql } from 'kysely'
import type { Dialect, Tables } from '../dialect.ts'
import { columnType, createWorkspaceTable } from './record-table.ts'

/** Adds the offers of deals, which are counted with the bytes of their lines, and the sender of a workspace. */
export async function createDealOffers(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  await createWorkspaceTable(db, dialect, {
    name: 'deal_offers',
    columns: {
      ...{ deal_id: 'uuid not null', serial: 'integer not null', number: 'text not null' },
      ...{ title: 'text not null', date: 'text not null' },
      ...{
        valid_until: 'text not null',
        language: 'text not null',
        notes: 'text',
        currency: 'text not null',
      },
      ...{ sender: 'json not null', logo_key: 'text', recipient: 'json not null', totals: 'json not null' },
      ...{ user_id: 'uuid', link_hash: 'text', link_created_at: 'instant', opens: 'integer not null' },
      ...{ last_opened_at: 'instant', items: 'json not null' },
    },
    foreignKeys: { deal_id: 'deals', user_id: 'members' },
    sortColumns: ['serial'],
    filterColumns: ['deal_id'],
    uniqueForever: ['number'],
  })
  for (const trigger of dialect.liveRowTriggers.createTriggers('deal_offers')) await trigger.execute(db)
  for (const trigger of dialect.longTextTriggers('deal_offers', 'items')) await trigger.execute(db)
  await sql`alter table workspaces add column sender ${columnType('json', dialect)}`.execute(db)
}
