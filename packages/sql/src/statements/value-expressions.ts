import type { Comparison, MemberCondition } from '@sales-crm/core/ports'
import { type Expression, type SqlBool, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'
import { param } from './statement.ts'

/** The name of the value with the name of a member. */
export function memberName(name: string): string {
  return `${name}_member`
}

/** @param value the bound of the comparison, or the folded text */
export function comparisonExpression(
  comparison: Comparison,
  column: Expression<unknown>,
  value: Expression<unknown>,
  { foldText }: Dialect,
): Expression<SqlBool> {
  if ('equalsText' in comparison) return foldText.equals(column, value)
  if ('contains' in comparison) return foldText.contains(column, value)
  if ('beginsWith' in comparison) return foldText.beginsWith(column, value)
  return 'from' in comparison ? sql<SqlBool>`${column} >= ${value}` : sql<SqlBool>`${column} <= ${value}`
}

/** @param name that of the value of the comparison; that with the name of the member is its `memberName` */
export function memberExpression(
  member: MemberCondition,
  column: Expression<unknown>,
  name: string,
  dialect: Dialect,
): Expression<SqlBool> {
  const value = dialect.jsonMember(column, sql`${param(memberName(name))}`, memberType(member))
  if ('is' in member) return sql<SqlBool>`${value} is null`
  return comparisonExpression(member, value, sql`${param(name)}`, dialect)
}

/** What tells the statements of comparisons apart. */
export function comparisonKey(comparison: Comparison): string {
  const [operator] = ['equalsText', 'contains', 'beginsWith', 'from', 'to'].filter(
    (name) => name in comparison,
  )
  return operator!
}

export function memberKey(member: MemberCondition): string {
  return `member ${memberType(member)} ${'is' in member ? 'isNull' : comparisonKey(member)}`
}

function memberType(member: MemberCondition): 'number' | 'text' | 'any' {
  if ('is' in member) return 'any'
  const bound = 'from' in member ? member.from : 'to' in member ? member.to : ''
  return typeof bound === 'number' ? 'number' : 'text'
}

/** The value of a comparison as it is bound. */
export function comparisonValue(comparison: Comparison, fold: (text: string) => string): string | number {
  if ('equalsText' in comparison) return fold(comparison.equalsText)
  if ('contains' in comparison) return fold(comparison.contains)
  if ('beginsWith' in comparison) return fold(comparison.beginsWith)
  return 'from' in comparison ? comparison.from : comparison.to
}
