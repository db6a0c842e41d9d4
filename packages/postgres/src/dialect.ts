import { arg, type Dialect, statement, type Tables } from '@sales-crm/sql'
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import pg from 'pg'
import { counting } from './counting.ts'
import { rowVersion, rowVersions } from './row-version.ts'
import { settingsChanged } from './settings-changed.ts'
import { searching, words } from './words.ts'

const compiler = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/** Counts that need not survive a crash, and so cost no log. */
const rateWindows: Migration = {
  async up(db: Kysely<Tables>) {
    await sql`create unlogged table rate_windows (key text primary key, used integer not null, closes_at timestamptz not null)`.execute(db)
  },
}

export const postgresDialect: Dialect = {
  compiler,
  columnTypes: {
    uuid: 'uuid',
    // Ordered by code point, whatever the cluster's locale.
    text: 'text collate "C"',
    words: 'text collate "C"',
    integer: 'bigint',
    boolean: 'boolean',
    instant: 'timestamptz(3)',
    // Not jsonb, which would put the keys in another order.
    json: 'json',
  },
  additions: { '0002_rate_windows': rateWindows, '0004_searching': searching, '0013_row_versions': rowVersions },
  words,
  counting,
  settingsChanged,
  unplanned: undefined,
  toDriver: { json: JSON.stringify },
  fromDriver: {},
  nullsFirst: 'nulls first',
  jsonArray: 'json_agg',
  locksRows: true,
  rowVersion,
  readsAlong: true,
  shares: sql`unnest(${arg('workspaces')}::uuid[], ${arg('webhooks')}::uuid[], ${arg('limits')}::bigint[]) as share (workspace_id, webhook_id, most)`,
  hasTable: (table) => sql`to_regclass(${sql.lit(table)}) is not null`,
  monthOf: (column) => sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM') collate "C"`,
  span: (from, to) => sql`(extract(epoch from (${sql.ref(to)} - ${sql.ref(from)})) * 1000)::bigint`,
  isAmong: (column, kind, list) => sql`${sql.ref(column)} = any(${list}::${sql.raw(kind === 'uuid' ? 'uuid' : 'text')}[])`,
  listToDriver: (values) => values,
  bulkInsert(table, kinds) {
    const listed = sql.join([...kinds.keys()].map((column) => sql.ref(column)))
    const source = sql`json_populate_recordset(null::${sql.table(table)}, ${arg('rows')})`
    const insert = sql`insert into ${sql.table(table)} (${listed}) select ${listed} from ${source}`
    return statement({ compile: () => insert.compile(compiler) })
  },
  bulkRows: 1000,
  takenField(error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== '23505') return undefined
    return error.constraint?.split('__')[1]
  },
}
