/** By table and field: the orders beside `created_at` in which an index has the records of one value. */
const INDEXED_ORDERS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  deals: { stage_id: ['amount', 'closed_at'] },
}

export function hasIndexedOrder(table: string, field: string, orderBy: string): boolean {
  return orderBy === 'created_at' || (INDEXED_ORDERS[table]?.[field]?.includes(orderBy) ?? false)
}
