import type { AggregateQuery, AggregateRow } from '@sales-crm/core/ports'
import type { Context } from './case.ts'
import { getCollection, type Row, read, write } from './collections.ts'
import { cloneRow, insertRow } from './sample-rows.ts'

export const DEALS = getCollection('deals')

export type AggregateOptions = Partial<AggregateQuery<Row>>

/** Aggregates all records of a workspace, at most a thousand groups. */
export const ALL = { where: [], groupBy: [], order: 'count', limit: 1000 } as const

export function aggregate(context: Context, options: AggregateOptions): Promise<readonly AggregateRow[]> {
  return read(context, DEALS, (store) => store.aggregate({ ...ALL, ...options }))
}

/** Inserts one deal for each of `changes`. */
export async function insertDeals(
  context: Pick<Context, 'storage' | 'workspace'>,
  changes: readonly object[],
): Promise<readonly Row[]> {
  const first = await insertRow(context, DEALS)
  const rows = changes.map((each) => cloneRow(DEALS, first, each))
  await write(context, DEALS, async (store) => {
    await store.insertMany(rows)
    await store.hardDelete(first.id)
  })
  return rows
}
