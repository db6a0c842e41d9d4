import { type Kysely, sql } from 'kysely'
import type { Dialect, Tables } from '../dialect.ts'
import { columnType, createWorkspaceTable } from './record-table.ts'

/** Adds the line items of deals, which are counted, and whence the amounts of deals come: all were typed. */
export async function createDealItems(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  await createWorkspaceTable(db, dialect, {
    name: 'deal_items',
    columns: {
      ...{ deal_id: 'uuid not null', position: 'integer not null', product_id: 'uuid' },
      ...{ name: 'text not null', code: 'text', description: 'text', quantity: 'json not null' },
      ...{ unit_price_cts: 'integer not null', discount: 'json', tax_rate: 'json' },
      billing_cycle: 'text not null',
    },
    foreignKeys: { deal_id: 'deals', product_id: 'products' },
    sortColumns: [],
    filterColumns: ['deal_id'],
  })
  for (const trigger of dialect.liveRowTriggers.createTriggers('deal_items')) await trigger.execute(db)
  const type = columnType(`text not null default 'typed'`, dialect)
  await sql`alter table deals add column amount_source ${type}`.execute(db)
}
