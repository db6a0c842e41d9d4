import { phoneDigits, RESOURCES } from '@sales-crm/core/declarations'
import { parseColumn, SHAPES } from '@sales-crm/core/ports'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Dialect, MigrationOptions, Tables } from '../dialect.ts'
import type { Row } from '../driver.ts'

const DEFAULT_BATCH_SIZE = 1000
/** Smaller than every id. */
const BEFORE_FIRST = {
  workspace_id: '00000000-0000-0000-0000-000000000000',
  id: '00000000-0000-0000-0000-000000000000',
}

interface SearchedTable {
  readonly table: 'activities' | 'companies' | 'deals' | 'people' | 'products' | 'tasks'
  /** The column of the terms, which a later migration renames. */
  readonly column: 'found_by' | 'search_terms'
  /** Default: every row. */
  readonly where?: RawBuilder<unknown>
  /** Those of the collection. */
  readonly searchTerms: unknown
  /** The countries of workspaces by their ids, for migrations that parse phone numbers. */
  readonly countries?: ReadonlyMap<string, string | null>
  readonly options?: MigrationOptions
  /** Number of rows that are in memory at once. Default: 1000. */
  readonly batchSize?: number
}

/** Fills the terms of the rows of a table. */
export async function fillSearchTerms(
  db: Kysely<Tables>,
  dialect: Dialect,
  {
    table,
    column,
    where = sql`true`,
    searchTerms,
    countries,
    options = {},
    batchSize = DEFAULT_BATCH_SIZE,
  }: SearchedTable,
): Promise<void> {
  const jsonColumns = Object.entries(SHAPES[table].columns).flatMap(([name, declaration]) =>
    parseColumn(declaration).kind === 'json' ? [name] : [],
  )
  const toTerms = searchTerms as (row: Row, toPhoneDigits?: (phone: string) => string) => string
  const { defaults } = RESOURCES[table]
  const decode = dialect.decoders.json ?? ((value: unknown) => value)
  const uuid = sql.raw(dialect.columnTypes.uuid)

  let count = 0
  for (let last: Row | undefined = BEFORE_FIRST; last; ) {
    const { rows }: { rows: Row[] } = await sql<Row>`select * from ${sql.table(table)}
      where (workspace_id, id) > (${last['workspace_id']}, ${last['id']}) and ${where} order by workspace_id, id limit ${sql.lit(batchSize)}`.execute(
      db,
    )
    last = rows.at(-1)
    if (!last) return
    const values = rows.map((row) => {
      const values = jsonColumns.filter((name) => name in row).map((name) => [name, decode(row[name])])
      // An older table lacks the columns of later migrations.
      const record = { ...defaults, ...row, ...Object.fromEntries(values) }
      const country = countries?.get(String(row['workspace_id'])) ?? null
      const terms = toTerms(record, countries && phoneDigits(options.parsePhone, country))
      return sql`(cast(${row['workspace_id']} as ${uuid}), cast(${row['id']} as ${uuid}), ${terms})`
    })
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = found.column3 from (values ${sql.join(values)}) as found
      where workspace_id = found.column1 and id = found.column2`.execute(db)
    count += rows.length
    options.onProgress?.(table, count)
  }
}

/** The countries of workspaces, on which the terms of phone numbers depend. */
export async function readCountries(db: Kysely<Tables>): Promise<ReadonlyMap<string, string | null>> {
  const { rows } = await sql<{
    id: string
    country: string | null
  }>`select id, country from workspaces`.execute(db)
  return new Map(rows.map(({ id, country }) => [id, country]))
}
