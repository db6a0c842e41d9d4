import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Settings, sqliteFile } from './settings.ts'

/** Before `DATA_DIR` held the database, its place was always the same. */
const FORMER_DATABASE = 'data/crm.db'

/** Tells the operator of a database of an earlier version that is no longer used. Undefined if there is none. */
export function describeFormerDatabase(
  settings: Pick<Settings, 'databaseUrl' | 'isDefaultDatabase'>,
  folder = '.',
): string | undefined {
  const file = sqliteFile(settings)
  const former = resolve(folder, FORMER_DATABASE)
  if (!settings.isDefaultDatabase || file === undefined || !existsSync(former)) return undefined
  if (resolve(folder, file) === former) return undefined
  return `The database is ${file}, and ${FORMER_DATABASE} is not used. To use that, set DATABASE_URL=sqlite:${FORMER_DATABASE}.`
}
