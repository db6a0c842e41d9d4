import type { GroupListQuery, RecordGroup, Storage } from '@sales-crm/core/ports'
import type { Row } from '../src/collections.ts'
import { alterStorage } from './altered-storage.ts'
import type { Breakage } from './breakage.ts'

type Query = GroupListQuery<Row>

/** A store that answers another query, or changes the groups. */
function alterGroupLists(
  alterQuery: (query: Query) => Query,
  alterGroup = (group: RecordGroup<Row>) => group,
): Storage {
  return alterStorage((store) => ({
    listGroups: async (query) => (await store.listGroups(alterQuery(query))).map(alterGroup),
  }))
}

const ORDERED = 'listGroups: has the rows and the sums of a list per group, ordered by name'

export const GROUP_LIST_BREAKAGES: readonly Breakage<Storage>[] = [
  {
    guarantee: 'Each section has its own conditions',
    breakage: 'the conditions of a section are ignored',
    noticedBy: ORDERED,
    open: () =>
      alterGroupLists(({ sections, ...query }) => ({
        ...query,
        sections: sections.map((section) => ({ ...section, where: [] })),
      })),
  },
  {
    guarantee: 'Each section has its own order',
    breakage: 'all sections have the order of the first',
    noticedBy: ORDERED,
    open: () =>
      alterGroupLists(({ sections, ...query }) => ({
        ...query,
        sections: sections.map((section) => ({ ...section, order: sections[0]!.order })),
      })),
  },
  {
    guarantee: 'Groups have at most `limit` records, and count all',
    breakage: 'the sums are those of the first records',
    noticedBy: ORDERED,
    open: () =>
      alterGroupLists(
        (query) => query,
        (group) => ({ ...group, sums: group.sums.map((sum) => ({ ...sum, count: Math.min(1, sum.count) })) }),
      ),
  },
  {
    guarantee: 'Sums of groups are exact',
    breakage: 'sums are rounded to a floating-point number',
    noticedBy: 'listGroups: sums exactly beyond 2^53',
    open: () =>
      alterGroupLists(
        (query) => query,
        (group) => ({ ...group, sums: group.sums.map((sum) => ({ ...sum, sum: BigInt(Number(sum.sum)) })) }),
      ),
  },
]
