import { type Dialect, param, type Tables } from '@sales-crm/sql'
import Database from 'better-sqlite3'
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely'
import { recreateCodeIndexes } from '../migrations/code-index-migration.ts'
import {
  createFacetIndexes,
  createTermIndexes,
  createTermVocabularies,
} from '../migrations/term-index-migrations.ts'
import { liveRowTriggers } from './live-row-triggers.ts'
import { longTextTriggers } from './long-text-triggers.ts'
import { ownerRowTriggers } from './owner-row-triggers.ts'
import { settingsVersionTriggers } from './settings-version-triggers.ts'
import { countTermEntries, expandPrefix, matchesCte, termIndex } from './term-index.ts'
import { foldText, hasJsonEntry, isJsonEmpty, jsonMember } from './value-expressions.ts'

/**
 * Makes SQLite plan a statement once. It would plan again at each binding of a bare parameter that an
 * equality or a limit compares with, which takes several times as long as running most statements.
 */
class GenericPlanCompiler extends SqliteQueryCompiler {
  override compileQuery(
    ...query: Parameters<SqliteQueryCompiler['compileQuery']>
  ): ReturnType<SqliteQueryCompiler['compileQuery']> {
    const compiled = super.compileQuery(...query)
    return { ...compiled, sql: compiled.sql.replaceAll(/( =|\blimit) \?/g, '$1 +?') }
  }
}

const compiler = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new GenericPlanCompiler(),
  },
})

export const sqliteDialect: Dialect = {
  compiler,
  columnTypes: {
    uuid: 'text',
    text: 'text',
    integer: 'integer',
    boolean: 'integer',
    instant: 'text',
    json: 'text',
    terms: 'text',
  },
  migrations: {
    '0004_searching': createTermIndexes,
    '0012_naming_words': createTermVocabularies,
    '0027_facet_indexes': createFacetIndexes,
    '0038_code_indexes': recreateCodeIndexes,
  },
  termIndex,
  liveRowTriggers,
  ownerRowTriggers,
  longTextTriggers,
  settingsVersionTriggers,
  // A constraint of several columns can be added only with the table.
  addForeignKey: (table, column, target) =>
    [
      ['insert', 'insert'],
      ['update', `update of ${column}`],
    ].map(
      ([name, event]) => sql`create trigger ${sql.id(`${table}_${column}_${name}`)}
        before ${sql.raw(event!)} on ${sql.table(table)}
        when ${sql.ref(`new.${column}`)} is not null and not exists (
          select 1 from ${sql.table(target)} where workspace_id = new.workspace_id and id = ${sql.ref(`new.${column}`)})
        begin select raise(abort, 'FOREIGN KEY constraint failed'); end`,
    ),
  plannerHints: {
    expandPrefix,
    countTermEntries,
    listIndexedColumns: (table) =>
      sql`select distinct parts.name as name from pragma_index_list(${sql.lit(table)}) as indexes
        join pragma_index_info(indexes.name) as parts where parts.seqno = 1`,
    matchesCte,
    estimateRowCount: (table) => sql`select max(rowid) as size from ${sql.table(table)}`,
    withoutIndex: (column) => sql`+${sql.ref(column)}`,
    rowKey: 'rowid',
  },
  encoders: { boolean: Number, json: JSON.stringify },
  decoders: { boolean: (value) => value === 1, json: (value) => JSON.parse(value as string) },
  nullsFirst: '',
  jsonArrayAggregate: 'json_group_array',
  hasRowLocks: false,
  isDistributed: false,
  rowVersion: undefined,
  lockKey: undefined,
  isJoinFaster: false,
  quotaRows: undefined,
  hasTable: (table) =>
    sql`exists (select 1 from sqlite_schema where type = 'table' and name = ${sql.lit(table)})`,
  // SQLite counts in milliseconds; the fraction of a day is exact to a twentieth of one.
  durationMs: (from, to) =>
    sql`cast(round((julianday(${sql.ref(to)}) - julianday(${sql.ref(from)})) * 86400000) as integer)`,
  isInList: (column, _kind, list) => sql`${column} in (select value from json_each(${list}))`,
  encodeList: JSON.stringify,
  // FTS5 flushes its pending terms with each statement: inserting a hundred rows at once takes a third of the
  // time.
  bulkInsert(table, kinds) {
    const columns = [...kinds.keys()]
    const expressions = [...kinds].map(([column, kind]) => {
      const path = sql.lit(column)
      return kind === 'json' ? sql`nullif(value -> ${path}, 'null')` : sql`value ->> ${path}`
    })
    return sql`insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
      select ${sql.join(expressions)} from jsonb_each(${param('rows')})`
  },
  maxBulkRows: 100,
  foldText,
  jsonMember,
  hasJsonEntry,
  isJsonEmpty,
  parseUniqueViolation(error) {
    if (!(error instanceof Database.SqliteError) || error.code !== 'SQLITE_CONSTRAINT_UNIQUE')
      return undefined
    return error.message.split('.').at(-1)
  },
}
