import type { Collection } from '../kernel/collections.ts'
import type { Condition, NotExistsCondition, RelatedCondition } from '../ports/index.ts'
import type { Row, Table } from './table.ts'

/** A condition on the row alone. */
export type OwnCondition = Exclude<
  Condition<Row>,
  { readonly whereRelated: RelatedCondition } | { readonly notExists: NotExistsCondition }
>

type TableOf = (name: Collection) => Table

/** Compiles a condition to a predicate; other tables are read once, when it is compiled. */
export function compileCondition(
  condition: Condition<Row>,
  tableOf: TableOf,
  matchesOwn: (row: Row, condition: OwnCondition) => boolean,
): (row: Row) => boolean {
  if ('whereRelated' in condition) {
    const { field, whereRelated } = condition
    const { rows } = tableOf(whereRelated.collection)
    return (row) => {
      const target = rows.get(row[field] as string)
      return target?.deletedAt === null && target.row[whereRelated.field] === whereRelated.is
    }
  }
  if ('notExists' in condition) {
    const ids = collectForeignKeys(condition.notExists, tableOf)
    return ({ id }) => !ids.has(id)
  }
  return (row) => matchesOwn(row, condition)
}

function collectForeignKeys(
  { collection, foreignKey, field, from }: NotExistsCondition,
  tableOf: TableOf,
): ReadonlySet<unknown> {
  const ids = new Set()
  for (const { row, deletedAt } of tableOf(collection).rows.values()) {
    if (deletedAt === null && row[field] !== null && String(row[field]) >= from) ids.add(row[foreignKey])
  }
  return ids
}
