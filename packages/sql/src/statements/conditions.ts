import type { Condition } from '@sales-crm/core/ports'
import { sql } from 'kysely'
import type { Dialect } from '../dialect.ts'
import { notExists, whereRelated } from './related-conditions.ts'
import { isTermCondition } from './search-terms.ts'
import type { SelectQuery } from './select-query.ts'
import { param, type Statement } from './statement.ts'
import type { Conditions, StoredRecord, TableShape } from './table-shape.ts'

/** How conditions become SQL. */
export interface ConditionOptions {
  /** The only column whose index may find the rows. Default: the planner chooses. */
  readonly indexColumn?: string | undefined
  /** What the names of the values begin with. Default: `where`. */
  readonly prefix?: string
}

/** Adds all conditions except those on terms. Their values are bound as `where_0`, `where_1` and so on. */
export function applyConditions(
  query: SelectQuery,
  where: Conditions,
  { name, kinds }: Pick<TableShape, 'name' | 'kinds'>,
  dialect: Dialect,
  { indexColumn, prefix = 'where' }: ConditionOptions = {},
): SelectQuery {
  return where.reduce((filtered, condition, index) => {
    if (isTermCondition(condition)) return filtered
    const { field } = condition
    const value = param(`${prefix}_${index}`)
    const usesIndex = indexColumn === undefined || indexColumn === field
    const column = usesIndex ? sql.ref(field) : dialect.plannerHints!.withoutIndex(field)
    if ('whereRelated' in condition)
      return filtered.where(whereRelated(name, condition.whereRelated, column, value))
    if ('notExists' in condition) return filtered.where(notExists(name, condition.notExists, value, dialect))
    if ('oneOf' in condition)
      return filtered.where(dialect.isInList(column, kinds.get(field)!, sql`${value}`))
    if ('from' in condition) return filtered.where(column, '>=', value)
    if ('to' in condition) return filtered.where(column, '<=', value)
    return condition.is === null ? filtered.where(column, 'is', null) : filtered.where(column, '=', value)
  }, query)
}

/**
 * A filtered statement is planned with its values: which index is better, that of the filter or that of the
 * order, depends on the number of matches. Terms need no such plan, because their index always comes first.
 */
export function planFor(where: Conditions): Pick<Statement, 'plan'> {
  return { plan: where.length > 0 && !where.some(isTermCondition) ? 'custom' : 'generic' }
}

/** Conditions that differ only in their values share a statement. */
export function conditionsKey(where: Conditions): string {
  return where.map((condition) => `${condition.field}:${conditionKey(condition)}`).join(' ')
}

function conditionKey(condition: Condition<StoredRecord>): string {
  if (isTermCondition(condition)) return 'terms'
  if ('whereRelated' in condition)
    return `whereRelated ${condition.whereRelated.collection} ${condition.whereRelated.field}`
  if ('notExists' in condition)
    return `notExists ${condition.notExists.collection} ${condition.notExists.foreignKey} ${condition.notExists.field}`
  if ('oneOf' in condition) return 'oneOf'
  if ('from' in condition) return 'from'
  if ('to' in condition) return 'to'
  return condition.is === null ? 'isNull' : 'is'
}
