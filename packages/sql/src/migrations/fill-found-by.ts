import { columnOf, SHAPES } from '@sales-crm/core/ports'
import { type Kysely, sql } from 'kysely'
import type { Row } from '../connection.ts'
import type { Dialect, Tables } from '../dialect.ts'

const BATCH = 1000
/** Before every id. */
const FIRST = { workspace_id: '00000000-0000-0000-0000-000000000000', id: '00000000-0000-0000-0000-000000000000' }

/** Gives every row of `table` its `found_by`. */
export async function fillFoundBy(
  db: Kysely<Tables>,
  dialect: Dialect,
  table: 'companies' | 'people' | 'deals',
  foundBy: (row: Row) => string,
): Promise<void> {
  const json = Object.entries(SHAPES[table].columns).flatMap(([name, declared]) => (columnOf(declared).kind === 'json' ? [name] : []))
  const decode = dialect.fromDriver.json ?? ((value: unknown) => value)
  const uuid = sql.raw(dialect.columnTypes.uuid)

  for (let last: Row | undefined = FIRST; last; ) {
    const { rows }: { rows: Row[] } = await sql<Row>`select * from ${sql.table(table)}
      where (workspace_id, id) > (${last['workspace_id']}, ${last['id']}) order by workspace_id, id limit ${sql.lit(BATCH)}`.execute(db)
    last = rows.at(-1)
    if (!last) return
    const found = rows.map((row) => {
      const decoded = { ...row, ...Object.fromEntries(json.map((name) => [name, decode(row[name])])) }
      return sql`(cast(${row['workspace_id']} as ${uuid}), cast(${row['id']} as ${uuid}), ${foundBy(decoded)})`
    })
    await sql`update ${sql.table(table)} set found_by = found.column3 from (values ${sql.join(found)}) as found
      where workspace_id = found.column1 and id = found.column2`.execute(db)
  }
}
