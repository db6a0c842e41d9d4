import type { Aggregate, AggregateQuery, FilterCondition } from '@sales-crm/client'
import { daysOfMonth } from '../../format/calendar.ts'
import type { Amount } from '../../format/money.ts'
import type { CreatableKind } from '../../records/kinds.ts'
import type { Texts } from '../../texts/en.ts'

/** What the rows of a table are grouped by. */
export interface Grouping {
  /** At aggregates, and in the address. */
  readonly name: NonNullable<AggregateQuery['group_by']>
  /** At filters. */
  readonly field: string
  readonly label: keyof Texts['labels']
  /** True if the values are months of the field. */
  readonly isMonth?: true
}

const OWNER: Grouping = { name: 'owner', field: 'owner', label: 'owner' }
const CREATED: Grouping = { name: 'created_month', field: 'created_at', label: 'created', isMonth: true }

export const GROUPINGS: Readonly<Record<CreatableKind, readonly Grouping[]>> = {
  people: [OWNER, CREATED],
  companies: [OWNER, CREATED],
  deals: [
    OWNER,
    { name: 'stage_id', field: 'stage', label: 'stage' },
    { name: 'status', field: 'stage.type', label: 'status' },
    { name: 'source', field: 'source', label: 'source' },
    CREATED,
    { name: 'closed_month', field: 'closed_at', label: 'closed', isMonth: true },
  ],
  tasks: [
    OWNER,
    { name: 'type', field: 'type', label: 'type' },
    { name: 'priority', field: 'priority', label: 'priority' },
    { name: 'due_month', field: 'due_date', label: 'due', isMonth: true },
  ],
  products: [
    { name: 'billing_cycle', field: 'billing_cycle', label: 'billing' },
    { name: 'currency', field: 'currency', label: 'currency' },
  ],
}

/** The rows that have one value. */
export interface Group {
  /** Null for those that have none. */
  readonly key: string | null
  readonly count: number
  /** The sums of their amounts, one for each currency. */
  readonly sums: readonly Amount[]
}

/** Joins the groups of a value, which aggregates return for each currency. */
export function mergeCurrencies(groups: Aggregate['groups']): readonly Group[] {
  return [...Map.groupBy(groups, ({ key }) => key)].map(([key, members]) => ({
    key: key === null ? null : String(key),
    count: members.reduce((total, { count }) => total + count, 0),
    sums: members.flatMap(({ currency, value }) => (currency && value ? [{ currency, amount: value }] : [])),
  }))
}

/**
 * Orders groups: values of a menu as the menu has them, others by name. Rows without a value come last.
 * @param menu values in their order
 */
export function sortGroups<Each extends Pick<Group, 'key'> & { readonly label: string }>(
  groups: readonly Each[],
  menu: readonly string[],
): readonly Each[] {
  const place = ({ key }: Each) =>
    key === null ? menu.length + 1 : (menu.indexOf(key) + 1 || menu.length + 1) - 1
  return groups.toSorted(
    (one, other) =>
      Number(one.key === null) - Number(other.key === null) ||
      place(one) - place(other) ||
      one.label.localeCompare(other.label),
  )
}

/** The condition that the rows of a group fulfil. */
export function conditionOf({ field, isMonth }: Grouping, key: string | null): FilterCondition {
  if (key === null) return { field, op: 'is_empty' }
  return isMonth ? { field, op: 'between', value: daysOfMonth(key) } : { field, op: 'is', value: key }
}
