import Database from 'better-sqlite3'
import { connectPostgres, sqliteFile } from '../databases.ts'

/** A table, written with hand-optimized statements. */
export interface RawTable {
  readonly columns: readonly string[]
  /** Returns rows in the order of the columns. */
  readRows(count: number): Promise<readonly unknown[][]>
  /** Inserts rows, many per statement and a batch per transaction. Their number is a multiple of a batch. */
  insert(rows: readonly unknown[][]): Promise<void>
  close(): Promise<void>
}

export const BATCH = 1_000
/** Rows per statement. More rows were not faster on either database. */
const [SQLITE_ROWS, POSTGRES_ROWS] = [50, 500]
/** The row number for the search index, assigned by the database. */
const ASSIGNED_COLUMN = 'search_row'
/** The service's settings. */
const PRAGMAS = [
  'journal_mode = WAL',
  'synchronous = FULL',
  'foreign_keys = ON',
  'secure_delete = ON',
  'cache_size = -32768',
]

export function openRawTable(url: string, table: string): Promise<RawTable> {
  const file = sqliteFile(url)
  return file === undefined ? openPostgresTable(url, table) : openSqliteTable(file, table)
}

async function openSqliteTable(path: string, table: string): Promise<RawTable> {
  const file = new Database(path)
  for (const pragma of PRAGMAS) file.pragma(pragma)
  const names = file.prepare('select name from pragma_table_info(?)').pluck().all(table) as string[]
  const columns = names.filter((name) => name !== ASSIGNED_COLUMN)
  const statement = file.prepare(insertStatement(table, columns, SQLITE_ROWS).replace(/\$\d+/g, '?'))
  const insertBatch = file.transaction((batch: readonly unknown[][]) => {
    for (const rows of chunk(batch, SQLITE_ROWS)) statement.run(...rows.flat())
  })
  return {
    columns,
    readRows: async (count) =>
      file.prepare(`select ${columns} from ${table} limit ?`).raw().all(count) as unknown[][],
    async insert(rows) {
      for (const batch of chunk(rows, BATCH)) insertBatch(batch)
    },
    close: async () => void file.close(),
  }
}

async function openPostgresTable(url: string, table: string): Promise<RawTable> {
  const client = await connectPostgres(url)
  const { rows: attributes } = await client.query<{ readonly name: string }>(
    `select attname as name from pg_attribute
    where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [table],
  )
  const columns = attributes.map(({ name }) => name)
  const statement = { name: 'insert', text: insertStatement(table, columns, POSTGRES_ROWS) }
  return {
    columns,
    // Reads text, since the driver would convert parsed values back to text.
    async readRows(count) {
      const texts = columns.map((name) => `"${name}"::text`).join(', ')
      const query = {
        text: `select ${texts} from ${table} limit $1`,
        values: [count],
        rowMode: 'array' as const,
      }
      return (await client.query<unknown[]>(query)).rows
    },
    async insert(rows) {
      for (const batch of chunk(rows, BATCH)) {
        await client.query('begin')
        for (const part of chunk(batch, POSTGRES_ROWS))
          await client.query({ ...statement, values: part.flat() })
        await client.query('commit')
      }
    },
    close: () => client.end(),
  }
}

function insertStatement(table: string, columns: readonly string[], rows: number): string {
  const placeholders = Array.from(
    { length: rows },
    (_, row) => `(${columns.map((_, column) => `$${row * columns.length + column + 1}`).join(', ')})`,
  )
  return `insert into ${table} (${columns.map((name) => `"${name}"`).join(', ')}) values ${placeholders.join(', ')}`
}

function chunk<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: list.length / size }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  )
}
