import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Crm, createCrm, localGate, opensSigningKeys } from '@sales-crm/core'
import type { Clock, Gate, Ports, Storage } from '@sales-crm/core/ports'
import { nodePorts } from '@sales-crm/node'
import type { PostgresStorage } from '@sales-crm/postgres'
import type { SqliteStorage } from '@sales-crm/sqlite'
import { type Settings, spillBeside, sqliteFile } from './config.ts'
import { databaseProblem } from './database-problem.ts'
import { keptKey, keyOrNew, wrongKey } from './kept-key.ts'

export interface OpenStore {
  readonly storage: SqliteStorage | PostgresStorage
  readonly gate: Gate
  readonly crm: Crm
  readonly ports: Ports
  close(): Promise<void>
}

export interface OpenOptions {
  /** True for the server: with SQLite one process at a time serves, and others may only work beside it. */
  readonly serving: boolean
  /** False leaves the tables as they are. */
  readonly migrate?: boolean
  /** What the core is given instead of the storage: one that watches it. */
  readonly watched?: ((storage: Storage) => Storage) | undefined
}

/**
 * Opens the database that the settings name, and the core over it. A key that does not open what was sealed there is refused, and none is
 * made beside it.
 * @throws Error in one line that says what to do
 */
export async function openStore(settings: Settings, options: OpenOptions): Promise<OpenStore> {
  const { baseUrl: issuer, outbound } = settings
  const kept = await keptKey(settings)
  const { storage, gateWith, close } = await openDatabase(settings, options)
  try {
    // Looked for again: another process that starts may have made both meanwhile, the key first.
    if (!kept && !(await opensSigningKeys(storage, undefined)) && !(await keptKey(settings))) throw new Error(wrongKey(settings, undefined))
    const key = kept ?? (await keyOrNew(settings))
    const ports: Ports = { ...nodePorts({ secretKey: key, issuer, outbound }), storage: options.watched?.(storage) ?? storage }
    if (!(await opensSigningKeys(storage, ports.secrets))) throw new Error(wrongKey(settings, key))
    return { storage, gate: gateWith(ports.now), crm: createCrm(ports), ports, close }
  } catch (error) {
    await close()
    throw databaseProblem(error)
  }
}

/** For what needs no secret key. */
export interface OpenDatabase {
  readonly storage: SqliteStorage | PostgresStorage
  readonly gateWith: (now: Clock) => Gate
  readonly close: () => Promise<void>
}

/** Loads the driver of this database, and not that of the other. @throws Error in one line that says what to do */
export function openDatabase(settings: Settings, { serving, migrate = true }: OpenOptions): Promise<OpenDatabase> {
  const file = sqliteFile(settings)
  return (file === undefined ? openedServer(settings, migrate) : openedFile(file, { serving, migrate })).catch((error: unknown) => {
    throw databaseProblem(error)
  })
}

async function openedServer(settings: Settings, migrate: boolean): Promise<OpenDatabase> {
  const { databaseUrl: url, databasePool: pool, databasePrepared: prepared } = settings
  const { postgresStorage } = await import('@sales-crm/postgres')
  const storage = await postgresStorage({ url, pool, prepared, migrate })
  return { storage, gateWith: () => storage.gate, close: storage.close }
}

/** Above this, looking at every page would hold up the start; the doctor still does. */
const CHECKED_BYTES = 500_000_000

async function refuseDamaged(file: string, storage: SqliteStorage): Promise<void> {
  const [fault] = statSync(file).size > CHECKED_BYTES ? [] : storage.faults()
  if (fault === undefined) return
  await storage.close()
  throw new Error(`The database ${file} is damaged (${fault}). Restore it from a backup.`)
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    throw new Error(`Cannot make the folder ${folder} of DATABASE_URL (${code}). Name one that this user can make, or make it.`, {
      cause: error,
    })
  }
}

async function openedFile(file: string, { serving, migrate }: Required<Pick<OpenOptions, 'serving' | 'migrate'>>): Promise<OpenDatabase> {
  makeFolder(dirname(file))
  spillBeside(file)
  const { holdForServing, sqliteStorage } = await import('@sales-crm/sqlite')
  const letGo = serving ? holdForServing(file) : () => {}
  try {
    const storage = await sqliteStorage({ file, migrate })
    if (serving) await refuseDamaged(file, storage)
    return { storage, gateWith: (now) => localGate(storage, now), close: () => storage.close().finally(letGo) }
  } catch (error) {
    letGo()
    throw error
  }
}
