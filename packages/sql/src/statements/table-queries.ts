import { sql } from 'kysely'
import type { Dialect } from '../dialect.ts'
import { applyConditions, type ConditionOptions, linkExpression } from './conditions.ts'
import { valueName } from './logical-conditions.ts'
import { findTermsOrLink, isTermCondition } from './search-terms.ts'
import type { SelectQuery } from './select-query.ts'
import { applySort, type PageSort, type Sort, type SortContext } from './sort.ts'
import {
  type CompilableQuery,
  compileStatement,
  param,
  type Statement,
  type StatementOptions,
} from './statement.ts'
import type { Conditions, TableShape } from './table-shape.ts'

/** Builds the queries of one table, and keeps the statements compiled from them. */
export class TableQueries {
  readonly name: string
  readonly isWorkspaceScoped: boolean
  readonly kinds: TableShape['kinds']
  readonly columns: readonly string[]
  readonly dialect: Dialect
  readonly #compiled = new Map<string, Statement>()

  constructor({ name, isWorkspaceScoped, kinds }: TableShape, dialect: Dialect) {
    this.name = name
    this.isWorkspaceScoped = isWorkspaceScoped
    this.kinds = kinds
    this.columns = [...kinds.keys()]
    this.dialect = dialect
  }

  /** @param key identifies the query and its options */
  getOrCompile(key: string, buildQuery: () => CompilableQuery, options?: StatementOptions): Statement {
    let statement = this.#compiled.get(key)
    if (!statement) {
      statement = compileStatement(buildQuery(), this.dialect.compiler, options)
      this.#compiled.set(key, statement)
    }
    return statement
  }

  /** The columns of a page. */
  listColumns({ omit = [] }: Pick<PageSort, 'omit'>): readonly string[] {
    return omit.length === 0 ? this.columns : this.columns.filter((column) => !omit.includes(column))
  }

  selectAll(source: unknown = this.name): SelectQuery {
    return this.dialect.compiler.selectFrom(source as string) as unknown as SelectQuery
  }

  selectLive(source?: unknown): SelectQuery {
    return this.scopeToWorkspace(this.selectAll(source)).where('deleted_at', 'is', null)
  }

  /** The `total` of live rows from the counter table. */
  selectLiveTotal(): SelectQuery {
    return this.scopeToWorkspace(this.selectAll('live_rows'))
      .where('table_name', '=', sql.lit(this.name))
      .select(sql`coalesce(sum(total), 0)`.as('total'))
  }

  /** The `total` of live rows of the owners bound as `owners`, from the counter table. */
  selectOwnedTotal(): SelectQuery {
    return this.scopeToWorkspace(this.selectAll('owner_rows'))
      .where('table_name', '=', sql.lit(this.name))
      .where(this.dialect.isInList(sql.ref('owner_user_id'), 'uuid', sql`${param('owners')}`))
      .select(sql`coalesce(sum(total), 0)`.as('total'))
  }

  scopeToWorkspace<Q extends { where(column: string, op: '=', value: unknown): Q }>(query: Q): Q {
    return this.isWorkspaceScoped ? query.where('workspace_id', '=', param('workspace_id')) : query
  }

  selectMatching(where: Conditions, options?: ConditionOptions): SelectQuery {
    const { termIndex } = this.dialect
    const termCondition = where.find(isTermCondition)
    const [first] = where
    if (!termCondition && first && 'hasAnyTerm' in first) {
      const terms = param(valueName(options?.prefix ?? 'where', 0))
      const source = termIndex.selectMatches(this.name, first.field, sql`${terms}`).as(this.name)
      return this.filter(this.selectLive(source), where, { ...options, answered: 0 })
    }
    const alternatives = findTermsOrLink(where)
    if (alternatives) {
      const { index, terms } = alternatives
      const others = linkExpression(alternatives, this, this.dialect, options?.prefix)
      const source = termIndex.selectMatches(this.name, terms[0].field, sql`${param('terms')}`, others)
      return this.filter(this.selectLive(source.as(this.name)), where, { ...options, answered: index })
    }
    const source =
      termCondition && termIndex.selectMatches(this.name, termCondition.field, sql`${param('terms')}`)
    return this.filter(this.selectLive(source?.as(this.name)), where, options)
  }

  /** @param context as in `SortContext`; default: the table, and columns by their names */
  sort(
    query: SelectQuery,
    sort: Sort,
    { columnRef, source = this.name }: Partial<Pick<SortContext, 'columnRef' | 'source'>> = {},
  ): SelectQuery {
    return applySort(query, sort, { dialect: this.dialect, source, columnRef })
  }

  /** Adds conditions other than those on terms. */
  filter(query: SelectQuery, where: Conditions, options?: ConditionOptions): SelectQuery {
    return applyConditions(query, where, { name: this.name, kinds: this.kinds }, this.dialect, options)
  }
}
