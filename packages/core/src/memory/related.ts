import type { Collection } from '../collections.ts'
import type { Condition, Lacks, LeadsTo } from '../ports.ts'
import type { Row, Table } from './table.ts'

/** A condition that a row meets by itself. */
export type OwnCondition = Exclude<Condition<Row>, { readonly leadsTo: LeadsTo } | { readonly lacks: Lacks }>

type TableOf = (name: Collection) => Table

/** What a row must meet, as a function of it: what is to be found out of other tables is found out once. */
export function testOf(
  condition: Condition<Row>,
  tableOf: TableOf,
  own: (row: Row, condition: OwnCondition) => boolean,
): (row: Row) => boolean {
  if ('leadsTo' in condition) {
    const { field, leadsTo } = condition
    const { rows } = tableOf(leadsTo.collection)
    return (row) => {
      const kept = rows.get(row[field] as string)
      return kept?.deletedAt === null && kept.row[leadsTo.field] === leadsTo.is
    }
  }
  if ('lacks' in condition) {
    const named = namedBy(condition.lacks, tableOf)
    return ({ id }) => !named.has(id)
  }
  return (row) => own(row, condition)
}

function namedBy({ collection, by, field, from }: Lacks, tableOf: TableOf): ReadonlySet<unknown> {
  const named = new Set()
  for (const { row, deletedAt } of tableOf(collection).rows.values()) {
    if (deletedAt === null && row[field] !== null && String(row[field]) >= from) named.add(row[by])
  }
  return named
}
