import { copyFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import pg from 'pg'
import type { DatabaseName } from './rows.ts'

/** One table, written as one would by hand for speed. */
export interface RawTable {
  /** Every column of the rows with these ids, in the order of `insert`. */
  rowsOf(ids: readonly string[]): Promise<readonly (readonly unknown[])[]>
  /** Many rows a statement, one transaction a batch. */
  insert(rows: readonly (readonly unknown[])[]): Promise<void>
  close(): Promise<void>
}

const BATCH = 1_000
/** Rows of a statement. More was no faster on either database. */
const ROWS = { sqlite: 50, postgres: 500 }
/** Numbers the rows for the search index, and is given by the database. */
const NUMBERED = 'search_row'

/** The table of a database that nobody writes yet, and the same table in a copy of it. */
export async function rawTables(
  name: DatabaseName,
  table: string,
  url: string,
): Promise<readonly [RawTable, RawTable]> {
  if (name === 'sqlite') {
    const file = url.slice('sqlite:'.length)
    copyFileSync(file, `${file}.copy`)
    return [onSqlite(file, table), onSqlite(`${file}.copy`, table)]
  }
  const copy = new URL(url)
  const database = copy.pathname.slice(1)
  copy.pathname = `/${database}_copy`
  const admin = await connected(Object.assign(new URL(url), { pathname: '/postgres' }).href)
  await admin.query(`create database ${database}_copy template ${database}`)
  await admin.end()
  return [await onPostgres(url, table), await onPostgres(copy.href, table)]
}

function onSqlite(path: string, table: string): RawTable {
  const file = new Database(path)
  // As the service has them.
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
  const listed = columns.filter((column) => column !== NUMBERED).join(', ')
  const found = file
    .prepare(`select ${listed} from ${table} where id in (select value from json_each(?))`)
    .raw()
  const one = `(${listed.replace(/\w+/g, '?')})`
  const many = file.prepare(
    `insert into ${table} (${listed}) values ${Array(ROWS.sqlite).fill(one).join(', ')}`,
  )
  const single = file.prepare(`insert into ${table} (${listed}) values ${one}`)
  const batch = file.transaction((rows: readonly (readonly unknown[])[]) => {
    for (const part of parts(rows, ROWS.sqlite)) {
      if (part.length === ROWS.sqlite) many.run(...part.flat())
      else for (const row of part) single.run(...row)
    }
  })
  return {
    rowsOf: async (ids) => found.all(JSON.stringify(ids)) as unknown[][],
    async insert(rows) {
      for (const part of parts(rows, BATCH)) batch(part)
    },
    async close() {
      file.close()
    },
  }
}

async function onPostgres(url: string, table: string): Promise<RawTable> {
  const client = await connected(url)
  const { rows: columns } = await client.query<{ readonly name: string; readonly type: string }>(
    `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
    where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [table],
  )
  const listed = columns.map(({ name }) => `"${name}"`).join(', ')
  const statement = (count: number) => {
    const row = (at: number) =>
      `(${columns.map((_, index) => `$${at * columns.length + index + 1}`).join(', ')})`
    return `insert into ${table} (${listed}) values ${Array.from({ length: count }, (_, at) => row(at)).join(', ')}`
  }
  const many = { name: 'many', text: statement(ROWS.postgres) }
  return {
    // As text, which is what the driver would make of them again.
    async rowsOf(ids) {
      const texts = columns.map(({ name }) => `"${name}"::text`).join(', ')
      const { rows } = await client.query({
        text: `select ${texts} from ${table} where id = any($1::uuid[])`,
        values: [ids],
        rowMode: 'array',
      })
      return rows as unknown[][]
    },
    async insert(rows) {
      for (const batch of parts(rows, BATCH)) {
        await client.query('begin')
        for (const part of parts(batch, ROWS.postgres)) {
          const values = part.flat()
          await client.query(
            part.length === ROWS.postgres ? { ...many, values } : { text: statement(part.length), values },
          )
        }
        await client.query('commit')
      }
    },
    close: () => client.end(),
  }
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  // Unheard, the server's end would end this process first.
  client.on('error', () => {})
  await client.connect()
  return client
}

function parts<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  )
}
