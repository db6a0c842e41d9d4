import { mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { outputOf, type Server, startServer } from '../processes.ts'
import { COLLECTIONS, type Collection, type Field } from './collections.ts'

/** An administrator's. */
export const TOKEN = 'a-static-token-of-the-benchmark'
const BOOT_MS = 180_000

/** Where Directus keeps what it keeps, in its own settings. */
export type Place = Readonly<Record<string, string>>

/**
 * Directus as it is when nothing is set: no cache, no limits for callers, and all that is written noted as activity and as a revision. Only
 * what refuses calls of a server at work is off, as the service's limits are, and what it would log or tell others.
 */
export function startDirectus(program: string, place: Place, folder: string): Promise<Server> {
  return startServer({
    nodeArguments: [program, 'start'],
    folder,
    environment: settings(place, folder),
    readyPath: '/server/ping',
    startMs: BOOT_MS,
    complainsOn: 'stdout',
  })
}

/** Makes its tables and the collections, in an empty database. */
export async function prepareDirectus(program: string, place: Place, folder: string): Promise<void> {
  await outputOf(process.execPath, [program, 'bootstrap'], {
    PATH: process.env['PATH'],
    ...settings(place, folder),
  })
  const server = await startDirectus(program, place, folder)
  for (const collection of COLLECTIONS) {
    await posted(server, '/collections', {
      collection: collection.name,
      meta: {},
      schema: {},
      fields: collection.fields.map(fieldOf),
    })
    for (const each of relationsOf(collection)) await posted(server, '/relations', each)
  }
  await server.stop()
}

function settings(place: Place, folder: string): Readonly<Record<string, string>> {
  const own = mkdtempSync(join(folder, 'directus-'))
  const folders = Object.entries({
    EXTENSIONS_PATH: 'extensions',
    STORAGE_LOCAL_ROOT: 'uploads',
    TEMP_PATH: 'temp',
  })
  for (const [, name] of folders) mkdirSync(join(own, name))
  return {
    ...place,
    ...Object.fromEntries(folders.map(([setting, name]) => [setting, join(own, name)])),
    CONFIG_PATH: join(own, 'none'),
    NODE_ENV: 'production',
    SECRET: 'a secret of the benchmark, of thirty-two bytes at least',
    PUBLIC_URL: 'http://127.0.0.1',
    // Directus takes no address below .example.
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: 'a-password-of-the-benchmark',
    ADMIN_TOKEN: TOKEN,
    PRESSURE_LIMITER_ENABLED: 'false',
    TELEMETRY: 'false',
    LOG_LEVEL: 'warn',
  }
}

function fieldOf({ name, type, special, preset, isIndexed }: Field): object {
  return {
    field: name,
    type,
    meta: { ...(special && { special: [special] }) },
    schema: {
      ...(name === 'id' && { is_primary_key: true }),
      ...(preset !== undefined && { default_value: preset }),
      ...(isIndexed && { is_indexed: true }),
    },
  }
}

function relationsOf({ name, fields }: Collection): object[] {
  return fields.flatMap(({ name: field, to }) =>
    to === undefined
      ? []
      : [{ collection: name, field, related_collection: to, schema: { on_delete: 'SET NULL' } }],
  )
}

async function posted({ port }: Server, path: string, body: object): Promise<void> {
  const headers = { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' }
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  if (!answer.ok)
    throw new Error(`Directus answered ${answer.status} to POST ${path}: ${await answer.text()}`)
}
