import type { Condition, FieldCondition, NamedCondition } from '@sales-crm/core/ports'
import { type Expression, type SqlBool, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'
import { listOperands, valueName } from './logical-conditions.ts'
import { notExists, whereRelated } from './related-conditions.ts'
import { isTermCondition, type TermsOrLink } from './search-terms.ts'
import type { SelectQuery } from './select-query.ts'
import { param, type Statement } from './statement.ts'
import { type Conditions, relatedTable, type StoredRecord, type TableShape } from './table-shape.ts'
import { comparisonExpression, comparisonKey, memberExpression, memberKey } from './value-expressions.ts'

/** How conditions become SQL. */
export interface ConditionOptions {
  /** The only column whose index may find the rows. Default: the planner chooses. */
  readonly indexColumn?: string | undefined
  /** What the names of the values begin with. Default: `where`. */
  readonly prefix?: string
  /** The position of the condition that the source of the query answers. */
  readonly answered?: number
}

interface ConditionSource {
  readonly table: Pick<TableShape, 'name' | 'kinds'>
  readonly dialect: Dialect
  /** The columns whose index may find the rows. `undefined`: the planner chooses. */
  readonly indexColumns: readonly string[] | undefined
}

/**
 * Adds all conditions except those on terms, which the source of the query answers, unless they are within
 * others. Their values are bound as `where_0`, `where_1` and so on, within others as `where_1_0` and so on.
 */
export function applyConditions(
  query: SelectQuery,
  where: Conditions,
  table: ConditionSource['table'],
  dialect: Dialect,
  { indexColumn, prefix = 'where', answered }: ConditionOptions = {},
): SelectQuery {
  const source = { table, dialect, indexColumns: indexColumn === undefined ? undefined : [indexColumn] }
  return where.reduce((filtered, condition, index) => {
    if (isTermCondition(condition) || index === answered) return filtered
    return filtered.where(conditionExpression(condition, valueName(prefix, index), source))
  }, query)
}

/** The link of `TermsOrLink`, with the value that `conditionValues` has for it. */
export function linkExpression(
  { index, link }: TermsOrLink,
  table: ConditionSource['table'],
  dialect: Dialect,
  prefix = 'where',
): Expression<SqlBool> {
  const name = valueName(valueName(prefix, index), 1)
  return fieldExpression(link, name, { table, dialect, indexColumns: undefined })
}

function conditionExpression(
  condition: Condition<StoredRecord>,
  name: string,
  source: ConditionSource,
): Expression<SqlBool> {
  if ('field' in condition) return fieldExpression(condition, name, source)
  // What an operand matches does not bound the rows to visit.
  const operandSource = { ...source, indexColumns: source.indexColumns && [] }
  const operands = listOperands(condition).map((operand, index) =>
    conditionExpression(operand, valueName(name, index), operandSource),
  )
  // Null is not true either: the rows are exactly those that the operand does not match.
  if ('not' in condition) return sql<SqlBool>`(${operands[0]!}) is not true`
  if (operands.length === 0) return sql<SqlBool>`${sql.lit('allOf' in condition)}`
  return sql<SqlBool>`(${sql.join(operands, 'allOf' in condition ? sql` and ` : sql` or `)})`
}

function fieldExpression(
  condition: FieldCondition<StoredRecord>,
  name: string,
  { table, dialect, indexColumns }: ConditionSource,
): Expression<SqlBool> {
  const { field } = condition
  const value = sql`${param(name)}`
  if (isTermCondition(condition)) return dialect.termIndex.isMatch(table.name, field, value)
  const usesIndex = indexColumns?.includes(field) ?? true
  const column = usesIndex ? sql.ref(field) : dialect.plannerHints!.withoutIndex(field)
  if ('hasAnyTerm' in condition) return dialect.termIndex.isMatch(table.name, field, value)
  if ('whereRelated' in condition) {
    const { collection, where } = condition.whereRelated
    return whereRelated(collection, column, relatedExpressions(collection, where, name, dialect))
  }
  if ('notExists' in condition) {
    const { collection, where = [] } = condition.notExists
    const others = relatedExpressions(collection, where, name, dialect)
    return notExists(table.name, condition.notExists, { value, others }, dialect)
  }
  if ('oneOf' in condition) return dialect.isInList(column, table.kinds.get(field)!, value)
  if ('isEmpty' in condition) return dialect.isJsonEmpty(column)
  if ('whereMember' in condition) return memberExpression(condition.whereMember, column, name, dialect)
  if ('whereEntry' in condition)
    return dialect.hasJsonEntry(column, (entry) =>
      memberExpression(condition.whereEntry, entry, name, dialect),
    )
  if (!('is' in condition)) return comparisonExpression(condition, column, value, dialect)
  return condition.is === null ? sql<SqlBool>`${column} is null` : sql<SqlBool>`${column} = ${value}`
}

/** The conditions on the rows of another table. Any index may find those. */
export function relatedExpressions(
  collection: string,
  where: readonly NamedCondition[],
  name: string,
  dialect: Dialect,
): readonly Expression<SqlBool>[] {
  const source = { table: relatedTable(collection), dialect, indexColumns: undefined }
  return (where as Conditions).map((condition, index) =>
    conditionExpression(condition, valueName(name, index), source),
  )
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
  return where.map(conditionKey).join(' ')
}

function conditionKey(condition: Condition<StoredRecord>): string {
  if ('field' in condition) return `${condition.field}:${fieldConditionKey(condition)}`
  if ('not' in condition) return `not(${conditionKey(condition.not)})`
  return 'anyOf' in condition
    ? `anyOf(${conditionsKey(condition.anyOf)})`
    : `allOf(${conditionsKey(condition.allOf)})`
}

function fieldConditionKey(condition: FieldCondition<StoredRecord>): string {
  if (isTermCondition(condition)) return 'terms'
  if ('hasAnyTerm' in condition) return 'anyTerm'
  if ('whereRelated' in condition) {
    const { collection, where } = condition.whereRelated
    return `whereRelated ${collection}(${conditionsKey(where as Conditions)})`
  }
  if ('notExists' in condition) {
    const { collection, foreignKey, field, where = [] } = condition.notExists
    return `notExists ${collection} ${foreignKey} ${field}(${conditionsKey(where as Conditions)})`
  }
  if ('oneOf' in condition) return 'oneOf'
  if ('isEmpty' in condition) return 'isEmpty'
  if ('whereMember' in condition) return memberKey(condition.whereMember)
  if ('whereEntry' in condition) return `entry ${memberKey(condition.whereEntry)}`
  if (!('is' in condition)) return comparisonKey(condition)
  return condition.is === null ? 'isNull' : 'is'
}
