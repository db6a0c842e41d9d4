import { type ListQuery, MAX_CONDITIONS } from '@sales-crm/core/ports'
import { array, assert, asyncProperty, constantFrom, integer, letrec, oneof } from 'fast-check'
import { expect } from 'vitest'
import type { Case, Context, Group } from './case.ts'
import { getCollection, type Row, type RowStore, read, readReport } from './collections.ts'
import { allOf, anyOf, insertSampleDeals, not, type Rule, type SampleDeals } from './sample-deals.ts'
import { findConsistently } from './search-helpers.ts'

const DEALS = getCollection('deals')

export const logicalConditions: Group = {
  name: 'logical conditions',
  cases: [
    rule('`not` matches the other live records of the workspace, null included', async (samples) => {
      for (const each of Object.values(samples.rules)) await samples.check(not(each))
    }),
    rule('`not` of `not` matches what its condition matches', async (samples) => {
      for (const each of Object.values(samples.rules)) await samples.check(not(not(each)))
    }),
    rule('`anyOf` matches what one of its conditions matches', async (samples) => {
      const rules = Object.values(samples.rules)
      for (const each of rules) await samples.check(anyOf([samples.rules['is']!, each]))
      for (const count of [1, 3, rules.length]) await samples.check(anyOf(rules.slice(0, count)))
    }),
    rule('`allOf` matches what all of its conditions match', async (samples) => {
      for (const each of Object.values(samples.rules)) await samples.check(allOf([not(each), not(each)]))
      const { is, hasTerm, notExists } = samples.rules as Required<SampleDeals['rules']>
      await samples.check(anyOf([is!, allOf([hasTerm!, notExists!])]))
    }),
    rule('an empty `anyOf` matches nothing, an empty `allOf` everything', async (samples) => {
      for (const none of [anyOf([]), not(allOf([])), anyOf([anyOf([]), not(allOf([]))])])
        expect(await samples.check(none)).toBe(0)
      for (const all of [allOf([]), not(anyOf([])), anyOf([anyOf([]), allOf([])])])
        expect(await samples.check(all)).toBe(samples.deals.length)
    }),
    rule('logical conditions are nested in one another', async (samples) => {
      for (const one of Object.values(samples.rules)) {
        const { is, to, hasPrefix } = samples.rules as Required<SampleDeals['rules']>
        await samples.check(anyOf([is!, not(anyOf([to!, not(one)]))]))
        await samples.check(not(anyOf([allOf([hasPrefix!, one]), allOf([not(one), not(is!)])])))
      }
    }),
    rule('logical conditions apply together with conditions on fields and on terms', async (samples) => {
      const { hasTerm, hasPrefix, is, to, whereRelated, notExists } = samples.rules
      for (const one of [hasTerm!, is!, to!, whereRelated!, notExists!])
        for (const other of [hasPrefix!, is!, to!, notExists!]) {
          await samples.check(one, not(other))
          await samples.check(one, anyOf([other, not(one)]), not(other))
        }
    }),
    rule(
      'alternatives of all of some terms and of ids apply alone and together with others',
      async (samples) => {
        const { hasTerm, hasPrefix, oneOf, is, to, notExists } = samples.rules
        for (const words of [[hasPrefix!], [hasPrefix!, hasTerm!]]) {
          const alternatives = anyOf([allOf(words), oneOf!])
          await samples.check(alternatives)
          await samples.checkAggregates(alternatives)
          for (const other of [
            is!,
            not(to!),
            notExists!,
            hasTerm!,
            not(alternatives),
            anyOf([is!, hasTerm!]),
          ]) {
            await samples.check(alternatives, other)
            await samples.check(other, alternatives)
          }
        }
      },
    ),
    rule('queries alike in structure differ by their values', async (samples) => {
      const owners = samples.deals.map((deal) => deal['owner_user_id'] as string | null)
      for (const [nth, deal] of samples.deals.entries()) {
        const own = { field: 'id', is: deal.id }
        const ownOrSameName = anyOf([
          { condition: own, applies: (each) => each === nth },
          { condition: { field: 'name', oneOf: [`Deal ${nth + 1}`] }, applies: (each) => each === nth + 1 },
        ])
        const ofOtherOwner = not({
          condition: { field: 'owner_user_id', is: owners[nth]! },
          applies: (each) => owners[each] === owners[nth],
        })
        await samples.check(ownOrSameName)
        await samples.check(ownOrSameName, ofOtherOwner)
      }
    }),
    rule('a query has `MAX_CONDITIONS` conditions, side by side or one within the other', async (samples) => {
      const named = Array.from({ length: 42 }, (_, nth) => ({
        condition: { field: 'name', is: `Deal ${2 * nth}` },
        applies: (each: number) => each === 2 * nth,
      }))
      const alternatives = named.map((each, nth) => (nth % 2 === 0 ? each : allOf([each])))
      await samples.check(anyOf(alternatives))
      const steps = Array.from({ length: MAX_CONDITIONS - 1 }, (_, nth) => nth)
      const nested = steps.reduce(
        (inner, nth) => (nth % 3 === 0 ? anyOf([inner]) : not(inner)),
        named[1] as Rule,
      )
      await samples.check(nested)
    }),
    rule('sums, groups and medians are those of the matches', async (samples) => {
      const { hasTerm, whereRelated, notExists, from } = samples.rules
      for (const each of [not(hasTerm!), anyOf([whereRelated!, from!]), not(notExists!), not(from!)])
        await samples.checkAggregates(each)
    }),
    rule('the sections of groups have logical conditions on fields of the record', async (samples) => {
      const rules = Object.values(samples.ownRules)
      for (const each of [...rules.map(not), anyOf(rules), not(allOf([rules[0]!, not(rules[1]!)]))])
        await samples.checkSection(each)
    }),
    rule('any page equals that slice of the sorted matches, for any conditions', async (samples) => {
      const { deals, rules, check } = samples
      const tree = anyTree(Object.values(rules))
      const pages = [integer({ min: 1, max: 4 }), integer({ min: 1, max: 5 })] as const
      const sorting = [
        constantFrom('created_at', 'amount', 'closed_at'),
        constantFrom('asc', 'desc'),
      ] as const
      const property = asyncProperty(
        array(tree, { minLength: 1, maxLength: 3 }),
        ...pages,
        ...sorting,
        async (trees, page, per_page, order_by, order) => {
          await check(...trees)
          const { applies, condition } = allOf(trees)
          const query: ListQuery<Row> = { page, per_page, order_by, order, where: [condition] }
          const result = await samples.readReport((store) => store.list(query))
          const matches = deals.filter((_, nth) => applies(nth)).sort(compareBy(order_by))
          const sorted = order === 'asc' ? matches : matches.toReversed()
          const slice = sorted.slice((page - 1) * per_page, page * per_page)
          expect(result.rows.map(({ name }) => name)).toEqual(slice.map(({ name }) => name))
          expect(result.total).toBe(matches.length)
        },
      )
      await assert(property, { numRuns: 60 })
    }),
  ],
}

/** Any condition of logical ones and of the given ones. */
function anyTree(rules: readonly Rule[]) {
  const { tree } = letrec<{ tree: Rule }>((tie) => ({
    tree: oneof(
      { maxDepth: 4, depthSize: 'medium', withCrossShrink: true },
      constantFrom(...rules),
      tie('tree').map(not),
      array(tie('tree'), { maxLength: 3 }).map(anyOf),
      array(tie('tree'), { maxLength: 3 }).map(allOf),
    ),
  }))
  return tree
}

interface Samples extends SampleDeals {
  readReport<T>(work: (store: RowStore) => Promise<T>): Promise<T>
  /** Expects that a query with the conditions has the matches of all rules. Returns their number. */
  check(...rules: readonly Rule[]): Promise<number>
  checkAggregates(rule: Rule): Promise<void>
  checkSection(rule: Rule): Promise<void>
}

function rule(name: string, check: (samples: Samples) => Promise<void>): Case {
  return {
    name,
    async run(context) {
      await check(createChecks(context, await insertSampleDeals(context)))
    },
  }
}

function createChecks(context: Context, samples: SampleDeals): Samples {
  const matchesOf = ({ applies }: Rule) => samples.deals.filter((_, nth) => applies(nth))
  const readDeals: Samples['readReport'] = (work) => read(context, DEALS, work)
  return {
    ...samples,
    readReport: (work) => readReport(context, DEALS, work),
    async check(...rules) {
      const where = rules.map(({ condition }) => condition)
      const found = await readDeals((store) => findConsistently(store, where))
      const expected = matchesOf(allOf(rules))
      expect(namesOf(found), JSON.stringify(where)).toEqual(namesOf(expected))
      return found.length
    },
    async checkAggregates(each) {
      const [where, expected] = [[each.condition], matchesOf(each)]
      const sum = expected.reduce((total, deal) => total + BigInt(deal['amount'] as number), 0n)
      const closed = expected.filter((deal) => deal['closed_at'] !== null)
      await readDeals(async (store) => {
        const [all] = await store.aggregate({ where, groupBy: [], sum: 'amount', order: 'sum', limit: 1 })
        expect(all).toMatchObject({ count: expected.length, sum })
        const byCurrency = { where, groupBy: [{ field: 'currency' }], order: 'count', limit: 10 } as const
        const groups = await store.aggregate(byCurrency)
        expect(groups.reduce((total, { count }) => total + count, 0)).toBe(expected.length)
        const median = await store.medianDuration({ where, from: 'created_at', to: 'closed_at' })
        expect(median).toBe(medianOf(closed))
        expect(namesOf(await listStage(store, samples, { where }))).toEqual(namesOf(expected))
      })
    },
    async checkSection(each) {
      const section = [each.condition]
      const rows = await readDeals((store) => listStage(store, samples, { section }))
      expect(namesOf(rows), JSON.stringify(section)).toEqual(namesOf(matchesOf(each)))
    },
  }
}

/** The deals of the stage, after checking that the sums count as many. */
async function listStage(
  store: RowStore,
  { deals }: SampleDeals,
  { where = [], section = [] }: { where?: ListQuery<Row>['where']; section?: ListQuery<Row>['where'] },
): Promise<readonly Row[]> {
  const keys = [deals[0]!['stage_id'] as string]
  const sections = [{ keys, order_by: 'created_at', order: 'asc', where: section }] as const
  const by = { groupBy: 'stage_id', sum: 'amount', sumBy: 'currency', limit: deals.length } as const
  const [group] = await store.listGroups({ ...by, where, sections })
  const rows = group?.rows ?? []
  expect((group?.sums ?? []).reduce((total, { count }) => total + count, 0)).toBe(rows.length)
  return rows
}

function namesOf(rows: readonly Row[]): readonly unknown[] {
  return rows.map(({ name }) => name)
}

function medianOf(closed: readonly Row[]): number | undefined {
  const durations = closed.map((deal) => Date.parse(String(deal['closed_at'])) - Date.parse(deal.created_at))
  durations.sort((a, b) => a - b)
  const middle = (durations.length - 1) / 2
  return durations.length === 0
    ? undefined
    : (durations[Math.floor(middle)]! + durations[Math.ceil(middle)]!) / 2
}

/** Null first, and ties by id. */
function compareBy(field: string): (a: Row, b: Row) => number {
  const sortKey = (row: Row) => (row[field] ?? '') as string | number
  return (a, b) => compare(sortKey(a), sortKey(b)) || compare(a.id, b.id)
}

function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : Number(a > b)
}
