import { mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand, type Server, startServer } from '../processes.ts'
import { COLLECTIONS, type Collection, type Field } from './collections.ts'

/** The administrator's static token. */
export const TOKEN = 'a-static-token-of-the-benchmark'

/** Directus's settings of its database. */
export type DatabaseSettings = Readonly<Record<string, string>>

/**
 * Starts Directus with its default settings: no cache, no rate limits, and each write recorded as activity
 * and as a revision. Only its pressure limiter, logging and telemetry are off, as the service's limits are.
 */
export function startDirectus(
  program: string,
  databaseSettings: DatabaseSettings,
  folder: string,
): Promise<Server> {
  return startServer({
    nodeArguments: [program, 'start'],
    folder,
    environment: createSettings(databaseSettings, folder),
    readyPath: '/server/ping',
  })
}

/** Creates Directus's tables and the collections in an empty database. */
export async function prepareDirectus(
  program: string,
  databaseSettings: DatabaseSettings,
  folder: string,
): Promise<void> {
  await runCommand(process.execPath, [program, 'bootstrap'], {
    PATH: process.env['PATH'],
    ...createSettings(databaseSettings, folder),
  })
  const server = await startDirectus(program, databaseSettings, folder)
  for (const collection of COLLECTIONS) {
    await postJson(server, '/collections', {
      collection: collection.name,
      meta: {},
      schema: {},
      fields: collection.fields.map(createField),
    })
    for (const relation of createRelations(collection)) await postJson(server, '/relations', relation)
  }
  await server.stop()
}

function createSettings(
  databaseSettings: DatabaseSettings,
  folder: string,
): Readonly<Record<string, string>> {
  const ownFolder = mkdtempSync(join(folder, 'directus-'))
  const folders = Object.entries({
    EXTENSIONS_PATH: 'extensions',
    STORAGE_LOCAL_ROOT: 'uploads',
    TEMP_PATH: 'temp',
  })
  for (const [, name] of folders) mkdirSync(join(ownFolder, name))
  return {
    ...databaseSettings,
    ...Object.fromEntries(folders.map(([setting, name]) => [setting, join(ownFolder, name)])),
    CONFIG_PATH: join(ownFolder, 'none'),
    NODE_ENV: 'production',
    SECRET: 'a secret of the benchmark, of thirty-two bytes at least',
    PUBLIC_URL: 'http://127.0.0.1',
    // Directus rejects addresses below .example.
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: 'a-password-of-the-benchmark',
    ADMIN_TOKEN: TOKEN,
    PRESSURE_LIMITER_ENABLED: 'false',
    TELEMETRY: 'false',
    LOG_LEVEL: 'warn',
  }
}

function createField({ name, type, special, preset, isIndexed }: Field): object {
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

function createRelations({ name, fields }: Collection): object[] {
  return fields.flatMap(({ name: field, references }) =>
    references === undefined
      ? []
      : [{ collection: name, field, related_collection: references, schema: { on_delete: 'SET NULL' } }],
  )
}

async function postJson({ port }: Server, path: string, body: object): Promise<void> {
  const headers = { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' }
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  if (!response.ok)
    throw new Error(`Directus answered ${response.status} to POST ${path}: ${await response.text()}`)
}
