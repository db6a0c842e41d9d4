import type { ColumnKind } from '@sales-crm/core/ports'
import type { Expression, Kysely, RawBuilder, SqlBool } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Statement } from './statements/statement.ts'

/** Tables are made from shapes, so that no column is known here by name. */
export type Tables = Record<string, Record<string, unknown>>

/**
 * The inverted index of each table that has a words column: words with whatever they hold, for a workspace
 * each.
 */
export interface TermIndex {
  /**
   * What a workspace's words begin with in the index, so that no search meets those of another. Letters and
   * digits.
   */
  workspacePrefix(workspaceId: string): string
  /** All of `terms`, which are words with their prefix, as one question to the index. */
  buildMatchQuery(terms: readonly Term[]): string
  /**
   * Those live rows of `table` that the index names for the question bound as `words`; each has every column.
   */
  selectMatches(table: string, column: string): RawBuilder<unknown>
  /**
   * For each question of the list bound as `questions`, in order, the `total` of rows in the workspace bound
   * as `workspace_id`.
   */
  countMatches(table: string, column: string): RawBuilder<unknown>
}

/** What the store decides for a planner that knows no numbers. */
export interface PlannerHints {
  /**
   * The `word`s of the table's index that begin with the one bound as `prefix`, as many as are bound as
   * `most`: FTS5 gathers all rows of what begins alike before it looks at another word, where it leaps from
   * row to row for words that are named.
   */
  expandPrefix(table: string): RawBuilder<unknown>
  /** The `size` of the table, come by at once: as many rows as it has, or more. */
  estimateRowCount(table: string): RawBuilder<unknown>
  /**
   * A common table expression of those rows, `at`, that the words index names for the question bound as
   * `words`. Asked for `once` it is kept meanwhile.
   */
  matchesCte(table: string, isMaterialized: boolean): RawBuilder<unknown>
  /** A column to order by without its index. */
  withoutIndex(column: string): RawBuilder<unknown>
  /**
   * The column that names a row among those of all workspaces: to sort rows by their names alone is much less
   * work.
   */
  readonly rowKey: string
}

/** How the database itself keeps the table `live_rows`: by triggers, so that no write gets past it. */
export interface LiveRowTriggers {
  /** What follows the columns of `live_rows`. */
  readonly tableOptions: string
  /** What the triggers call, to be made once. */
  readonly functions: readonly RawBuilder<unknown>[]
  /** Triggers that count the live rows of `table`, for its workspaces each, from when they are made. */
  createTriggers(table: string): readonly RawBuilder<unknown>[]
}

export interface Term {
  readonly text: string
  /** Longer words count too. */
  readonly isPrefix: boolean
  /** All words that begin so, where they were looked up. */
  readonly expansions?: readonly string[]
}

/** How a database gives settings another version whenever one is changed. Each is the text of a statement. */
export interface SettingsVersionTriggers {
  /** An expression. */
  readonly newVersion: string
  readonly functions: readonly string[]
  /** @param scope the one whose version changes, where it is not the row's workspace */
  createTriggers(
    table: string,
    events: readonly ('insert' | 'update' | 'delete')[],
    scope?: string,
  ): readonly string[]
}

/** How a row tells whether it was changed since it was read. */
export interface RowVersion {
  /** The column that is another then. */
  readonly column: string
  /**
   * Holds so many rows of `table`, each by the `workspace_id`, `id` and `version` of its own list of values.
   * Fails as a failure to serialize does where one has another version.
   */
  assertVersion(table: string, count: number): RawBuilder<unknown>
}

/** What the databases do not say, or do not give back, the same way. */
export interface Dialect {
  /** Compiles queries; it is never asked to run one. */
  readonly compiler: Kysely<Tables>
  readonly columnTypes: Readonly<Record<ColumnKind, string>>
  /** Migrations for tables that only this database has. */
  readonly migrations: Readonly<Record<string, Migration>>
  /**
   * How a value goes to the driver and comes back, for the kinds where it is not itself. Never called with
   * null.
   */
  readonly encoders: { readonly [K in ColumnKind]?: (value: unknown) => unknown }
  readonly decoders: { readonly [K in ColumnKind]?: (value: unknown) => unknown }
  /** What makes an index keep nulls first, where the database would not. */
  readonly nullsFirst: '' | 'nulls first'
  /** The aggregate that makes a JSON array. */
  readonly jsonArrayAggregate: 'json_group_array' | 'json_agg'
  /** Whether a reader must lock the row it means to change, or holds the whole database already. */
  readonly hasRowLocks: boolean
  /** `undefined` where nobody changes a row that another transaction has read. */
  readonly rowVersion: RowVersion | undefined
  /** Whether one statement for a record and what it refers to is quicker than one for each. */
  readonly isJoinFaster: boolean
  /**
   * The ids bound as `workspaces` and `webhooks` and the numbers bound as `limits`, as rows of a
   * `workspace_id`, a `webhook_id` and a `most` that a subquery joined to them may refer to; `undefined`
   * where a database knows no such joins.
   */
  readonly quotaRows: RawBuilder<unknown> | undefined
  readonly termIndex: TermIndex
  readonly liveRowTriggers: LiveRowTriggers
  readonly settingsVersionTriggers: SettingsVersionTriggers
  /** `undefined` where the planner knows how many rows a filter leaves. */
  readonly plannerHints: PlannerHints | undefined
  /** Whether there is such a table. */
  hasTable(table: string): Expression<unknown>
  /** The month of an instant in UTC (`2026-03`), as text that orders by code point. */
  monthOf(column: string): Expression<unknown>
  /** Whole milliseconds from one instant to another. */
  durationMs(from: string, to: string): Expression<unknown>
  /** `column` is among the values of a list that is bound as one value. */
  isInList(column: string, kind: ColumnKind, list: Expression<unknown>): Expression<SqlBool>
  /** How a list is bound for `isAmong`. */
  encodeList(values: readonly string[]): unknown
  /** Inserts records, bound as `rows`, a JSON array of objects: each row as if it were inserted alone. */
  bulkInsert(table: string, kinds: ReadonlyMap<string, ColumnKind>): Statement
  /** How many records one statement inserts at most. */
  readonly maxBulkRows: number
  /** The field behind a unique violation, or `undefined` when the error is something else. */
  parseUniqueViolation(error: unknown): string | undefined
}

/** The name of the index that keeps `field` distinct. The dialects read the field back from it. */
export function uniqueIndexName(table: string, field: string): string {
  return `${table}__${field}`
}
