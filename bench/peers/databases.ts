import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import pg from 'pg'
import type { SeededDatabase } from '../databases.ts'
import { COLLECTIONS, type Collection, type Field } from './collections.ts'
import { type Place, prepareDirectus } from './directus.ts'

/** Directus's database with the service's records, to be copied for whoever uses it. */
export interface PeerDatabase {
  copy(): Promise<Place>
}

export async function peerDatabase(
  seeded: SeededDatabase,
  program: string,
  folder: string,
): Promise<PeerDatabase> {
  const source = await seeded.copy('source')
  return seeded.name === 'sqlite'
    ? sqlitePeer(source.slice('sqlite:'.length), program, folder)
    : postgresPeer(source, program, folder)
}

async function sqlitePeer(source: string, program: string, folder: string): Promise<PeerDatabase> {
  const placeOf = (file: string): Place => ({ DB_CLIENT: 'sqlite3', DB_FILENAME: file })
  const file = join(folder, 'directus.db')
  await prepareDirectus(program, placeOf(file), folder)
  const opened = new Database(file)
  opened.prepare('attach ? as ours').run(source)
  for (const { name, from, fields } of COLLECTIONS) {
    const values = fields.map((field) =>
      field.type === 'timestamp' ? milliseconds(field.from) : quoted(field.from),
    )
    opened.exec(`insert into ${name} (${namesOf(fields)}) select ${values.join(', ')} from ours.${from}`)
  }
  opened.exec('detach ours; analyze')
  opened.close()
  let copies = 0
  return {
    async copy() {
      const copied = join(folder, `directus-${++copies}.db`)
      copyFileSync(file, copied)
      return placeOf(copied)
    },
  }
}

/** On the cluster of the service's own. */
async function postgresPeer(source: string, program: string, folder: string): Promise<PeerDatabase> {
  const placeOf = (name: string): Place => ({
    DB_CLIENT: 'pg',
    DB_CONNECTION_STRING: addressOf(source, name),
  })
  const admin = await connected(addressOf(source, 'postgres'))
  await admin.query('create database directus')
  await prepareDirectus(program, placeOf('directus'), folder)
  const [ours, theirs] = [await connected(source), await connected(addressOf(source, 'directus'))]
  for (const collection of COLLECTIONS)
    await theirs.query(insertOf(collection), [await rowsOf(ours, collection)])
  await theirs.query('vacuum (freeze, analyze)')
  await Promise.all([ours.end(), theirs.end()])
  return {
    async copy() {
      await admin.query('drop database if exists directus_copy with (force)')
      await admin.query('create database directus_copy template directus')
      await admin.query('checkpoint')
      return placeOf('directus_copy')
    },
  }
}

/** As JSON, which PostgreSQL makes rows of again. */
async function rowsOf(ours: pg.Client, { from, fields }: Collection): Promise<string> {
  const values = fields.map((field) => `${quoted(field.from)} as ${quoted(field.name)}`)
  const { rows } = await ours.query<{ rows: string }>(
    `select coalesce(json_agg(each), '[]')::text as rows from (select ${values.join(', ')} from ${from}) each`,
  )
  return rows[0]!.rows
}

function insertOf({ name, fields }: Collection): string {
  return `insert into ${name} (${namesOf(fields)}) select ${namesOf(fields)} from json_populate_recordset(null::${name}, $1)`
}

function namesOf(fields: readonly Field[]): string {
  return fields.map(({ name }) => quoted(name)).join(', ')
}

/** How Directus keeps a moment in SQLite. */
function milliseconds(column: string): string {
  return `cast(round(unixepoch(${quoted(column)}, 'subsec') * 1000) as integer)`
}

function quoted(name: string): string {
  return `"${name}"`
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  // Unheard, the server's end would end this process first.
  client.on('error', () => {})
  await client.connect()
  return client
}

function addressOf(url: string, database: string): string {
  return Object.assign(new URL(url), { pathname: `/${database}` }).href
}
