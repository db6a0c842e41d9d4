import { join } from 'node:path'
import Database from 'better-sqlite3'
import { connectPostgres, type Databases, sqliteFile, withDatabaseName } from '../databases.ts'
import { COLLECTIONS, type Collection, type Field } from './collections.ts'
import { type DatabaseSettings, prepareDirectus } from './directus.ts'

/**
 * Creates Directus's database with the records of the service's, and returns its URL.
 * @param source the URL of the service's database
 */
export async function createDirectusDatabase(
  databases: Databases,
  source: string,
  program: string,
  folder: string,
): Promise<string> {
  if (databases.name === 'sqlite') {
    const url = `sqlite:${join(folder, 'directus.db')}`
    await prepareDirectus(program, databaseSettings(url), folder)
    copySqliteRecords(sqliteFile(source)!, sqliteFile(url)!)
    return url
  }
  const admin = await connectPostgres(withDatabaseName(source, 'postgres'))
  await admin.query('create database directus')
  await admin.end()
  const url = withDatabaseName(source, 'directus')
  await prepareDirectus(program, databaseSettings(url), folder)
  await copyPostgresRecords(source, url)
  return url
}

export function databaseSettings(url: string): DatabaseSettings {
  const file = sqliteFile(url)
  return file === undefined
    ? { DB_CLIENT: 'pg', DB_CONNECTION_STRING: url }
    : { DB_CLIENT: 'sqlite3', DB_FILENAME: file }
}

function copySqliteRecords(source: string, target: string): void {
  const database = new Database(target)
  database.prepare('attach ? as ours').run(source)
  for (const { name, from, fields } of COLLECTIONS) {
    const values = fields.map((field) =>
      field.type === 'timestamp' ? toMilliseconds(field.from) : quoteName(field.from),
    )
    database.exec(
      `insert into ${name} (${columnNames(fields)}) select ${values.join(', ')} from ours.${from}`,
    )
  }
  database.exec('detach ours; analyze')
  database.close()
}

async function copyPostgresRecords(source: string, target: string): Promise<void> {
  const [ours, theirs] = [await connectPostgres(source), await connectPostgres(target)]
  for (const collection of COLLECTIONS) {
    const { rows } = await ours.query<{ rows: string }>(selectStatement(collection))
    await theirs.query(insertStatement(collection), [rows[0]!.rows])
  }
  await theirs.query('vacuum (freeze, analyze)')
  await Promise.all([ours.end(), theirs.end()])
}

/** Selects the rows as JSON, which PostgreSQL converts back to rows. */
function selectStatement({ from, fields }: Collection): string {
  const values = fields.map((field) => `${quoteName(field.from)} as ${quoteName(field.name)}`)
  return `select coalesce(json_agg(each), '[]')::text as rows from (select ${values.join(', ')} from ${from}) each`
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
