import type { Storage } from '@sales-crm/core/ports'
import { alterStorage } from './altered-storage.ts'
import type { Breakage } from './breakage.ts'

export const SCAN_BREAKAGES: readonly Breakage<Storage>[] = [
  {
    guarantee: 'scan tells live records from deleted ones',
    breakage: 'scan returns deleted records among the live ones',
    noticedBy: 'scan: people: scan visits live records and deleted ones apart, by id, in pages',
    open: () =>
      alterStorage((store) => ({
        scan: async (query) => [
          ...(await store.scan(query)),
          ...(query.state === 'live' ? await store.scan({ ...query, state: 'deleted' }) : []),
        ],
      })),
  },
  {
    guarantee: 'A page of scan begins after an id',
    breakage: 'scan includes the id after which it begins',
    noticedBy: 'scan: deals: scan visits live records and deleted ones apart, by id, in pages',
    open: () =>
      alterStorage((store) => ({
        async scan(query) {
          const all = await store.scan({ ...query, after: null, limit: 1000 })
          return all.filter(({ record }) => record.id >= (query.after ?? '')).slice(0, query.limit)
        },
      })),
  },
  {
    guarantee: 'scan keeps the order of ids',
    breakage: 'scan orders by creation',
    noticedBy: 'scan: tags: scan visits live records and deleted ones apart, by id, in pages',
    open: () =>
      alterStorage((store) => ({
        scan: async (query) =>
          [...(await store.scan(query))].sort((a, b) => (a.record.created_at < b.record.created_at ? -1 : 1)),
      })),
  },
  {
    guarantee: 'scan returns when a record was deleted',
    breakage: 'scan returns no time of deletion',
    noticedBy: 'scan: tasks: scan visits live records and deleted ones apart, by id, in pages',
    open: () =>
      alterStorage((store) => ({
        scan: async (query) => (await store.scan(query)).map((row) => ({ ...row, deleted_at: null })),
      })),
  },
]
