import { copyFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import pg from 'pg'
import type { DatabaseName } from './rows.ts'

/** A table, written with hand-optimized statements. */
export interface RawTable {
  /** Returns all columns of the rows with these ids, in the order that `insert` takes. */
  readRows(ids: readonly string[]): Promise<readonly (readonly unknown[])[]>
  /** Inserts rows, many per statement and a batch per transaction. */
  insert(rows: readonly (readonly unknown[])[]): Promise<void>
  close(): Promise<void>
}

const BATCH = 1_000
/** Rows per statement. More rows were not faster on either database. */
const ROWS = { sqlite: 50, postgres: 500 }
/** The row number for the search index, assigned by the database. */
const ASSIGNED_COLUMN = 'search_row'

/** Copies a database without writers, and opens a table of the original and the same table of the copy. */
export async function openRawTables(
  name: DatabaseName,
  table: string,
  url: string,
): Promise<readonly [RawTable, RawTable]> {
  if (name === 'sqlite') {
    const file = url.slice('sqlite:'.length)
    copyFileSync(file, `${file}.copy`)
    return [openSqliteTable(file, table), openSqliteTable(`${file}.copy`, table)]
  }
  const copy = new URL(url)
  const database = copy.pathname.slice(1)
  copy.pathname = `/${database}_copy`
  const admin = await connect(Object.assign(new URL(url), { pathname: '/postgres' }).href)
  await admin.query(`create database ${database}_copy template ${database}`)
  await admin.end()
  return [await openPostgresTable(url, table), await openPostgresTable(copy.href, table)]
}

function openSqliteTable(path: string, table: string): RawTable {
  const file = new Database(path)
  // The service's settings.
  for (const setting of [
    'journal_mode = WAL',
    'synchronous = FULL',
    'foreign_keys = ON',
    'secure_delete = ON',
    'cache_size = -32768',
  ]) {
    file.pragma(setting)
  }
  const columns = file.prepare('select name from pragma_table_info(?)').pluck().all(table) as string[]
  const columnList = columns.filter((column) => column !== ASSIGNED_COLUMN).join(', ')
  const selectRows = file
    .prepare(`select ${columnList} from ${table} where id in (select value from json_each(?))`)
    .raw()
  const placeholders = `(${columnList.replace(/\w+/g, '?')})`
  const insertMany = file.prepare(
    `insert into ${table} (${columnList}) values ${Array(ROWS.sqlite).fill(placeholders).join(', ')}`,
  )
  const insertOne = file.prepare(`insert into ${table} (${columnList}) values ${placeholders}`)
  const batch = file.transaction((rows: readonly (readonly unknown[])[]) => {
    for (const part of chunk(rows, ROWS.sqlite)) {
      if (part.length === ROWS.sqlite) insertMany.run(...part.flat())
      else for (const row of part) insertOne.run(...row)
    }
  })
  return {
    readRows: async (ids) => selectRows.all(JSON.stringify(ids)) as unknown[][],
    async insert(rows) {
      for (const part of chunk(rows, BATCH)) batch(part)
    },
    async close() {
      file.close()
    },
  }
}

async function openPostgresTable(url: string, table: string): Promise<RawTable> {
  const client = await connect(url)
  const { rows: columns } = await client.query<{ readonly name: string; readonly type: string }>(
    `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
    where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [table],
  )
  const columnList = columns.map(({ name }) => `"${name}"`).join(', ')
  const statement = (count: number) => {
    const row = (rowIndex: number) =>
      `(${columns.map((_, index) => `$${rowIndex * columns.length + index + 1}`).join(', ')})`
    return `insert into ${table} (${columnList}) values ${Array.from({ length: count }, (_, rowIndex) => row(rowIndex)).join(', ')}`
  }
  const fullStatement = { name: 'many', text: statement(ROWS.postgres) }
  return {
    // Reads text, since the driver would convert parsed values back to text.
    async readRows(ids) {
      const texts = columns.map(({ name }) => `"${name}"::text`).join(', ')
      const { rows } = await client.query({
        text: `select ${texts} from ${table} where id = any($1::uuid[])`,
        values: [ids],
        rowMode: 'array',
      })
      return rows as unknown[][]
    },
    async insert(rows) {
      for (const batch of chunk(rows, BATCH)) {
        await client.query('begin')
        for (const part of chunk(batch, ROWS.postgres)) {
          const values = part.flat()
          await client.query(
            part.length === ROWS.postgres
              ? { ...fullStatement, values }
              : { text: statement(part.length), values },
          )
        }
        await client.query('commit')
      }
    },
    close: () => client.end(),
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  // Without a listener, the server's shutdown would end this process with an error.
  client.on('error', () => {})
  await client.connect()
  return client
}

function chunk<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  )
}
