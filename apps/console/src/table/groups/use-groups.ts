import type { AggregateQuery } from '@sales-crm/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useConsole } from '../../app/console-context.ts'
import { useViewParams } from '../../app/use-view-params.ts'
import { useFilterFields } from '../../filters/use-filter-fields.ts'
import type { CreatableKind } from '../../records/kinds.ts'
import { useMenu } from '../../reference/queries.ts'
import { aggregate } from '../../reports/queries.ts'
import type { RowsSource } from '../list-source.ts'
import { conditionOf, GROUPINGS, type Group, type Grouping, mergeCurrencies, sortGroups } from './grouping.ts'
import type { Section } from './lines.ts'
import { useGroupTexts } from './texts.ts'
import { useFoldedKeys } from './use-folded-keys.ts'

/** A group as its head shows it. */
export interface GroupHead extends Section, Group {
  readonly label: string
  /** Of a group of an owner's records. */
  readonly owner: { readonly id: string; readonly name: string } | undefined
}

interface GroupPart<Row> extends GroupHead {
  readonly source: RowsSource<Row>
}

/** The groups of a table, and how they are read. */
export interface GroupedRows<Row> {
  readonly parts: readonly GroupPart<Row>[]
  /** Number of the records in all groups. */
  readonly total: number
  /** False if there are more groups than are shown. */
  readonly isWhole: boolean
  readonly data: object | undefined
  readonly error: Error | null
  readonly isPlaceholderData: boolean
  refetch(): void
  fold(section: number, isFolded: boolean): void
}

/** How the address groups the table; undefined if it does not. */
export function useGrouping(kind: CreatableKind): Grouping | undefined {
  const { params } = useViewParams()
  return GROUPINGS[kind].find(({ name }) => name === params.get('group'))
}

/**
 * The groups of a list.
 * @param query of the list
 * @returns undefined if the address does not group
 */
export function useGroups<Row>(
  kind: CreatableKind,
  query: object,
  source: RowsSource<Row>,
): GroupedRows<Row> | undefined {
  const { crm } = useConsole()
  const grouping = useGrouping(kind)
  const labels = useGroupLabels(kind, grouping)
  const folded = useFoldedKeys(`${kind}.${grouping?.name}`)
  const groupQuery = toAggregateQuery(kind, query, grouping?.name)
  const read = useQuery({
    queryKey: ['reports', 'groups', groupQuery],
    queryFn: ({ signal }) => aggregate(crm.reports, groupQuery, { signal }),
    enabled: grouping !== undefined,
    placeholderData: keepPreviousData,
  })
  if (!grouping) return undefined
  const names = new Map((read.data?.groups ?? []).map(({ key, name }) => [key, name]))
  const isOfGrouping = read.data?.group_by === grouping.name
  const groups = mergeCurrencies(isOfGrouping ? read.data!.groups : []).map((group) => ({
    ...group,
    label: labels.labelOf(group.key, names.get(group.key)),
  }))
  const months = grouping.isMonth && groups.flatMap(({ key }) => key ?? []).sort()
  const parts = sortGroups(groups, months || labels.menu).map(
    (group): GroupPart<Row> => ({
      ...group,
      owner: labels.ownerOf(group.key),
      hasHead: true,
      isFolded: folded.has(group.key),
      source: source.within(conditionOf(grouping, group.key)),
    }),
  )
  return {
    ...read,
    data: isOfGrouping ? read.data : undefined,
    parts,
    total: parts.reduce((total, { count }) => total + count, 0),
    isWhole: !read.data?.more,
    fold: (section, isFolded) => folded.set(parts[section]!.key, isFolded),
  }
}

/** The aggregate of what a list finds: its number, and of deals the sums of their amounts. */
export function toAggregateQuery(
  entity: CreatableKind,
  query: object,
  group_by: AggregateQuery['group_by'],
): AggregateQuery {
  const { order, order_by, include, ...filters } = query as Readonly<Record<string, unknown>>
  return {
    ...filters,
    entity,
    ...(entity === 'deals' ? { metric: 'sum', field: 'amount' } : { metric: 'count' }),
    group_by,
  } as AggregateQuery
}

/** What the groups are called. */
function useGroupLabels(kind: CreatableKind, grouping: Grouping | undefined) {
  const { dates } = useConsole()
  const groupTexts = useGroupTexts()
  const members = useMenu('members').data ?? []
  const choices = useFilterFields(kind).find(({ name }) => name === grouping?.field)?.choices ?? []
  const isOwner = grouping?.name === 'owner'
  const ownerOf = (key: string | null) => (isOwner ? members.find(({ id }) => id === key) : undefined)
  return {
    /** The values of a menu in its order; none for owners, who are ordered by name. */
    menu: isOwner ? [] : choices.map(({ value }) => value),
    ownerOf,
    labelOf(key: string | null, name: string | null | undefined): string {
      if (key === null) return isOwner ? groupTexts.nobody : groupTexts.noValue
      if (grouping?.isMonth) return dates.month(key)
      const label = ownerOf(key)?.name ?? choices.find(({ value }) => value === key)?.label
      return label ?? name ?? key
    },
  }
}
