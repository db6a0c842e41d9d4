import type { Condition, FieldCondition } from '@sales-crm/core/ports'
import type { Conditions, StoredRecord } from './table-shape.ts'

export type LogicalCondition = Exclude<Condition<StoredRecord>, FieldCondition<StoredRecord>>

/** The conditions within a logical one. */
export function listOperands(condition: LogicalCondition): Conditions {
  if ('anyOf' in condition) return condition.anyOf
  return 'allOf' in condition ? condition.allOf : [condition.not]
}

/** The name of the value of a condition: `where_2`, and `where_2_0` for its first operand. */
export function valueName(prefix: string, index: number): string {
  return `${prefix}_${index}`
}

/** The conditions on fields, those within others included. */
export function listFieldConditions(where: Conditions): readonly FieldCondition<StoredRecord>[] {
  return where.flatMap((condition) =>
    'field' in condition ? [condition] : listFieldConditions(listOperands(condition)),
  )
}

/** True if an index of the field can answer the condition. False for a logical one, whatever the fields within it. */
export function isOnField(condition: Condition<StoredRecord>, field: string): boolean {
  return 'field' in condition && condition.field === field && isIndexable(condition)
}

const COMPARED_ROW_BY_ROW = [
  ...['equalsText', 'contains', 'beginsWith', 'isEmpty', 'whereMember', 'whereEntry', 'notExists'],
]

/** False for a condition that looks at each row, of its table or of a related one. */
export function isIndexable(condition: FieldCondition<StoredRecord>): boolean {
  return !COMPARED_ROW_BY_ROW.some((name) => name in condition) && !scansRelated(condition)
}

/** True for a condition on related records that looks at each of them. */
export function scansRelated(condition: FieldCondition<StoredRecord>): boolean {
  if (!('whereRelated' in condition)) return false
  return !listFieldConditions(condition.whereRelated.where as Conditions).every(isIndexable)
}
