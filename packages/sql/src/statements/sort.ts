import type { ListQuery, RelatedSortKey, SortKey } from '@sales-crm/core/ports'
import { type Expression, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'
import { conditionsKey, relatedExpressions } from './conditions.ts'
import type { SelectQuery } from './select-query.ts'
import { type NamedValues, param } from './statement.ts'
import type { Conditions, StoredRecord } from './table-shape.ts'

/** The order of rows. */
export type Sort = SortKey<StoredRecord> & Pick<ListQuery<StoredRecord>, 'thenBy'>

/** The order of a page, and the columns that it leaves out. */
export type PageSort = Sort & Pick<ListQuery<StoredRecord>, 'omit'>

/** Pages of the same columns in the same order share a statement. */
export function pageKey({ omit = [], ...sort }: PageSort): string {
  const keys = listKeys(sort).map(
    ({ order_by, order, member, related }) =>
      `${order_by} ${member?.type ?? ''} ${related ? relatedKey(related) : ''} ${order}`,
  )
  return `${keys.join(' ')} -${omit.join('-')}`
}

function relatedKey({ collection, foreignKey, aggregate, field, where }: RelatedSortKey): string {
  return `${aggregate} ${collection} ${foreignKey} ${field}(${conditionsKey(where as Conditions)})`
}

/** The keys of an order without `id`. */
function listKeys({ thenBy, ...first }: Sort): readonly SortKey<StoredRecord>[] {
  return thenBy ? [first, thenBy] : [first]
}

/** The column by which alone rows are ordered, if there is one. */
export function findSortColumn({ order_by, member, related, thenBy }: Sort): string | undefined {
  return member || related || thenBy ? undefined : order_by
}

/** The columns that an order compares. */
export function listSortColumns(sort: Sort): readonly string[] {
  return listKeys(sort).map(({ order_by }) => order_by)
}

/**
 * Values bound by the statements of an order.
 * @param bindRelated the values of conditions on another table, whose names begin with the prefix
 */
export function sortValues(
  sort: Sort,
  bindRelated: (collection: string, where: Conditions, prefix: string) => NamedValues,
): NamedValues {
  return Object.assign(
    {},
    ...listKeys(sort).map(({ member, related }, index) => ({
      ...(member && { [memberParam(index)]: member.name }),
      ...(related && bindRelated(related.collection, related.where as Conditions, relatedPrefix(index))),
    })),
  )
}

/** What the names of the values of a key on other rows begin with. */
function relatedPrefix(index: number): string {
  return `sort_related_${index}`
}

function memberParam(index: number): string {
  return `sort_member_${index}`
}

/** The order that has the same rows backwards. */
export function reverseSort({ thenBy, ...sort }: PageSort): PageSort {
  const reverse = (order: Sort['order']) => (order === 'asc' ? 'desc' : 'asc')
  return {
    ...sort,
    order: reverse(sort.order),
    ...(thenBy && { thenBy: { ...thenBy, order: reverse(thenBy.order) } }),
  }
}

export interface SortContext {
  readonly dialect: Dialect
  /** The table, or what stands for it in the query. */
  readonly source: string
  /** How the columns of the order are referred to; default: by their names. */
  readonly columnRef?: ((column: string) => Expression<unknown>) | undefined
}

export function applySort(
  query: SelectQuery,
  sort: Sort,
  { dialect, source, columnRef = sql.ref }: SortContext,
): SelectQuery {
  return listKeys(sort)
    .reduce((sorted, { order_by, order, member, related }, index) => {
      const column = columnRef(order_by)
      const key = related
        ? relatedExpression(related, sql.ref(`${source}.id`), relatedPrefix(index), dialect)
        : member
          ? dialect.jsonMember(column, sql`${param(memberParam(index))}`, member.type)
          : column
      return sorted.orderBy(key, (by) => (order === 'asc' ? by.asc().nullsFirst() : by.desc().nullsLast()))
    }, query)
    .orderBy(columnRef('id'), sort.order)
}

/** What is computed of the rows of another table that refer to an id. An index on the reference finds them. */
function relatedExpression(
  { collection, foreignKey, aggregate, field, where }: RelatedSortKey,
  id: Expression<unknown>,
  prefix: string,
  dialect: Dialect,
): Expression<unknown> {
  const column = sql.ref(`${collection}.${field}`)
  const value = aggregate === 'sum' ? sql`sum(${column})` : sql`max(${column})`
  const conditions = relatedExpressions(collection, where, prefix, dialect)
  const others = conditions.length === 0 ? sql`` : sql` and ${sql.join(conditions, sql` and `)}`
  return sql`(select ${value} from ${sql.table(collection)}
    where ${sql.ref(`${collection}.workspace_id`)} = ${param('workspace_id')}
    and ${sql.ref(`${collection}.${foreignKey}`)} = ${id}
    and ${sql.ref(`${collection}.deleted_at`)} is null${others})`
}
