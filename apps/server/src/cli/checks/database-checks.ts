import { existsSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Storage } from '@sales-crm/core/ports'
import { passwords } from '@sales-crm/node'
import type { SqliteStorage } from '@sales-crm/sqlite'
import { DEMO_OWNER } from '../../demo/demo-owner.ts'
import { isLoopback } from '../../http/local-request.ts'
import { type OpenDatabase, openDatabase } from '../../process/open-store.ts'
import { PROGRAMS } from '../../process/program-names.ts'
import { type Settings, sqliteFile } from '../../process/settings.ts'
import type { CommandContext } from '../command.ts'
import { type CheckReport, type CheckResult, runCheck } from './check.ts'
import { checkDatabaseClock, checkFileClock, lastWriteTime } from './clock-checks.ts'
import { checkDistribution } from './distribution-check.ts'
import { isLink, writeProblem } from './folder-access.ts'
import { checkQuota } from './quota-check.ts'
import { checkReplicas, checkReplication } from './replication-check.ts'
import { checkSecretKey } from './secret-key-check.ts'

/** Checks the database, and the secret key against what is sealed in the database. */
export async function checkDatabase(
  settings: Settings,
  progress: CommandContext['progress'],
): Promise<CheckReport[]> {
  const file = sqliteFile(settings)
  if (file !== undefined && !existsSync(file)) {
    return [
      await runCheck('secret key', () => checkSecretKey(settings)),
      await runCheck('database', () => checkNewFile(file)),
    ]
  }
  const lastWriteAt = file === undefined ? 0 : lastWriteTime(file)
  let database: OpenDatabase | undefined
  const databaseCheck = await runCheck('database', async () => {
    if (file !== undefined) assertLogPresent(file)
    database = await openDatabase(settings, { isServer: false, migrate: false })
    await database.storage.pending()
    if ('assertWritable' in database.storage) database.storage.assertWritable()
    const version = await database.storage.version()
    return ['ok', file === undefined ? `${version} answers` : `${version}, ${file}`]
  })
  if (!database) return [await runCheck('secret key', () => checkSecretKey(settings)), databaseCheck]
  const { storage } = database
  try {
    const checks = [databaseCheck]
    if (databaseCheck.status === 'ok')
      checks.push(await runCheck('migrations', () => checkMigrations(storage)))
    const isUsable = checks.every(({ status }) => status === 'ok')
    if ('integrityCheck' in storage)
      checks.push(await runCheck('integrity', () => checkIntegrity(storage, progress)))
    if ('integrityCheck' in storage)
      checks.push(await runCheck('clock', async () => checkFileClock(lastWriteAt)))
    else if (isUsable) checks.push(await runCheck('clock', () => checkDatabaseClock(storage.gate)))
    if ('replication' in storage && isUsable)
      checks.push(await runCheck('replication', () => checkReplication(storage)))
    if ('undistributed' in storage && storage.isDistributed && isUsable)
      checks.push(await runCheck('distribution', () => checkDistribution(storage)))
    if ('replicas' in storage && isUsable && settings.databaseReadUrls.length > 0)
      checks.push(await runCheck('replicas', () => checkReplicas(storage, settings)))
    if (isUsable) checks.push(await runCheck('quota', () => checkQuota(storage, settings)))
    if (isUsable && !isLoopback(settings.baseUrl))
      checks.push(await runCheck('demo', () => checkDemo(storage)))
    return [
      await runCheck('secret key', () => checkSecretKey(settings, isUsable ? storage : undefined)),
      ...checks,
    ]
  } finally {
    await database.close()
  }
}

/**
 * The index exists only beside the log. Opening the database would create another log.
 * @throws Error of one line
 */
function assertLogPresent(file: string): void {
  const realFile = realpathSync(file)
  if (!existsSync(`${realFile}-shm`) || existsSync(`${realFile}-wal`)) return
  throw new Error(
    `The log ${realFile}-wal was removed while in use. A running service saves its content within seconds: ` +
      'look for it in its log, then run doctor again. If no service runs, restore a backup.',
  )
}

async function checkNewFile(file: string): Promise<CheckResult> {
  if (isLink(file))
    return [
      'fail',
      `${file} is a symbolic link to a missing file. Mount or put back what it names, or correct it.`,
    ]
  const problem = await writeProblem(dirname(file))
  if (problem === undefined) return ['ok', `the first start makes ${file}`]
  return [
    'fail',
    `${file} cannot be made: ${problem}. ` +
      'Make it a folder that this user may write to, or correct DATABASE_URL.',
  ]
}

async function checkMigrations(storage: Pick<OpenDatabase['storage'], 'pending'>): Promise<CheckResult> {
  const pending = await storage.pending()
  if (pending.length === 0) return ['ok', 'up to date']
  return ['warn', `to apply: ${pending.join(', ')}. The next start does it, or: ${PROGRAMS.operate} migrate`]
}

/** Reads every page, which takes minutes for a large file. */
async function checkIntegrity(
  storage: Pick<SqliteStorage, 'integrityCheck'>,
  progress: CommandContext['progress'],
): Promise<CheckResult> {
  let seconds = 0
  progress('checking every page')
  const timer = setInterval(() => {
    seconds += 1
    progress(`checking every page: ${seconds} s`)
  }, 1000)
  try {
    const [problem] = await storage.integrityCheck()
    if (problem === undefined) return ['ok', 'the file is sound']
    return ['fail', `${problem}. Restore the file from a backup.`]
  } finally {
    clearInterval(timer)
    progress('')
  }
}

async function checkDemo(storage: Pick<Storage, 'read'>): Promise<CheckResult> {
  const { email, password } = DEMO_OWNER
  const [owner] = await storage.read((tx) => tx.users.find([{ field: 'email', is: email }]))
  const isOpen = owner?.password_hash != null && (await passwords.verify(password, owner.password_hash))
  if (!isOpen) return ['ok', 'nobody has the password of the demo']
  return [
    'warn',
    `the workspace of the demo is here, and everybody knows the password of ${email}. ` +
      'Change it, or remove that member.',
  ]
}
