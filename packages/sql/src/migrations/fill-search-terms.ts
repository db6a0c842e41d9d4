import { parseColumn, SHAPES } from '@sales-crm/core/ports'
import { type Kysely, sql } from 'kysely'
import type { Dialect, Tables } from '../dialect.ts'
import type { Row } from '../driver.ts'

const BATCH_SIZE = 1000
/** Smaller than every id. */
const BEFORE_FIRST = {
  workspace_id: '00000000-0000-0000-0000-000000000000',
  id: '00000000-0000-0000-0000-000000000000',
}

/** Fills the column `found_by` of every row of `table`. */
export async function fillSearchTerms(
  db: Kysely<Tables>,
  dialect: Dialect,
  table: 'companies' | 'people' | 'deals',
  searchTerms: (row: Row) => string,
): Promise<void> {
  const jsonColumns = Object.entries(SHAPES[table].columns).flatMap(([name, declaration]) =>
    parseColumn(declaration).kind === 'json' ? [name] : [],
  )
  const decode = dialect.decoders.json ?? ((value: unknown) => value)
  const uuid = sql.raw(dialect.columnTypes.uuid)

  for (let last: Row | undefined = BEFORE_FIRST; last; ) {
    const { rows }: { rows: Row[] } = await sql<Row>`select * from ${sql.table(table)}
      where (workspace_id, id) > (${last['workspace_id']}, ${last['id']}) order by workspace_id, id limit ${sql.lit(BATCH_SIZE)}`.execute(
      db,
    )
    last = rows.at(-1)
    if (!last) return
    const values = rows.map((row) => {
      const decoded = { ...row, ...Object.fromEntries(jsonColumns.map((name) => [name, decode(row[name])])) }
      return sql`(cast(${row['workspace_id']} as ${uuid}), cast(${row['id']} as ${uuid}), ${searchTerms(decoded)})`
    })
    await sql`update ${sql.table(table)} set found_by = found.column3 from (values ${sql.join(values)}) as found
      where workspace_id = found.column1 and id = found.column2`.execute(db)
  }
}
