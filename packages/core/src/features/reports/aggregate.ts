import { prefixFields } from '../../engine/error-fields.ts'
import { toListQuery } from '../../engine/list-query.ts'
import { visibleWhere } from '../../engine/visible-records.ts'
import {
  readWorkspace,
  type ViewTransaction,
  type WorkspaceTransaction,
} from '../../engine/workspace-transaction.ts'
import { type Actor, requireScope } from '../../kernel/actor.ts'
import type { AggregateRow, Condition, GroupBy, Ports } from '../../ports/index.ts'
import { CURRENCIES, type Currency } from '../../schema/currency.ts'
import {
  type AnyRecord,
  getAggregateResource,
  MONEY_FIELDS,
  type ParsedAggregateInput,
  parseAggregateInput,
} from './aggregate-input.ts'
import { roundRatio, toSafeInteger } from './exact-numbers.ts'
import { findReferencedKind, GROUPINGS, type Grouping, loadGroupNames } from './groupings.ts'
import { loadMonthBoundaries, type MonthBoundaries } from './month-boundaries.ts'
import type { Aggregate, AggregateGroup } from './report-views.ts'

const MAX_GROUPS = 200
const MATCH_NOTHING: Condition<AnyRecord> = { field: 'id', oneOf: [] }

export async function aggregate(
  ports: Pick<Ports, 'storage' | 'issuer' | 'now'>,
  actor: Actor,
  input: unknown,
): Promise<Aggregate> {
  const parsed = parseAggregateInput(input)
  const { entity, metric, field, group_by } = parsed
  requireScope(actor, getAggregateResource(entity).scopes.read)
  return readWorkspace(
    ports,
    actor,
    async (transaction) => {
      const grouping = group_by === undefined ? undefined : GROUPINGS[group_by]
      const allGroups = await loadGroups(parsed, grouping, transaction)
      const largest = allGroups.slice(0, MAX_GROUPS)
      const groups = grouping?.month ? largest.toSorted(compareMonths) : largest
      const ids = [...new Set(groups.flatMap(({ key }) => (typeof key === 'string' ? [key] : [])))]
      const names = grouping && (await loadGroupNames(entity, grouping, ids, transaction))
      return {
        entity,
        metric,
        field: field ?? null,
        group_by: group_by ?? null,
        groups: groups.map((group): AggregateGroup => {
          const { key, currency, count } = group
          return {
            key,
            name: names?.get(String(key)) ?? null,
            currency,
            count,
            value: computeValue(group, parsed),
          }
        }),
        more: allGroups.length > groups.length,
      }
    },
    { workload: 'report' },
  )
}

interface Group extends Pick<AggregateGroup, 'key' | 'currency' | 'count'> {
  readonly sum: bigint
}

/** Returns the groups, the largest first. Without a key map, at most one more than the response holds. */
async function loadGroups(
  parsed: ParsedAggregateInput,
  grouping: Grouping | undefined,
  transaction: ViewTransaction,
): Promise<Group[]> {
  const { entity, metric, field } = parsed
  const { filters, store } = getAggregateResource(entity)
  const parameters = { ...parsed.filter, page: 1, per_page: 1, order: 'asc', order_by: 'id' } as const
  const query = await prefixFields('filter', () => toListQuery(parameters, { filters }, transaction))
  const where = query?.where ?? [MATCH_NOTHING]
  const boundaries = grouping?.month
    ? await loadMonthBoundaries(store(transaction.stores), grouping.field, where, transaction)
    : undefined
  const keyMap = boundaries ? mapMonths(boundaries) : await grouping?.loadKeyMap?.(transaction)
  const isMoney = field !== undefined && MONEY_FIELDS.includes(field)
  const by: GroupBy<AnyRecord>[] = grouping
    ? [{ field: grouping.field, ...(boundaries && { boundaries: boundaries.starts }) }]
    : []
  if (isMoney && grouping?.field !== 'currency') by.push({ field: 'currency' })
  const aggregateRows = (conditions: readonly Condition<AnyRecord>[], groupBy = by) =>
    store(transaction.stores).aggregate({
      where: [...where, ...conditions],
      groupBy,
      ...(field && { sum: field }),
      order: metric === 'sum' ? 'sum' : 'count',
      // With a key map all groups are needed, also that of null.
      limit: keyMap ? (keyMap.size + 1) * CURRENCIES.length : MAX_GROUPS + 1,
    })
  const toGroup = (key: Group['key'], { keys, count, sum }: AggregateRow): Group => ({
    ...{ key, currency: isMoney ? (keys.at(-1) as Currency) : null, count, sum },
  })
  const isShown = grouping && (await findShownRelations(entity, grouping, transaction))
  const rows = await aggregateRows(isShown ? [isShown] : [])
  const groups = rows.map((row) => toGroup(grouping ? toGroupKey(row.keys[0]!, keyMap) : null, row))
  if (isShown) {
    const others = await aggregateRows([{ not: isShown }], by.slice(1))
    return mergeGroups([...groups, ...others.map((row) => toGroup(null, row))], metric)
  }
  return keyMap ? mergeGroups(groups, metric) : groups
}

/** The condition on records whose group the actor may see; undefined if it may see all. Others belong to no group. */
async function findShownRelations(
  entity: ParsedAggregateInput['entity'],
  { field }: Grouping,
  transaction: WorkspaceTransaction,
): Promise<Condition<AnyRecord> | undefined> {
  const collection = findReferencedKind(entity, field)
  if (collection === undefined) return undefined
  const where = await visibleWhere(collection, transaction)
  return where.length > 0
    ? ({ field, whereRelated: { collection, where } } as Condition<AnyRecord>)
    : undefined
}

function toGroupKey(
  key: AggregateRow['keys'][number],
  keyMap: ReadonlyMap<string, string | null> | undefined,
): AggregateGroup['key'] {
  if (keyMap) return keyMap.get(String(key)) ?? null
  return typeof key === 'number' ? String(key) : key
}

/** The month after each number of boundaries. */
function mapMonths({ months }: MonthBoundaries): ReadonlyMap<string, string> {
  return new Map(months.map((month, index) => [String(index + 1), month]))
}

/** Merges groups of the same key and currency, the largest first. */
function mergeGroups(groups: readonly Group[], metric: ParsedAggregateInput['metric']): Group[] {
  const byKey = Map.groupBy(groups, ({ key, currency }) => `${key} ${currency}`)
  const getSize = ({ count, sum }: Group) => (metric === 'sum' ? sum : BigInt(count))
  return [...byKey.values()]
    .map(
      (members): Group => ({
        ...members[0]!,
        count: members.reduce((total, { count }) => total + count, 0),
        sum: members.reduce((total, { sum }) => total + sum, 0n),
      }),
    )
    .sort((a, b) => Number(getSize(b) - getSize(a)))
}

/** Sorts months in ascending order, with null last. */
function compareMonths({ key: a }: Group, { key: b }: Group): number {
  if (a === b) return 0
  return a !== null && (b === null || a < b) ? -1 : 1
}

function computeValue({ count, sum }: Group, { metric }: ParsedAggregateInput): number | null {
  if (metric === 'count') return count
  return metric === 'sum' ? toSafeInteger(sum, 'field') : roundRatio(sum, BigInt(count), 2)
}
