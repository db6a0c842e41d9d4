import { type Dialect, param, type Tables } from '@sales-crm/sql'
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from 'kysely'
import pg from 'pg'
import { prepareDistribution } from '../migrations/distribution-migration.ts'
import { createFoldText } from '../migrations/fold-text-migration.ts'
import { createRateWindows } from '../migrations/rate-windows-migration.ts'
import { createReplicaReads } from '../migrations/replica-reads-migration.ts'
import { createRowVersionFunction } from '../migrations/row-version-migration.ts'
import { createFacetIndexes, createTermIndexes } from '../migrations/term-index-migration.ts'
import { liveRowTriggers } from './live-row-triggers.ts'
import { longTextTriggers } from './long-text-triggers.ts'
import { ownerRowTriggers } from './owner-row-triggers.ts'
import { rowVersion } from './row-version.ts'
import { settingsVersionTriggers } from './settings-version-triggers.ts'
import { createTermIndex } from './term-index.ts'
import { foldText, hasJsonEntry, isJsonEmpty, jsonMember } from './value-expressions.ts'

const compiler = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

export const postgresDialect: Dialect = {
  compiler,
  columnTypes: {
    uuid: 'uuid',
    // Sorts by code point in every locale.
    text: 'text collate "C"',
    terms: 'text collate "C"',
    integer: 'bigint',
    boolean: 'boolean',
    instant: 'timestamptz(3)',
    // `jsonb` would reorder the keys.
    json: 'json',
  },
  migrations: {
    '0002_rate_windows': createRateWindows,
    '0004_searching': createTermIndexes,
    '0013_row_versions': createRowVersionFunction,
    '0027_facet_indexes': createFacetIndexes,
    '0035_fold_text': createFoldText,
    '0050_replica_reads': createReplicaReads,
    '0051_distribution': prepareDistribution,
  },
  termIndex: createTermIndex({ isDistributed: false }),
  liveRowTriggers,
  ownerRowTriggers,
  longTextTriggers,
  settingsVersionTriggers,
  addForeignKey: (table, column, target) => [
    sql`alter table ${sql.table(table)} add constraint ${sql.id(`${table}_${column}_fkey`)}
      foreign key (workspace_id, ${sql.ref(column)}) references ${sql.table(target)} (workspace_id, id)`,
  ],
  plannerHints: undefined,
  encoders: { json: JSON.stringify },
  decoders: {},
  nullsFirst: 'nulls first',
  jsonArrayAggregate: 'json_agg',
  hasRowLocks: true,
  isDistributed: false,
  rowVersion,
  lockKey: sql`pg_advisory_xact_lock(hashtextextended(${param('key')}, 0))`,
  isJoinFaster: true,
  quotaRows: sql`unnest(${param('workspaces')}::uuid[], ${param('webhooks')}::uuid[], ${param('limits')}::bigint[]) as quotas (workspace_id, webhook_id, most)`,
  hasTable: (table) => sql`to_regclass(${sql.lit(table)}) is not null`,
  durationMs: (from, to) => sql`(extract(epoch from (${sql.ref(to)} - ${sql.ref(from)})) * 1000)::bigint`,
  isInList: (column, kind, list) =>
    sql`${column} = any(${list}::${sql.raw(kind === 'uuid' ? 'uuid' : 'text')}[])`,
  encodeList: (values) => values,
  bulkInsert(table, kinds) {
    const columnList = sql.join([...kinds.keys()].map((column) => sql.ref(column)))
    const source = sql`json_populate_recordset(null::${sql.table(table)}, ${param('rows')})`
    return sql`insert into ${sql.table(table)} (${columnList}) select ${columnList} from ${source}`
  },
  maxBulkRows: 1000,
  foldText,
  jsonMember,
  hasJsonEntry,
  isJsonEmpty,
  parseUniqueViolation(error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== '23505') return undefined
    // The error of a shard has the name only in its message, followed by the number of the shard.
    return /\w+?__(\w+?)(?:_\d+)?(?!\w)/.exec(error.constraint ?? error.message)?.[1]
  },
}
