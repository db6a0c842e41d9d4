import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import pg from 'pg'
import type { SeededDatabase } from '../databases.ts'
import { COLLECTIONS, type Collection, type Field } from './collections.ts'
import { type DatabaseSettings, prepareDirectus } from './directus.ts'

/** Directus's database with the service's records, copied for each use. */
export interface PeerDatabase {
  copy(): Promise<DatabaseSettings>
}

export async function preparePeerDatabase(
  seeded: SeededDatabase,
  program: string,
  folder: string,
): Promise<PeerDatabase> {
  const source = await seeded.copy('source')
  return seeded.name === 'sqlite'
    ? prepareSqlitePeer(source.slice('sqlite:'.length), program, folder)
    : preparePostgresPeer(source, program, folder)
}

async function prepareSqlitePeer(source: string, program: string, folder: string): Promise<PeerDatabase> {
  const settingsFor = (file: string): DatabaseSettings => ({ DB_CLIENT: 'sqlite3', DB_FILENAME: file })
  const file = join(folder, 'directus.db')
  await prepareDirectus(program, settingsFor(file), folder)
  const connection = new Database(file)
  connection.prepare('attach ? as ours').run(source)
  for (const { name, from, fields } of COLLECTIONS) {
    const values = fields.map((field) =>
      field.type === 'timestamp' ? toMilliseconds(field.from) : quoteName(field.from),
    )
    connection.exec(
      `insert into ${name} (${columnNames(fields)}) select ${values.join(', ')} from ours.${from}`,
    )
  }
  connection.exec('detach ours; analyze')
  connection.close()
  let copyCount = 0
  return {
    async copy() {
      const copyFile = join(folder, `directus-${++copyCount}.db`)
      copyFileSync(file, copyFile)
      return settingsFor(copyFile)
    },
  }
}

/** Prepares Directus's database on the PostgreSQL server of the service's. */
async function preparePostgresPeer(source: string, program: string, folder: string): Promise<PeerDatabase> {
  const settingsFor = (name: string): DatabaseSettings => ({
    DB_CLIENT: 'pg',
    DB_CONNECTION_STRING: withDatabaseName(source, name),
  })
  const admin = await connect(withDatabaseName(source, 'postgres'))
  await admin.query('create database directus')
  await prepareDirectus(program, settingsFor('directus'), folder)
  const [ours, theirs] = [await connect(source), await connect(withDatabaseName(source, 'directus'))]
  for (const collection of COLLECTIONS)
    await theirs.query(insertStatement(collection), [await readRows(ours, collection)])
  await theirs.query('vacuum (freeze, analyze)')
  await Promise.all([ours.end(), theirs.end()])
  return {
    async copy() {
      await admin.query('drop database if exists directus_copy with (force)')
      await admin.query('create database directus_copy template directus')
      await admin.query('checkpoint')
      return settingsFor('directus_copy')
    },
  }
}

/** Returns the rows as JSON, which PostgreSQL converts back to rows. */
async function readRows(ours: pg.Client, { from, fields }: Collection): Promise<string> {
  const values = fields.map((field) => `${quoteName(field.from)} as ${quoteName(field.name)}`)
  const { rows } = await ours.query<{ rows: string }>(
    `select coalesce(json_agg(each), '[]')::text as rows from (select ${values.join(', ')} from ${from}) each`,
  )
  return rows[0]!.rows
}

function insertStatement({ name, fields }: Collection): string {
  return `insert into ${name} (${columnNames(fields)}) select ${columnNames(fields)} from json_populate_recordset(null::${name}, $1)`
}

function columnNames(fields: readonly Field[]): string {
  return fields.map(({ name }) => quoteName(name)).join(', ')
}

/** Returns a SQL expression for a time as Directus stores it in SQLite. */
function toMilliseconds(column: string): string {
  return `cast(round(unixepoch(${quoteName(column)}, 'subsec') * 1000) as integer)`
}

function quoteName(name: string): string {
  return `"${name}"`
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  // Without a listener, the server's shutdown would end this process with an error.
  client.on('error', () => {})
  await client.connect()
  return client
}

function withDatabaseName(url: string, database: string): string {
  return Object.assign(new URL(url), { pathname: `/${database}` }).href
}
