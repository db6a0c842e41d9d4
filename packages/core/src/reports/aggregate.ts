import { type Actor, authorize } from '../actor.ts'
import { CURRENCIES, type Currency } from '../deals/currency.ts'
import type { Condition, GroupBy, Ports, Summary } from '../ports.ts'
import { storeQuery } from '../records/query.ts'
import { type Unit, unitOf } from '../records/unit.ts'
import { type AnyRecord, type AskedAggregate, askedOf, kindOf, MONEY } from './aggregate-input.ts'
import { GROUPED, type Grouping } from './groupings.ts'
import type { Aggregate, AggregateGroup } from './views.ts'
import { rounded, wholeNumber } from './whole-number.ts'

const MOST_GROUPS = 200
const NOTHING: Condition<AnyRecord> = { field: 'id', oneOf: [] }

export async function aggregate({ storage }: Pick<Ports, 'storage'>, actor: Actor, input: unknown): Promise<Aggregate> {
  const asked = askedOf(input)
  const { entity, metric, field, group_by } = asked
  authorize(actor, kindOf(entity).scopes.read)
  return storage.survey(async (tx) => {
    const unit = unitOf(tx, actor.workspaceId)
    const grouping = group_by === undefined ? undefined : GROUPED[group_by]
    const found = await summariesOf(asked, grouping, unit)
    const largest = found.slice(0, MOST_GROUPS)
    const groups = grouping?.month ? largest.toSorted(byMonth) : largest
    const ids = [...new Set(groups.flatMap(({ key }) => (typeof key === 'string' ? [key] : [])))]
    const names = (ids.length === 0 ? undefined : await grouping?.names?.(ids, unit)) ?? new Map<string, string>()
    return {
      entity,
      metric,
      field: field ?? null,
      group_by: group_by ?? null,
      groups: groups.map((group): AggregateGroup => {
        const { key, currency, count } = group
        return { key, name: names.get(String(key)) ?? null, currency, count, value: figureOf(group, asked) }
      }),
      more: found.length > groups.length,
    }
  })
}

interface Found extends Pick<AggregateGroup, 'key' | 'currency' | 'count'> {
  readonly sum: bigint
}

/** The groups in order, one more than are answered where there are more. */
async function summariesOf(asked: AskedAggregate, grouping: Grouping | undefined, unit: Unit): Promise<Found[]> {
  const { entity, metric, field } = asked
  const { filters, store } = kindOf(entity)
  const wanted = await storeQuery({ ...asked.filter, page: 1, per_page: 1, order: 'asc', order_by: 'id' }, filters, unit)
  const standsFor = await grouping?.standsFor?.(unit)
  const isMoney = field !== undefined && MONEY.includes(field)
  const by: GroupBy<AnyRecord>[] = grouping ? [{ field: grouping.field, month: grouping.month === true }] : []
  if (isMoney && grouping?.field !== 'currency') by.push({ field: 'currency' })
  const found = await store(unit.stores).summarize({
    where: wanted?.where ?? [NOTHING],
    by,
    ...(field && { sum: field }),
    order: metric === 'sum' ? 'sum' : 'count',
    most: standsFor ? standsFor.size * CURRENCIES.length : MOST_GROUPS + 1,
  })
  const groups = found.map(({ keys, count, sum }) => {
    const currency = isMoney ? (keys.at(-1) as Currency) : null
    return { key: grouping ? keyOf(keys[0]!, standsFor) : null, currency, count, sum }
  })
  return standsFor ? merged(groups, metric) : groups
}

function keyOf(key: Summary['keys'][number], standsFor: ReadonlyMap<string, string> | undefined): AggregateGroup['key'] {
  if (typeof key === 'number') return String(key)
  return standsFor ? (standsFor.get(String(key)) ?? null) : key
}

/** Those of one key and one currency as one, the greatest first. */
function merged(groups: readonly Found[], metric: AskedAggregate['metric']): Found[] {
  const together = Map.groupBy(groups, ({ key, currency }) => `${key} ${currency}`)
  const size = ({ count, sum }: Found) => (metric === 'sum' ? sum : BigInt(count))
  return [...together.values()]
    .map(
      (same): Found => ({
        ...same[0]!,
        count: same.reduce((all, { count }) => all + count, 0),
        sum: same.reduce((all, { sum }) => all + sum, 0n),
      }),
    )
    .sort((a, b) => Number(size(b) - size(a)))
}

/** From the first to the last, those without one at the end. */
function byMonth({ key: a }: Found, { key: b }: Found): number {
  if (a === b) return 0
  return a !== null && (b === null || a < b) ? -1 : 1
}

function figureOf({ count, sum }: Found, { metric }: AskedAggregate): number | null {
  if (metric === 'count') return count
  return metric === 'sum' ? wholeNumber(sum, 'field') : rounded(sum, BigInt(count), 2)
}
