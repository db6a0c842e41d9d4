import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Crm, canOpenSigningKeys, createCrm } from '@sales-crm/core'
import type { Ports, Storage } from '@sales-crm/core/ports'
import { nodePorts, parsePhone } from '@sales-crm/node'
import type { PostgresStorage } from '@sales-crm/postgres'
import type { ProcessLock, SqliteStorage } from '@sales-crm/sqlite'
import { explainDatabaseError } from './database-error.ts'
import { readOrCreateSecretKey, readPreviousKey, readSecretKey, wrongKeyMessage } from './secret-key-file.ts'
import { type Settings, sqliteFile } from './settings.ts'

export interface OpenStore {
  readonly storage: SqliteStorage | PostgresStorage
  readonly crm: Crm
  readonly ports: Ports
  close(): Promise<void>
}

export interface OpenStoreOptions {
  /** True for the server: with SQLite, one server process at a time may use the file. */
  readonly isServer: boolean
  /** False skips the migrations. */
  readonly migrate?: boolean
  /** Wraps the storage passed to the core, for metrics and traces. */
  readonly wrapStorage?: ((storage: Storage) => Storage) | undefined
  /** Called with the names of the migrations that are about to run. */
  readonly onPending?: (names: readonly string[]) => void
  /** Called when each has run. */
  readonly onMigration?: (name: string) => void
  /** Called with a table and the number of its records that a migration has rewritten. */
  readonly onProgress?: (table: string, rows: number) => void
  /** Receives one line when the files of the database were found changed, and what was done about it. */
  readonly onWarning?: (message: string) => void
}

/**
 * Opens the database of the settings and creates the core. A secret key that cannot decrypt the stored data
 * is rejected; if stored data needs a key, no new one is created.
 * @throws Error with a one-line message that says what to do
 */
export async function openStore(settings: Settings, options: OpenStoreOptions): Promise<OpenStore> {
  const { baseUrl: issuer, outbound } = settings
  const storedKey = await readSecretKey(settings)
  const { storage, close } = await openDatabase(settings, options)
  try {
    // The key is read again: another starting process may have created both, the key before the data.
    if (!storedKey && !(await canOpenSigningKeys(storage, undefined)) && !(await readSecretKey(settings)))
      throw new Error(wrongKeyMessage(settings, undefined))
    const key = storedKey ?? (await readOrCreateSecretKey(settings))
    const ports: Ports = {
      ...nodePorts({ secretKey: key, previousSecretKey: readPreviousKey(settings), issuer, outbound }),
      storage: options.wrapStorage?.(storage) ?? storage,
      quota: settings.quota,
      importDays: settings.importDays,
      deliversMail: settings.mail.smtpUrl !== undefined,
    }
    if (!(await canOpenSigningKeys(storage, ports.secrets))) throw new Error(wrongKeyMessage(settings, key))
    return { storage, crm: createCrm(ports), ports, close }
  } catch (error) {
    await close()
    throw explainDatabaseError(error)
  }
}

/** A database opened without the secret key. */
export interface OpenDatabase {
  readonly storage: SqliteStorage | PostgresStorage
  readonly close: () => Promise<void>
}

/**
 * Imports only the driver of the configured database.
 * @throws Error with a one-line message that says what to do
 */
export function openDatabase(settings: Settings, options: OpenStoreOptions): Promise<OpenDatabase> {
  const file = sqliteFile(settings)
  return (file === undefined ? openPostgres(settings, options) : openSqlite(file, options)).catch(
    (error: unknown) => {
      throw explainDatabaseError(error)
    },
  )
}

async function openPostgres(
  settings: Settings,
  { migrate = true, onPending, onMigration, onProgress }: OpenStoreOptions,
): Promise<OpenDatabase> {
  const { databaseUrl: url, databasePool: pool, databasePrepared: prepared, readLagSeconds } = settings
  const { postgresStorage } = await import('@sales-crm/postgres')
  const storage = await postgresStorage({
    url,
    pool,
    prepared,
    readUrls: settings.databaseReadUrls,
    readLagSeconds,
    migrate,
    parsePhone,
    ...(onPending && { onPending }),
    ...(onMigration && { onMigration }),
    ...(onProgress && { onProgress }),
  })
  return { storage, close: storage.close }
}

/** Above this size the check would delay the start; `doctor` still checks every page. */
const MAX_CHECKED_BYTES = 500_000_000

function isLarge(file: string): boolean {
  return statSync(file).size > MAX_CHECKED_BYTES
}

/** Closes the storage if the file takes no writes or is damaged. */
async function assertServable(file: string, storage: SqliteStorage): Promise<void> {
  try {
    storage.assertWritable()
    const fault = storage.sizeProblem() ?? (isLarge(file) ? undefined : storage.quickCheck()[0])
    if (fault !== undefined)
      throw new Error(`The database ${file} is damaged (${fault}). Restore it from a backup.`)
  } catch (error) {
    await storage.close()
    throw error
  }
}

function createFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    throw new Error(
      `Cannot create the folder ${folder} of DATABASE_URL (${code}). Name one that this user can create, or create it.`,
      {
        cause: error,
      },
    )
  }
}

async function openSqlite(
  file: string,
  { isServer, migrate = true, onPending, onMigration, onProgress, onWarning }: OpenStoreOptions,
): Promise<OpenDatabase> {
  createFolder(dirname(file))
  setSqliteTempFolder(file)
  const { acquireProcessLock, sqliteStorage } = await import('@sales-crm/sqlite')
  const lock = isServer ? acquireProcessLock(file) : undefined
  try {
    const storage = await sqliteStorage({
      ...{ file, migrate, parsePhone },
      ...(onPending && { onPending }),
      ...(onMigration && { onMigration }),
      ...(onProgress && { onProgress }),
      ...(onWarning && { onWarning }),
    })
    if (!lock) return { storage, close: storage.close }
    await assertServable(file, storage)
    return serveLocked(storage, lock, onWarning)
  } catch (error) {
    lock?.release()
    throw error
  }
}

/** A lock whose file was removed is acquired again within this time, or the storage is not ready. */
const LOCK_CHECK_MS = 1000

function serveLocked(
  storage: SqliteStorage,
  lock: ProcessLock,
  onWarning: OpenStoreOptions['onWarning'],
): OpenDatabase {
  let isHeld = true
  const timer = setInterval(() => {
    try {
      lock.assertHeld()
      isHeld = true
    } catch (error) {
      if (isHeld) onWarning?.((error as Error).message)
      isHeld = false
    }
  }, LOCK_CHECK_MS).unref()
  const lockedStorage: SqliteStorage = {
    ...storage,
    async check() {
      lock.assertHeld()
      await storage.check()
    },
  }
  return {
    storage: lockedStorage,
    async close() {
      clearInterval(timer)
      await storage.close().finally(lock.release)
    },
  }
}

/**
 * Makes SQLite write its temporary files beside the database, unless SQLITE_TMPDIR is set: a full temporary
 * folder then cannot fail a write. SQLite reads the variable when it first opens a file.
 */
function setSqliteTempFolder(file: string): void {
  process.env['SQLITE_TMPDIR'] ??= dirname(file)
}
