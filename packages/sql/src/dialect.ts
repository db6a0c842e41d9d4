import type { ColumnKind, ParsePhone } from '@sales-crm/core/ports'
import type { Expression, Kysely, RawBuilder, SqlBool } from 'kysely'

/** Tables by name. The dialect is generic: it knows no column by name. */
export type Tables = Record<string, Record<string, unknown>>

/** The inverted index of each table with a column of terms. Terms of all workspaces share an index. */
export interface TermIndex {
  /**
   * A workspace's prefix for its terms in the index, so that a search reads only its own workspace. Letters
   * and digits.
   */
  workspacePrefix(workspaceId: string): string
  /** The index query that requires all of `terms`, each of which includes the workspace prefix. */
  buildMatchQuery(terms: readonly Term[]): string
  /**
   * Live rows of `table` that match an index query, with all columns. The index is read first.
   * @param others rows of the workspace bound as `workspace_id` that are among them, too: those of another index
   */
  selectMatches(
    table: string,
    column: string,
    matchQuery: RawBuilder<unknown>,
    others?: Expression<SqlBool>,
  ): RawBuilder<unknown>
  /**
   * True if a live row of `table`, in the workspace bound as `workspace_id`, matches an index query: the index
   * is read once for all rows.
   */
  isMatch(table: string, column: string, matchQuery: RawBuilder<unknown>): Expression<SqlBool>
  /**
   * The `total` of matching rows in the workspace bound as `workspace_id`, for each index query of the list
   * bound as `questions`, in order.
   */
  countMatches(table: string, column: string): RawBuilder<unknown>
}

/** Choices that the store makes for a planner without statistics. */
export interface PlannerHints {
  /**
   * Terms of the table's index that start with the one bound as `prefix`, at most as many as bound as `most`.
   * FTS5 collects all rows of a prefix before it evaluates another term, but skips from row to row for exact
   * terms.
   */
  expandPrefix(table: string): RawBuilder<unknown>
  /**
   * The `total` of entries of the table's term index from the term bound as `first` to the one bound as `last`,
   * counted up to the number bound as `most`.
   */
  countTermEntries(table: string): RawBuilder<unknown>
  /** The names of the columns, as `name`, that come first in an index, after the workspace. */
  listIndexedColumns(table: string): RawBuilder<unknown>
  /** An upper bound of the table's row count, available without a scan. */
  estimateRowCount(table: string): RawBuilder<unknown>
  /**
   * The common table expression `found`, with the row keys, as `at`, that match the index query bound as `terms`.
   */
  matchesCte(table: string, isMaterialized: boolean): RawBuilder<unknown>
  /** A column whose index is not used, for its condition or for the order. */
  withoutIndex(column: string): RawBuilder<unknown>
  /** The column that identifies a row across workspaces: sorting only these values is much less work. */
  readonly rowKey: string
}

/** Maintains the table `live_rows` with triggers, so that no write can bypass it. */
export interface LiveRowTriggers {
  /** Table options of `live_rows`. */
  readonly tableOptions: string
  /** Functions that the triggers call; created once. */
  readonly functions: readonly RawBuilder<unknown>[]
  /** Triggers that count the live rows of `table` per workspace from their creation on. */
  createTriggers(table: string): readonly RawBuilder<unknown>[]
}

/** The owner of rows that nobody owns, in the table `owner_rows`. */
export const NO_OWNER = '00000000-0000-0000-0000-000000000000'

/** Maintains the table `owner_rows` with triggers, as `LiveRowTriggers`. */
export type OwnerRowTriggers = Omit<LiveRowTriggers, 'tableOptions'>

export interface Term {
  readonly text: string
  /** Includes longer terms with this prefix. */
  readonly isPrefix: boolean
  /** The terms of which one matches: all with this prefix, if they were looked up, or those of `hasAnyTerm`. */
  readonly expansions?: readonly string[]
}

/** SQL that replaces the version of settings on each change. */
export interface SettingsVersionTriggers {
  /** An expression. */
  readonly newVersion: string
  readonly functions: readonly string[]
  /** @param scope the scope whose version changes, if it is not the row's workspace */
  createTriggers(
    table: string,
    events: readonly ('insert' | 'update' | 'delete')[],
    scope?: string,
  ): readonly string[]
}

/** Detection of rows that changed since they were read. */
export interface RowVersion {
  /** The column that differs after a change. */
  readonly column: string
  /**
   * Locks the row of `table` with the values bound as `workspace_id` and `id`. Fails with a serialization
   * failure if its version is not the one bound as `version`.
   */
  assertVersion(table: string): RawBuilder<unknown>
}

/** What migrations that rewrite records take. */
export interface MigrationOptions {
  /** Called when a migration has run, before all of them are committed. */
  readonly onMigration?: (name: string) => void
  /** Called after each thousand records of a table that a migration rewrites, with their number so far. */
  readonly onProgress?: (table: string, rows: number) => void
  /** The port of the core: records that are rewritten are found by their phone numbers as new ones are. */
  readonly parsePhone?: ParsePhone | undefined
}

/** Changes the schema of a database of the version before. */
export type SchemaMigration = (
  db: Kysely<Tables>,
  dialect: Dialect,
  options: MigrationOptions,
) => Promise<void>

/** SQL and values that differ between the databases. */
export interface Dialect {
  /** Compiles queries; it never runs them. */
  readonly compiler: Kysely<Tables>
  readonly columnTypes: Readonly<Record<ColumnKind, string>>
  /** Migrations of tables that only this database has. */
  readonly migrations: Readonly<Record<string, SchemaMigration>>
  /** Conversion of non-null values to and from the driver, for kinds that need one. */
  readonly encoders: { readonly [K in ColumnKind]?: (value: unknown) => unknown }
  readonly decoders: { readonly [K in ColumnKind]?: (value: unknown) => unknown }
  /** The clause that sorts nulls first in an index, if that is not the default. */
  readonly nullsFirst: '' | 'nulls first'
  /** The aggregate function that builds a JSON array. */
  readonly jsonArrayAggregate: 'json_group_array' | 'json_agg'
  /** True if a transaction must lock a row before it changes it; false if it holds the whole database. */
  readonly hasRowLocks: boolean
  /** True if the rows of each workspace are on one of several servers: a statement that locks or changes rows names one. */
  readonly isDistributed: boolean
  /** `undefined` if no other transaction can change a row that was read. */
  readonly rowVersion: RowVersion | undefined
  /** An expression that locks the key bound as `key`; `undefined` if a transaction holds the whole database. */
  readonly lockKey: RawBuilder<unknown> | undefined
  /** True if one statement for a record and its references is faster than one statement each. */
  readonly isJoinFaster: boolean
  /**
   * Rows of `workspace_id`, `webhook_id` and `most` from the values bound as `workspaces`, `webhooks` and
   * `limits`, for a lateral join; `undefined` if the database has no lateral joins.
   */
  readonly quotaRows: RawBuilder<unknown> | undefined
  readonly termIndex: TermIndex
  readonly liveRowTriggers: LiveRowTriggers
  readonly ownerRowTriggers: OwnerRowTriggers
  /** Statements that keep the bytes of a column's long texts in the table `long_texts` from then on. */
  longTextTriggers(table: string, column: string): readonly RawBuilder<unknown>[]
  readonly settingsVersionTriggers: SettingsVersionTriggers
  /** Statements from which on a new column of `table` has only ids of `target`, live or deleted, of the row's workspace. */
  addForeignKey(table: string, column: string, target: string): readonly RawBuilder<unknown>[]
  /** `undefined` if the planner has statistics. */
  readonly plannerHints: PlannerHints | undefined
  /** True if the table exists. */
  hasTable(table: string): Expression<unknown>
  /** Whole milliseconds between two times. */
  durationMs(from: string, to: string): Expression<unknown>
  /** True if `column` is in a list that is bound as one value. */
  isInList(column: Expression<unknown>, kind: ColumnKind, list: Expression<unknown>): Expression<SqlBool>
  /** Comparisons of texts as `foldText` of the core returns them. */
  readonly foldText: {
    equals(text: Expression<unknown>, folded: Expression<unknown>): Expression<SqlBool>
    contains(text: Expression<unknown>, folded: Expression<unknown>): Expression<SqlBool>
    beginsWith(text: Expression<unknown>, folded: Expression<unknown>): Expression<SqlBool>
  }
  /** A member of a json object, if it is of the type; otherwise null. Names have letters, digits and hyphens. */
  jsonMember(
    column: Expression<unknown>,
    name: Expression<unknown>,
    type: 'number' | 'text' | 'any',
  ): Expression<unknown>
  /** True if one of the objects in a json array meets the condition. */
  hasJsonEntry(
    column: Expression<unknown>,
    condition: (entry: Expression<unknown>) => Expression<SqlBool>,
  ): Expression<SqlBool>
  /** True if a json array or object has nothing. */
  isJsonEmpty(column: Expression<unknown>): Expression<SqlBool>
  /** Converts a list for `isInList`. */
  encodeList(values: readonly string[]): unknown
  /**
   * An insert of the records bound as `rows`, a JSON array of objects, with the same effect as single inserts;
   * `undefined` if an insert takes the values of each record.
   */
  readonly bulkInsert:
    | ((table: string, kinds: ReadonlyMap<string, ColumnKind>) => RawBuilder<unknown>)
    | undefined
  /** Maximum number of records per insert statement. A power of two, if it takes the values of each record. */
  readonly maxBulkRows: number
  /** The field of a unique violation; `undefined` for any other error. */
  parseUniqueViolation(error: unknown): string | undefined
}

/** The name of the unique index of `field`. Dialects derive the field from it in errors. */
export function uniqueIndexName(table: string, field: string): string {
  return `${table}__${field}`
}
