import type { ColumnKind, Condition } from '@sales-crm/core/ports'
import type { Dialect } from '../dialect.ts'
import { isTermCondition, type TermCondition } from '../statements/search-terms.ts'
import type { NamedValues } from '../statements/statement.ts'
import type { Conditions, StoredRecord, TableShape } from '../statements/table-shape.ts'

/** Values of all conditions except term conditions. */
export function conditionValues(
  where: Conditions,
  { table, dialect }: { readonly table: TableShape; readonly dialect: Dialect },
  prefix = 'where',
): NamedValues {
  const values: Record<string, unknown> = {}
  for (const [index, condition] of where.entries()) {
    if (!isTermCondition(condition))
      values[`${prefix}_${index}`] = conditionValue(condition, table.kinds.get(condition.field)!, dialect)
  }
  return values
}

function conditionValue(
  condition: Exclude<Condition<StoredRecord>, TermCondition>,
  kind: ColumnKind,
  dialect: Dialect,
): unknown {
  if ('whereRelated' in condition) return condition.whereRelated.is
  if ('notExists' in condition) return condition.notExists.from
  if ('oneOf' in condition) return dialect.encodeList(condition.oneOf)
  if ('from' in condition) return condition.from
  if ('to' in condition) return condition.to
  return condition.is === null ? null : (dialect.encoders[kind]?.(condition.is) ?? condition.is)
}
