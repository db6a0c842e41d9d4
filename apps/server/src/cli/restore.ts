import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { canOpenSigningKeys } from '@sales-crm/core'
import { secrets } from '@sales-crm/node'
import { PROGRAMS } from '../process/program-names.ts'
import { readSecretKey, secretKeyFile, wrongKeyMessage } from '../process/secret-key-file.ts'
import { type Settings, sqliteFile } from '../process/settings.ts'
import { type Command, type CommandContext, withDatabase } from './command.ts'

/** The migration that every database of the service has. */
const FIRST_MIGRATION = '0001_records'

export const restore: Command = {
  summary: 'put a backup in the place of a SQLite database, while no process serves it',
  options: {},
  operand: 'FILE',
  async run(context) {
    const settings = context.settings()
    const file = sqliteFile(settings)
    if (file === undefined) throw new Error('restore handles SQLite only. With PostgreSQL use pg_restore.')
    const backup = context.operand
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const { restoreDatabase } = await import('@sales-crm/sqlite')
    const aside = await restoreDatabase({
      backup,
      file,
      check: (copy) => checkCopy(copy, backup, context),
    })
    const next = await nextStep(context, settings)
    const asideNote = aside === undefined ? [] : [`The earlier files are in ${aside}.`]
    return {
      value: { file, backup, aside: aside ?? null, next },
      text: [`${file} is now a copy of ${backup}.`, ...asideNote, next].join('\n'),
    }
  },
}

/** @throws Error of one line that names the backup */
async function checkCopy(copy: string, backup: string, { progress }: CommandContext): Promise<void> {
  const { sqliteStorage } = await import('@sales-crm/sqlite')
  progress(`Checking every page of ${backup}`)
  const problem = await findProblem(() => sqliteStorage({ file: copy, migrate: false }))
  progress('')
  if (problem !== undefined) throw new Error(`${backup} cannot be restored: ${problem} Name another backup.`)
}

type OpenCopy = () => ReturnType<typeof import('@sales-crm/sqlite').sqliteStorage>

/** Returns a sentence, or undefined for a sound database of this version or an earlier one. */
async function findProblem(open: OpenCopy): Promise<string | undefined> {
  try {
    const storage = await open()
    try {
      if ((await storage.pending()).includes(FIRST_MIGRATION)) return 'it is no database of this program.'
      const [fault] = await storage.integrityCheck()
      return fault === undefined ? undefined : `it is damaged (${fault}).`
    } finally {
      await storage.close()
    }
  } catch (error) {
    const { message, cause = error } = error as Error
    const isSqliteError = String((cause as { readonly code?: unknown }).code).startsWith('SQLITE_')
    return isSqliteError ? `it is damaged or no SQLite database (${(cause as Error).message}).` : message
  }
}

/** Tells whether the secret key fits, as far as this version can read the restored tables. */
async function nextStep(context: CommandContext, settings: Settings): Promise<string> {
  const key = await readSecretKey(settings)
  const isKnownKey = await withDatabase(context, async ({ storage }) => {
    const pending = await storage.pending()
    return pending.length > 0 ? undefined : canOpenSigningKeys(storage, key && secrets(key))
  })
  const doctor = `Run ${PROGRAMS.operate} doctor, then start the service.`
  if (isKnownKey) return `The secret key opens it. ${doctor}`
  if (isKnownKey === false) return `${wrongKeyMessage(settings, key)} ${doctor}`
  const place = settings.secretKey === undefined ? secretKeyFile(settings) : 'SECRET_KEY'
  return `Make sure that ${place} is the secret key of the time of the backup. ${doctor}`
}
