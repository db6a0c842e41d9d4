import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Crm, canOpenSigningKeys, createCrm, localAccessGate } from '@sales-crm/core'
import type { AccessGate, Clock, Ports, Storage } from '@sales-crm/core/ports'
import { nodePorts } from '@sales-crm/node'
import type { PostgresStorage } from '@sales-crm/postgres'
import type { SqliteStorage } from '@sales-crm/sqlite'
import { explainDatabaseError } from './database-error.ts'
import { readOrCreateSecretKey, readSecretKey, wrongKeyMessage } from './secret-key-file.ts'
import { type Settings, sqliteFile } from './settings.ts'

export interface OpenStore {
  readonly storage: SqliteStorage | PostgresStorage
  readonly gate: AccessGate
  readonly crm: Crm
  readonly ports: Ports
  close(): Promise<void>
}

export interface OpenStoreOptions {
  /** True for the server: with SQLite one process at a time serves, and others may only work beside it. */
  readonly isServer: boolean
  /** False leaves the tables as they are. */
  readonly migrate?: boolean
  /** What the core is given instead of the storage: one that watches it. */
  readonly wrapStorage?: ((storage: Storage) => Storage) | undefined
}

/**
 * Opens the database that the settings name, and the core over it. A key that does not open what was sealed
 * there is refused, and none is made beside it.
 * @throws Error in one line that says what to do
 */
export async function openStore(settings: Settings, options: OpenStoreOptions): Promise<OpenStore> {
  const { baseUrl: issuer, outbound } = settings
  const storedKey = await readSecretKey(settings)
  const { storage, createGate, close } = await openDatabase(settings, options)
  try {
    // Looked for again: another process that starts may have made both meanwhile, the key first.
    if (!storedKey && !(await canOpenSigningKeys(storage, undefined)) && !(await readSecretKey(settings)))
      throw new Error(wrongKeyMessage(settings, undefined))
    const key = storedKey ?? (await readOrCreateSecretKey(settings))
    const ports: Ports = {
      ...nodePorts({ secretKey: key, issuer, outbound }),
      storage: options.wrapStorage?.(storage) ?? storage,
    }
    if (!(await canOpenSigningKeys(storage, ports.secrets))) throw new Error(wrongKeyMessage(settings, key))
    return { storage, gate: createGate(ports.now), crm: createCrm(ports), ports, close }
  } catch (error) {
    await close()
    throw explainDatabaseError(error)
  }
}

/** For what needs no secret key. */
export interface OpenDatabase {
  readonly storage: SqliteStorage | PostgresStorage
  readonly createGate: (now: Clock) => AccessGate
  readonly close: () => Promise<void>
}

/**
 * Loads the driver of this database, and not that of the other.
 * @throws Error in one line that says what to do
 */
export function openDatabase(
  settings: Settings,
  { isServer, migrate = true }: OpenStoreOptions,
): Promise<OpenDatabase> {
  const file = sqliteFile(settings)
  return (
    file === undefined ? openPostgres(settings, migrate) : openSqlite(file, { isServer, migrate })
  ).catch((error: unknown) => {
    throw explainDatabaseError(error)
  })
}

async function openPostgres(settings: Settings, migrate: boolean): Promise<OpenDatabase> {
  const { databaseUrl: url, databasePool: pool, databasePrepared: prepared } = settings
  const { postgresStorage } = await import('@sales-crm/postgres')
  const storage = await postgresStorage({ url, pool, prepared, migrate })
  return { storage, createGate: () => storage.gate, close: storage.close }
}

/** Above this, looking at every page would hold up the start; the doctor still does. */
const MAX_CHECKED_BYTES = 500_000_000

async function assertUndamaged(file: string, storage: SqliteStorage): Promise<void> {
  const [fault] = statSync(file).size > MAX_CHECKED_BYTES ? [] : storage.quickCheck()
  if (fault === undefined) return
  await storage.close()
  throw new Error(`The database ${file} is damaged (${fault}). Restore it from a backup.`)
}

function createFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    throw new Error(
      `Cannot make the folder ${folder} of DATABASE_URL (${code}). Name one that this user can make, or make it.`,
      {
        cause: error,
      },
    )
  }
}

async function openSqlite(
  file: string,
  { isServer, migrate }: Required<Pick<OpenStoreOptions, 'isServer' | 'migrate'>>,
): Promise<OpenDatabase> {
  createFolder(dirname(file))
  setSqliteTempFolder(file)
  const { acquireProcessLock, sqliteStorage } = await import('@sales-crm/sqlite')
  const releaseLock = isServer ? acquireProcessLock(file) : () => {}
  try {
    const storage = await sqliteStorage({ file, migrate })
    if (isServer) await assertUndamaged(file, storage)
    return {
      storage,
      createGate: (now) => localAccessGate(storage, now),
      close: () => storage.close().finally(releaseLock),
    }
  } catch (error) {
    releaseLock()
    throw error
  }
}

/**
 * Has SQLite keep what a large transaction may have to take back beside its file, where nobody said
 * otherwise: then a full folder of temporary files fails no write. It reads this when it first opens a file.
 */
export function setSqliteTempFolder(file: string): void {
  process.env['SQLITE_TMPDIR'] ??= dirname(file)
}
