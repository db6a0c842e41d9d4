import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { decodeSecretKey, loadSecretKey } from '@sales-crm/node'
import { type Settings, sqliteFile } from './settings.ts'

type SecretKeySettings = Pick<Settings, 'secretKey' | 'dataDir' | 'databaseUrl'>

/**
 * The secret key; undefined if the first start has yet to create it.
 * @throws Error with a one-line message that says what to do
 */
export async function readSecretKey(settings: SecretKeySettings): Promise<Uint8Array | undefined> {
  const { secretKey } = settings
  const mayKeepFile = sqliteFile(settings) !== undefined
  if (mayKeepFile && secretKey === undefined && !existsSync(secretKeyFile(settings))) return undefined
  return readOrCreateSecretKey(settings)
}

/** The secret key; it is created if absent. */
export async function readOrCreateSecretKey(settings: SecretKeySettings): Promise<Uint8Array> {
  const { secretKey, dataDir } = settings
  if (secretKey === undefined && sqliteFile(settings) === undefined)
    throw new Error(
      'SECRET_KEY must be set with PostgreSQL, because replicas share it. Make one with: openssl rand -base64 32',
    )
  return loadSecretKey({ secretKey, dataDir })
}

/** @throws Error with a one-line message that says what to do */
export function readPreviousKey({
  previousSecretKey,
}: Pick<Settings, 'previousSecretKey'>): Uint8Array | undefined {
  return previousSecretKey === undefined
    ? undefined
    : decodeSecretKey(previousSecretKey, 'SECRET_KEY_PREVIOUS')
}

/** The error message for a key that cannot decrypt the stored data. */
export function wrongKeyMessage(settings: SecretKeySettings, key: Uint8Array | undefined): string {
  const database = sqliteFile(settings)
  const sealedData = `what is sealed in the database${database === undefined ? '' : ` ${database}`}`
  if (database === undefined)
    return `SECRET_KEY does not open ${sealedData}. Set it to the one that was in use.`
  const file = secretKeyFile(settings)
  if (settings.secretKey !== undefined)
    return `SECRET_KEY does not open ${sealedData}. Set it to the one that was in use, or unset it and restore ${file} from the backup.`
  const problem = key
    ? `${file} does not open ${sealedData}`
    : `${file} is missing, and ${sealedData} opens with nothing else`
  return `${problem}. Restore it from the backup of DATA_DIR, or set SECRET_KEY to what it held.`
}

export function secretKeyFile({ dataDir }: Pick<Settings, 'dataDir'>): string {
  return join(dataDir, 'secret.key')
}
