import { sql } from 'kysely'
import { conditionsKey } from '../statements/conditions.ts'
import { paginate, type SelectQuery } from '../statements/select-query.ts'
import { type PageSort, pageKey } from '../statements/sort.ts'
import { param, type Statement } from '../statements/statement.ts'
import type { TableQueries } from '../statements/table-queries.ts'
import type { Conditions } from '../statements/table-shape.ts'

/** The statements of lists whose rows are divided into parts without a common row. */
export class AlternativeStatements {
  readonly #table: TableQueries

  constructor(table: TableQueries) {
    this.#table = table
  }

  /** The `size` of the table, and the `total` of the rows of the owners bound as `owners`, both from counter tables. */
  countedRows(): Statement {
    return this.#table.getOrCompile('countedRows', () => {
      const [size, total] = [this.#table.selectLiveTotal(), this.#table.selectOwnedTotal()]
      return sql`select (${size}) as size, (${total}) as total`
    })
  }

  /** The `total` of the rows of all parts. The names of the values of a part begin with its `partName`. */
  count(parts: readonly Conditions[]): Statement {
    return this.#table.getOrCompile(`countParts ${partsKey(parts)}`, () => {
      const counts = this.#selectParts(parts).map(
        (rows) => sql`(${rows.select(sql<number>`count(*)`.as('total'))})`,
      )
      return sql`select ${sql.join(counts, sql` + `)} as total`
    })
  }

  /** A page of the matches among the first `visits` rows in its order. */
  pageAmongFirst(where: Conditions, sort: PageSort): Statement {
    return this.#table.getOrCompile(
      `pageAmongFirst ${pageKey(sort)} ${conditionsKey(where)}`,
      () => {
        const first = this.#table.sort(this.#table.selectLive(), sort).limit(param<number>('visits'))
        const rows = this.#table.filter(this.#selectFrom(first), where)
        return paginate(this.#table.sort(rows, sort)).select(this.#table.listColumns(sort))
      },
      { plan: 'custom' },
    )
  }

  /** A page of the rows of all parts, which are collected first and then sorted. Values as for `count`. */
  page(parts: readonly Conditions[], sort: PageSort): Statement {
    return this.#table.getOrCompile(
      `pageOfParts ${pageKey(sort)} ${partsKey(parts)}`,
      () => {
        const keys = this.#selectParts(parts)
          .map((rows) => rows.select(this.#rowKey))
          .reduce((all, each) => all.unionAll(each))
        const rows = this.#table.sort(this.#selectByKeys(keys), sort, {
          columnRef: this.#table.dialect.plannerHints?.withoutIndex,
        })
        return paginate(rows).select(this.#table.listColumns(sort))
      },
      { plan: 'custom' },
    )
  }

  #selectParts(parts: readonly Conditions[]): readonly SelectQuery[] {
    return parts.map((where, index) => this.#table.selectMatching(where, { prefix: partName(index) }))
  }

  /** By keys where there are keys of rows; a planner with statistics would read the whole table for them. */
  #selectFrom(rows: SelectQuery): SelectQuery {
    const { plannerHints } = this.#table.dialect
    return plannerHints
      ? this.#selectByKeys(rows.select(plannerHints.rowKey))
      : this.#table.selectAll(rows.selectAll().as(this.#table.name))
  }

  #selectByKeys(keys: SelectQuery): SelectQuery {
    const all = this.#table.selectAll()
    // An id is found by the workspace, too; a key of rows alone.
    const rows = this.#rowKey === 'id' ? this.#table.scopeToWorkspace(all) : all
    return rows.where(this.#rowKey, 'in', keys)
  }

  get #rowKey(): string {
    return this.#table.dialect.plannerHints?.rowKey ?? 'id'
  }
}

/** What the names of the values of a part begin with. */
export function partName(index: number): string {
  return `part_${index}`
}

function partsKey(parts: readonly Conditions[]): string {
  return parts.map(conditionsKey).join(' | ')
}
