import { parseColumn, SHAPES } from '@sales-crm/core/ports'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Dialect, Tables } from '../dialect.ts'
import type { Row } from '../driver.ts'

const BATCH_SIZE = 1000
/** Smaller than every id. */
const BEFORE_FIRST = {
  workspace_id: '00000000-0000-0000-0000-000000000000',
  id: '00000000-0000-0000-0000-000000000000',
}

interface SearchedTable {
  readonly table: 'companies' | 'people' | 'deals' | 'products'
  /** The column of the terms, which a later migration renames. */
  readonly column: 'found_by' | 'search_terms'
  /** Default: every row. */
  readonly where?: RawBuilder<unknown>
  /** Those of the collection, which get the rows of this version. */
  readonly searchTerms: unknown
}

/** Fills the terms of the rows of a table. */
export async function fillSearchTerms(
  db: Kysely<Tables>,
  dialect: Dialect,
  { table, column, where = sql`true`, searchTerms }: SearchedTable,
): Promise<void> {
  const jsonColumns = Object.entries(SHAPES[table].columns).flatMap(([name, declaration]) =>
    parseColumn(declaration).kind === 'json' ? [name] : [],
  )
  const toTerms = searchTerms as (row: Row) => string
  const decode = dialect.decoders.json ?? ((value: unknown) => value)
  const uuid = sql.raw(dialect.columnTypes.uuid)

  for (let last: Row | undefined = BEFORE_FIRST; last; ) {
    const { rows }: { rows: Row[] } = await sql<Row>`select * from ${sql.table(table)}
      where (workspace_id, id) > (${last['workspace_id']}, ${last['id']}) and ${where} order by workspace_id, id limit ${sql.lit(BATCH_SIZE)}`.execute(
      db,
    )
    last = rows.at(-1)
    if (!last) return
    const values = rows.map((row) => {
      const decoded = { ...row, ...Object.fromEntries(jsonColumns.map((name) => [name, decode(row[name])])) }
      return sql`(cast(${row['workspace_id']} as ${uuid}), cast(${row['id']} as ${uuid}), ${toTerms(decoded)})`
    })
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = found.column3 from (values ${sql.join(values)}) as found
      where workspace_id = found.column1 and id = found.column2`.execute(db)
  }
}
