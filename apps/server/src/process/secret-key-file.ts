import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { loadSecretKey } from '@sales-crm/node'
import { type Settings, sqliteFile } from './settings.ts'

type SecretKeySettings = Pick<Settings, 'secretKey' | 'dataDir' | 'databaseUrl'>

/**
 * The service's secret key; undefined where the first start is to make it.
 * @throws Error in one line that says what to do
 */
export async function readSecretKey(settings: SecretKeySettings): Promise<Uint8Array | undefined> {
  const { secretKey } = settings
  const mayKeepFile = sqliteFile(settings) !== undefined
  if (mayKeepFile && secretKey === undefined && !existsSync(secretKeyFile(settings))) return undefined
  return readOrCreateSecretKey(settings)
}

/** The same, made where it is not there. */
export function readOrCreateSecretKey(settings: SecretKeySettings): Promise<Uint8Array> {
  const { secretKey, dataDir } = settings
  return loadSecretKey({ secretKey, dataDir, canCreateFile: sqliteFile(settings) !== undefined })
}

/** What to do when the database holds what the key does not open. */
export function wrongKeyMessage(settings: SecretKeySettings, key: Uint8Array | undefined): string {
  const sealedData = 'what is sealed in the database'
  if (sqliteFile(settings) === undefined)
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
