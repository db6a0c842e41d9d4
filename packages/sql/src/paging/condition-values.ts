import { type Condition, type FieldCondition, foldText, type MemberCondition } from '@sales-crm/core/ports'
import type { Dialect } from '../dialect.ts'
import { listOperands, valueName } from '../statements/logical-conditions.ts'
import { isTermCondition, listSourceTerms, toAnyTerm, toTerms } from '../statements/search-terms.ts'
import { type Sort, sortValues } from '../statements/sort.ts'
import type { NamedValues } from '../statements/statement.ts'
import {
  type Conditions,
  relatedTable,
  type StoredRecord,
  type TableShape,
} from '../statements/table-shape.ts'
import { comparisonValue, memberName } from '../statements/value-expressions.ts'

interface ValueContext {
  readonly table: TableShape
  readonly dialect: Dialect
  /** `undefined` for a table without a workspace, which has no terms. */
  readonly workspaceId: string | undefined
}

/** The values of the conditions that `applyConditions` adds, by its names. */
export function conditionValues(where: Conditions, context: ValueContext, prefix = 'where'): NamedValues {
  const values: Record<string, unknown> = {}
  for (const [index, condition] of where.entries())
    if (!isTermCondition(condition)) addValues(values, condition, valueName(prefix, index), context)
  return values
}

/** The values of the order of a list, by the names that `applySort` gives them. */
export function orderValues(sort: Sort, context: ValueContext): NamedValues {
  return sortValues(sort, (collection, where, prefix) =>
    operandValues(where, { ...context, table: relatedTable(collection) }, prefix),
  )
}

/** The values of conditions within another one, or on another table, by names that begin with the prefix. */
function operandValues(operands: Conditions, context: ValueContext, prefix: string): NamedValues {
  const values: Record<string, unknown> = {}
  for (const [index, operand] of operands.entries())
    addValues(values, operand, valueName(prefix, index), context)
  return values
}

/** The index query of the term conditions, or of those that are alternatives of a link. `undefined` if there are none. */
export function buildMatchQuery(
  where: Conditions,
  { dialect: { termIndex }, workspaceId }: ValueContext,
): string | undefined {
  const terms = listSourceTerms(where)
  return terms.length === 0 ? undefined : termIndex.buildMatchQuery(toTerms(terms, workspaceId!, termIndex))
}

function addValues(
  values: Record<string, unknown>,
  condition: Condition<StoredRecord>,
  name: string,
  context: ValueContext,
): void {
  if ('field' in condition) Object.assign(values, fieldValues(condition, name, context))
  const [operands, table] = operandsOf(condition, context)
  Object.assign(values, operandValues(operands, { ...context, table }, name))
}

function fieldValues(
  condition: FieldCondition<StoredRecord>,
  name: string,
  context: ValueContext,
): NamedValues {
  if ('whereRelated' in condition) return {}
  if ('whereMember' in condition) return memberValues(condition.whereMember, name)
  if ('whereEntry' in condition) return memberValues(condition.whereEntry, name)
  return { [name]: fieldValue(condition, context) }
}

function memberValues(member: MemberCondition, name: string): NamedValues {
  return {
    [memberName(name)]: member.name,
    [name]: 'is' in member ? null : comparisonValue(member, foldText),
  }
}

/** The conditions within another one, and the table of their fields. */
function operandsOf(
  condition: Condition<StoredRecord>,
  { table }: ValueContext,
): readonly [operands: Conditions, table: TableShape] {
  if (!('field' in condition)) return [listOperands(condition), table]
  if ('whereRelated' in condition) {
    const { collection, where } = condition.whereRelated
    return [where as Conditions, relatedTable(collection)]
  }
  if ('notExists' in condition) {
    const { collection, where = [] } = condition.notExists
    return [where as Conditions, relatedTable(collection)]
  }
  return [[], table]
}

function fieldValue(
  condition: Exclude<
    FieldCondition<StoredRecord>,
    { readonly whereRelated: unknown } | { readonly whereMember: unknown } | { readonly whereEntry: unknown }
  >,
  context: ValueContext,
): unknown {
  const { table, dialect, workspaceId } = context
  if (isTermCondition(condition)) return buildMatchQuery([condition], context)
  if ('hasAnyTerm' in condition)
    return dialect.termIndex.buildMatchQuery([
      toAnyTerm(condition.hasAnyTerm, workspaceId!, dialect.termIndex),
    ])
  if ('notExists' in condition) return condition.notExists.from
  if ('oneOf' in condition) return dialect.encodeList(condition.oneOf)
  if ('isEmpty' in condition) return null
  if (!('is' in condition)) return comparisonValue(condition, foldText)
  if (condition.is === null) return null
  return dialect.encoders[table.kinds.get(condition.field)!]?.(condition.is) ?? condition.is
}
