import type { Storage } from '@sales-crm/core/ports'
import type { Row } from '../src/collections.ts'
import { type Alter, alterStorage } from './altered-storage.ts'
import type { Breakage } from './breakage.ts'

const FAR =
  'far pages: any page of thousands, in any order, is that part of the whole in order, nulls and ties too'

export const TOTAL_BREAKAGES: readonly Breakage<Storage>[] = [
  {
    guarantee: 'The total follows what is deleted',
    breakage: 'a deleted record is counted until it is erased',
    noticedBy:
      'totals: tasks: the total follows what comes, what is deleted and what is erased, and is of one workspace',
    open: () => alterStorage(keepTotals({ deleted: 0 })),
  },
  {
    guarantee: 'The total follows what is erased',
    breakage: 'erasing a record that was deleted counts it out once more',
    noticedBy:
      'totals: people: the total follows what comes, what is deleted and what is erased, and is of one workspace',
    open: () => alterStorage(keepTotals({ erased: 1 })),
  },
  {
    guarantee: 'The total is of one workspace',
    breakage: 'it is kept for all of them',
    noticedBy:
      'totals: deals: the total follows what comes, what is deleted and what is erased, and is of one workspace',
    open: () => alterStorage(keepTotals({ isShared: true })),
  },
  {
    guarantee: 'The total is taken back with what failed',
    breakage: 'it is kept beside the transaction',
    noticedBy: 'totals: what a part or a transaction wrote that failed is counted nowhere',
    open: () => alterStorage(keepTotals({})),
  },
  {
    guarantee: 'A far page is in the order asked for',
    breakage: 'it comes as it was read, from the end',
    noticedBy: FAR,
    open: () =>
      alterStorage((store) => ({
        async list(query) {
          const { rows, total } = await store.list(query)
          return { rows: query.page * query.per_page > total / 2 ? rows.toReversed() : rows, total }
        },
      })),
  },
  {
    guarantee: 'The last page has what is left',
    breakage: 'it is filled up from the page before',
    noticedBy: FAR,
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
    guarantee: 'A far page has the writes before it',
    breakage: 'it goes by the total of before the transaction',
    noticedBy: 'far pages: a far page has the writes before it in its transaction',
    open: () => {
      const known = new Map<string, number>()
      return alterStorage((store, { workspace }) => ({
        async insert(row) {
          known.set(
            workspace,
            (await store.list({ page: 1, per_page: 1, order_by: 'id', order: 'asc', where: [] })).total,
          )
          await store.insert(row)
        },
        list: (query) => store.list({ ...query, page: Math.min(query.page, known.get(workspace)! - 1) }),
      }))
    },
  },
  {
    guarantee: 'A page leaves out what nobody looks at, and nothing else',
    breakage: 'what was left out once is left out for others',
    noticedBy: 'unread fields: a page without them has the same records, and all else that they hold',
    open: () => {
      const unread = new Set<string>()
      return alterStorage((store) => ({
        async list(query) {
          for (const field of query.unread ?? []) unread.add(field)
          const { rows, total } = await store.list(query)
          const part = (row: Row) =>
            Object.fromEntries(Object.entries(row).filter(([field]) => !unread.has(field))) as unknown as Row
          return { rows: rows.map(part), total }
        },
      }))
    },
  },
]

/** A total that the store keeps by itself in place of the true one, and what it adds for a record `deleted`, or `erased` after that. */
function keepTotals({
  deleted = -1,
  erased = 0,
  isShared = false,
}: {
  deleted?: number
  erased?: number
  isShared?: boolean
}): Alter {
  const kept = new Map<string, number>()
  return (store, { spec: place, workspace }) => {
    const key = `${place.name} ${isShared ? '' : workspace}`
    const add = (by: number) => kept.set(key, (kept.get(key) ?? 0) + by)
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
        if (isGone) add(deleted)
        return isGone
      },
      async hardDelete(id) {
        const isLive = (await store.get(id)) !== undefined
        await store.hardDelete(id)
        add(isLive ? -1 : -erased)
      },
      async list(query) {
        const page = await store.list(query)
        return query.where.length === 0 ? { ...page, total: kept.get(key) ?? 0 } : page
      },
    }
  }
}
