import type { Storage } from '@sales-crm/core/ports'
import type { Row } from '../src/collections.ts'
import { type Alter, alterStorage } from './altered-storage.ts'
import type { Breakage } from './breakage.ts'

const DEEP_PAGES =
  'deep pages: any page of thousands equals that slice of the sorted records, with nulls and ties'

export const TOTAL_BREAKAGES: readonly Breakage<Storage>[] = [
  {
    guarantee: 'The total excludes soft-deleted records',
    breakage: 'soft-deleted records are counted until they are hard-deleted',
    noticedBy: 'totals: tasks: the total follows inserts, soft and hard deletions of its workspace',
    open: () => alterStorage(keepTotals({ softDeleted: 0 })),
  },
  {
    guarantee: 'The total excludes hard-deleted records',
    breakage: 'hardDelete subtracts a soft-deleted record again',
    noticedBy: 'totals: people: the total follows inserts, soft and hard deletions of its workspace',
    open: () => alterStorage(keepTotals({ hardDeleted: 1 })),
  },
  {
    guarantee: 'The total is per workspace',
    breakage: 'one total is kept for all workspaces',
    noticedBy: 'totals: deals: the total follows inserts, soft and hard deletions of its workspace',
    open: () => alterStorage(keepTotals({ isShared: true })),
  },
  {
    guarantee: 'The total is rolled back',
    breakage: 'the total is kept outside the transaction',
    noticedBy: 'totals: a failed savepoint or transaction leaves the total unchanged',
    open: () => alterStorage(keepTotals({})),
  },
  {
    guarantee: 'The total of owners follows a new owner',
    breakage: 'a record with a new owner counts for the old one, too',
    noticedBy:
      'owner totals: people: a total of owners equals the number of their records after any sequence of writes',
    open: () => {
      let moved = 0
      return alterStorage((store) => ({
        async update(row) {
          const before = await store.get(row.id)
          await store.update(row)
          if (before?.['owner_user_id'] !== row['owner_user_id']) moved += 1
        },
        async list(query) {
          const { rows, total } = await store.list(query)
          return { rows, total: query.where.length > 0 ? total + moved : total }
        },
      }))
    },
  },
  {
    guarantee: 'A deep page is in the requested order',
    breakage: 'a deep page is returned as read, from the end',
    noticedBy: DEEP_PAGES,
    open: () =>
      alterStorage((store) => ({
        async list(query) {
          const { rows, total } = await store.list(query)
          return { rows: query.page * query.per_page > total / 2 ? rows.toReversed() : rows, total }
        },
      })),
  },
  {
    guarantee: 'The last page has the remaining records',
    breakage: 'the last page is filled up from the page before',
    noticedBy: DEEP_PAGES,
    open: () =>
      alterStorage((store) => ({
        async list(query) {
          const page = await store.list(query)
          if (page.rows.length === 0 || page.rows.length === query.per_page) return page
          const { rows } = await store.list({ ...query, page: 1, per_page: 1e6 })
          return { rows: rows.slice(-query.per_page), total: page.total }
        },
      })),
  },
  {
    guarantee: 'A deep page reflects earlier writes',
    breakage: 'a deep page uses the total from before the transaction',
    noticedBy: 'deep pages: a deep page reflects earlier writes of its transaction',
    open: () => {
      const totals = new Map<string, number>()
      return alterStorage((store, { workspace }) => ({
        async insert(row) {
          totals.set(
            workspace,
            (await store.list({ page: 1, per_page: 1, order_by: 'id', order: 'asc', where: [] })).total,
          )
          await store.insert(row)
        },
        list: (query) => store.list({ ...query, page: Math.min(query.page, totals.get(workspace)! - 1) }),
      }))
    },
  },
  {
    guarantee: 'A page omits omitted fields and nothing else',
    breakage: 'a field omitted once is omitted for other calls',
    noticedBy: 'omitted fields: do not affect the records, the total or the other fields of a page',
    open: () => {
      const omit = new Set<string>()
      return alterStorage((store) => ({
        async list(query) {
          for (const field of query.omit ?? []) omit.add(field)
          const { rows, total } = await store.list(query)
          const omitUnread = (row: Row) =>
            Object.fromEntries(Object.entries(row).filter(([field]) => !omit.has(field))) as unknown as Row
          return { rows: rows.map(omitUnread), total }
        },
      }))
    },
  },
]

/**
 * A store that keeps its own totals. `softDeleted` is added for a soft deletion, `hardDeleted` subtracted for
 * a later hard deletion.
 */
function keepTotals({
  softDeleted = -1,
  hardDeleted = 0,
  isShared = false,
}: {
  softDeleted?: number
  hardDeleted?: number
  isShared?: boolean
}): Alter {
  const totals = new Map<string, number>()
  return (store, { spec, workspace }) => {
    const key = `${spec.name} ${isShared ? '' : workspace}`
    const add = (by: number) => totals.set(key, (totals.get(key) ?? 0) + by)
    return {
      async insert(row) {
        await store.insert(row)
        add(1)
      },
      async insertMany(rows) {
        await store.insertMany(rows)
        add(rows.length)
      },
      async softDelete(id, at) {
        const isGone = await store.softDelete(id, at)
        if (isGone) add(softDeleted)
        return isGone
      },
      async hardDelete(id) {
        const isLive = (await store.get(id)) !== undefined
        await store.hardDelete(id)
        add(isLive ? -1 : -hardDeleted)
      },
      async list(query) {
        const page = await store.list(query)
        return query.where.length === 0 ? { ...page, total: totals.get(key) ?? 0 } : page
      },
    }
  }
}
