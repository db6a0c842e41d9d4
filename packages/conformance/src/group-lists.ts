import type { GroupListQuery } from '@sales-crm/core/ports'
import { expect } from 'vitest'
import type { Case, Context, Group } from './case.ts'
import { getCollection, type Row, type RowStore, read, write } from './collections.ts'
import { cloneRow, insertRow, instant } from './sample-rows.ts'

type Query = GroupListQuery<Row>
type Section = Query['sections'][number]

const DEALS = getCollection('deals')
const SUMS = { groupBy: 'stage_id', sum: 'amount', sumBy: 'currency' } as const
const LIMIT = 3

export const groupLists: Group = {
  name: 'listGroups',
  cases: [
    // With and without an index on the order within a stage.
    ...['created_at', 'amount', 'closed_at', 'name'].map(equalsLists),
    {
      name: 'returns no group without a matching record, and none that is in no section',
      async run(context) {
        const [first, second] = await insertStages(context)
        const groups = await listGroups(context, { keys: [stageOf(second)] })
        expect(groups.map(({ key }) => key)).toEqual([stageOf(second)])
        const none = await listGroups(context, { keys: [stageOf(first)], where: [NEVER] })
        expect(none).toEqual([])
      },
    },
    {
      name: 'excludes deleted records and those of another workspace',
      async run(context) {
        const [first, second] = await insertStages(context)
        const [other] = await insertStages({ ...context, workspace: context.otherWorkspace })
        await write(context, DEALS, (store) => store.softDelete(first.id, instant(9)))
        const keys = [first, second, other].map(stageOf)
        const groups = await listGroups(context, { keys })
        expect(groups.flatMap(({ rows }) => rows.map(({ id }) => id))).not.toContain(first.id)
        expect(groups.map(({ key }) => key)).not.toContain(stageOf(other))
      },
    },
    {
      name: 'sums exactly beyond 2^53',
      async run(context) {
        const [first] = await insertStages(context)
        const large = Array.from({ length: 30 }, (_, nth) =>
          cloneRow(DEALS, first, { amount: 1e15 - nth, currency: 'COP' }),
        )
        await write(context, DEALS, (store) => store.insertMany(large))
        const [group] = await listGroups(context, { keys: [stageOf(first)] })
        expect(group!.sums).toContainEqual({ key: 'COP', count: 30, sum: 29_999_999_999_999_565n })
      },
    },
  ],
}

const NEVER = { field: 'closed_at', from: '2100-01-01T00:00:00.000Z' } as const

/** Inserts two stages with five deals each, of which some are alike in every order. */
async function insertStages(context: Pick<Context, 'storage' | 'workspace'>): Promise<[Row, Row]> {
  const stages = [await insertRow(context, DEALS, {}, 1), await insertRow(context, DEALS, {}, 2)] as const
  const clones = stages.flatMap((row) => [
    cloneRow(DEALS, row, { amount: 7, currency: 'USD', search_terms: 'ana', closed_at: null, name: 'b' }),
    cloneRow(DEALS, row, { amount: 7, currency: 'BRL', search_terms: 'ana', closed_at: null, name: 'b' }),
    cloneRow(DEALS, row, { amount: 9, currency: 'USD', search_terms: 'ana bia', closed_at: instant(5) }),
    cloneRow(DEALS, row, { amount: 1, search_terms: 'bia', closed_at: instant(4), created_at: instant(8) }),
  ])
  await write(context, DEALS, (store) => store.insertMany(clones))
  return [...stages]
}

function stageOf(row: Row): string {
  return row['stage_id'] as string
}

type SectionOptions = Partial<Section> & Pick<Section, 'keys'>

function listGroups(
  context: Context,
  { where = [], ...section }: SectionOptions & Pick<Partial<Query>, 'where'>,
) {
  const sections = [{ order_by: 'created_at', order: 'asc', where: [], ...section }] as const
  return read(context, DEALS, (store) => store.listGroups({ ...SUMS, where, sections, limit: LIMIT }))
}

/** Two sections with opposite orders, one with a condition of its own. */
function equalsLists(order_by: string): Case {
  return {
    name: `has the rows and the sums of a list per group, ordered by ${order_by}`,
    async run(context) {
      const [first, second] = await insertStages(context)
      const wheres = [
        [],
        [{ field: 'search_terms', hasPrefix: 'an' }],
        [{ field: 'currency', is: 'USD' }],
      ] as const
      for (const where of wheres) {
        const sections: readonly Section[] = [
          { keys: [stageOf(first)], order_by, order: 'asc', where: [] },
          {
            ...{ keys: [stageOf(second)], order_by, order: 'desc' },
            where: [{ field: 'closed_at', from: instant(5) }],
          },
        ]
        const query = { ...SUMS, where, sections, limit: LIMIT }
        await read(context, DEALS, async (store) => {
          const groups = await store.listGroups(query)
          const expected = await Promise.all(sections.map((section) => listGroup(store, where, section)))
          expect(new Map(groups.map(({ key, rows }) => [key, rows]))).toEqual(
            new Map(expected.map(({ key, rows }) => [key, rows])),
          )
          const sums = (list: readonly { readonly sums: readonly unknown[] }[]) =>
            new Set(list.flatMap((group) => group.sums))
          expect(sums(groups)).toEqual(sums(expected))
        })
      }
    },
  }
}

async function listGroup(
  store: RowStore,
  where: Query['where'],
  { keys: [key], order_by, order, where: ofSection }: Section,
) {
  const conditions = [{ field: 'stage_id', is: key! }, ...where, ...ofSection]
  const { rows } = await store.list({ page: 1, per_page: LIMIT, order_by, order, where: conditions })
  const totals = await store.aggregate({
    where: conditions,
    groupBy: [{ field: 'currency' }],
    ...{ sum: 'amount', order: 'count', limit: 100 },
  })
  return {
    key: key!,
    rows,
    sums: totals.map(({ keys, count, sum }) => ({ key: String(keys[0]), count, sum })),
  }
}
