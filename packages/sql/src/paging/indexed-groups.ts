import type { AggregateQuery, AggregateRow, GroupListQuery } from '@sales-crm/core/ports'
import type { Row } from '../driver.ts'
import type { decodeGroups } from '../statements/group-lists.ts'
import { isOnField } from '../statements/logical-conditions.ts'
import type { NamedValues, Statement } from '../statements/statement.ts'
import type { Conditions, StoredRecord, TableShape } from '../statements/table-shape.ts'
import { hasIndexedOrder } from './indexed-orders.ts'
import type { SearchStatements } from './search-statements.ts'

type Groups = ReturnType<typeof decodeGroups>

interface GroupSource {
  readonly table: TableShape
  readonly statements: SearchStatements
  aggregate(query: AggregateQuery<StoredRecord>): Promise<AggregateRow[]>
  bindConditions(where: Conditions): NamedValues
  queryRows(statement: Statement, values: NamedValues): Promise<readonly Row[]>
}

/** True if an index has the records of each group in the order of its section. */
export function isGroupIndexed(
  tableName: string,
  { where, groupBy, sections }: GroupListQuery<StoredRecord>,
): boolean {
  return (
    where.every((condition) => isOnField(condition, groupBy)) &&
    sections.every(
      (section) =>
        hasIndexedOrder(tableName, groupBy, section.order_by) &&
        section.where.every((condition) => isOnField(condition, section.order_by)),
    )
  )
}

/** One seek per group reads a third of what ranking all records does. */
export async function listGroupsByIndex(
  { groupBy, sections, sum, sumBy, limit }: GroupListQuery<StoredRecord>,
  { table, statements, aggregate, bindConditions, queryRows }: GroupSource,
): Promise<Groups> {
  const omit = [...table.kinds.keys()].filter((column) => column !== 'id')
  const groups = sections.map(async ({ keys, where, order_by, order }) => {
    const totals = await aggregate({
      where: [{ field: groupBy, oneOf: keys }, ...where],
      groupBy: [{ field: groupBy }, { field: sumBy }],
      ...{ sum, order: 'count', limit: Number.MAX_SAFE_INTEGER },
    })
    const sumsByKey = Map.groupBy(totals, (total) => String(total.keys[0]))
    return Promise.all(
      [...sumsByKey].map(async ([key, sums]) => {
        const ofGroup: Conditions = [{ field: groupBy, is: key }, ...where]
        const statement = statements.page({ where: ofGroup, order_by, order, omit })
        const values = { ...bindConditions(ofGroup), limit, offset: 0 }
        return {
          key,
          sums: sums.map((each) => ({ key: String(each.keys[1]), count: each.count, sum: each.sum })),
          ids: (await queryRows(statement, values)).map(({ id }) => String(id)),
        }
      }),
    )
  })
  return (await Promise.all(groups)).flat()
}
