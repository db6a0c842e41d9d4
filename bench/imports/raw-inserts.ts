import Database from 'better-sqlite3'
import pg from 'pg'
import { sqliteFile } from '../databases.ts'
import { onExit } from '../processes.ts'

/** Rows of one transaction, as many as one of an import has at most. */
const TRANSACTION_ROWS = 100
/** A company before those who work there. */
const TABLES = ['companies', 'people'] as const
/** Columns that the database fills itself. */
const OWN_COLUMNS = new Set(['search_row', 'row_version', 'deleted_at'])

type Row = Readonly<Record<string, unknown>>

/** The rows of a table, as the database stores them. */
export interface StoredTable {
  readonly name: (typeof TABLES)[number]
  readonly rows: readonly Row[]
}

export async function readTables(url: string): Promise<readonly StoredTable[]> {
  const file = sqliteFile(url)
  if (file === undefined) return readPostgresTables(url)
  const database = new Database(file, { readonly: true })
  try {
    return TABLES.map((name) => ({
      name,
      rows: (database.prepare(`select * from ${name} order by created_at, id`).all() as Row[]).map(
        withoutOwn,
      ),
    }))
  } finally {
    database.close()
  }
}

/**
 * Inserts the rows into the same tables of another database, with their indexes and triggers: one prepared statement a row,
 * in transactions of a hundred.
 * @returns rows per second
 */
export async function insertRows(
  url: string,
  tables: readonly StoredTable[],
  { isDurable = false } = {},
): Promise<number> {
  const file = sqliteFile(url)
  const seconds =
    file === undefined
      ? await insertIntoPostgres(url, tables, isDurable)
      : insertIntoSqlite(file, tables, isDurable)
  return tables.reduce((sum, { rows }) => sum + rows.length, 0) / seconds
}

function insertIntoSqlite(file: string, tables: readonly StoredTable[], isDurable: boolean): number {
  const database = new Database(file)
  database.pragma(`synchronous = ${isDurable ? 'FULL' : 'NORMAL'}`)
  database.pragma('foreign_keys = ON')
  database.pragma('secure_delete = ON')
  database.pragma('cache_size = -32768')
  database.pragma('wal_autocheckpoint = 4000')
  const startedAt = performance.now()
  for (const table of tables) {
    const columns = columnsOf(table)
    const insert = database.prepare(
      `insert into ${table.name} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
    )
    const insertAll = database.transaction((rows: readonly Row[]) => {
      for (const row of rows) insert.run(columns.map((column) => row[column]))
    })
    for (const rows of batchesOf(table.rows)) insertAll(rows)
  }
  const seconds = (performance.now() - startedAt) / 1000
  database.close()
  return seconds
}

async function insertIntoPostgres(
  url: string,
  tables: readonly StoredTable[],
  isDurable: boolean,
): Promise<number> {
  const client = await connectWithText(url)
  await client.query(`set synchronous_commit = ${isDurable ? 'on' : 'off'}`)
  const startedAt = performance.now()
  for (const table of tables) {
    const columns = columnsOf(table)
    const parameters = columns.map((_, index) => `$${index + 1}`)
    const text = `insert into ${table.name} (${columns.join(', ')}) values (${parameters.join(', ')})`
    for (const rows of batchesOf(table.rows)) {
      await client.query('begin')
      for (const row of rows)
        await client.query({ name: table.name, text, values: columns.map((column) => row[column]) })
      await client.query('commit')
    }
  }
  const seconds = (performance.now() - startedAt) / 1000
  await client.end()
  return seconds
}

async function readPostgresTables(url: string): Promise<readonly StoredTable[]> {
  const client = await connectWithText(url)
  const tables: StoredTable[] = []
  for (const name of TABLES) {
    const { rows } = await client.query<Row>(`select * from ${name} order by created_at, id`)
    tables.push({ name, rows: rows.map(withoutOwn) })
  }
  await client.end()
  return tables
}

/** A client that parses no values. */
async function connectWithText(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    types: { getTypeParser: () => (value: string) => value } as never,
  })
  client.on('error', () => {})
  onExit(() => client.end().catch(() => {}))
  await client.connect()
  return client
}

function withoutOwn(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([column]) => !OWN_COLUMNS.has(column)))
}

function columnsOf({ rows }: StoredTable): readonly string[] {
  return Object.keys(rows[0] ?? {})
}

function batchesOf(rows: readonly Row[]): readonly (readonly Row[])[] {
  return Array.from({ length: Math.ceil(rows.length / TRANSACTION_ROWS) }, (_, index) =>
    rows.slice(index * TRANSACTION_ROWS, (index + 1) * TRANSACTION_ROWS),
  )
}
