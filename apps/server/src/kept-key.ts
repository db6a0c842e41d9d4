import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { secretKeyFrom } from '@sales-crm/node'
import { type Settings, sqliteFile } from './config.ts'

type Kept = Pick<Settings, 'secretKey' | 'dataDir' | 'databaseUrl'>

/** The service's secret key; undefined where the first start is to make it. @throws Error in one line that says what to do */
export async function keptKey(settings: Kept): Promise<Uint8Array | undefined> {
  const { secretKey } = settings
  const mayKeepFile = sqliteFile(settings) !== undefined
  if (mayKeepFile && secretKey === undefined && !existsSync(keyFile(settings))) return undefined
  return keyOrNew(settings)
}

/** The same, made where it is not there. */
export function keyOrNew(settings: Kept): Promise<Uint8Array> {
  const { secretKey, dataDir } = settings
  return secretKeyFrom({ secretKey, dataDir, mayKeepFile: sqliteFile(settings) !== undefined })
}

/** What to do when the database holds what the key does not open. */
export function wrongKey(settings: Kept, key: Uint8Array | undefined): string {
  const sealed = 'what is sealed in the database'
  if (sqliteFile(settings) === undefined) return `SECRET_KEY does not open ${sealed}. Set it to the one that was in use.`
  const file = keyFile(settings)
  if (settings.secretKey !== undefined)
    return `SECRET_KEY does not open ${sealed}. Set it to the one that was in use, or unset it and restore ${file} from the backup.`
  const fault = key ? `${file} does not open ${sealed}` : `${file} is missing, and ${sealed} opens with nothing else`
  return `${fault}. Restore it from the backup of DATA_DIR, or set SECRET_KEY to what it held.`
}

export function keyFile({ dataDir }: Pick<Settings, 'dataDir'>): string {
  return join(dataDir, 'secret.key')
}
