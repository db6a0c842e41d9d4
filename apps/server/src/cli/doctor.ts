import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs'
import { access, constants, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { canOpenSigningKeys, countForeignSecrets } from '@sales-crm/core'
import type { AccessGate, Storage } from '@sales-crm/core/ports'
import { newId, passwords, secrets, smtpMailer } from '@sales-crm/node'
import type { SqliteStorage } from '@sales-crm/sqlite'
import { mailFolder } from '../background/mail/mailer.ts'
import { DEMO_OWNER } from '../demo/demo-owner.ts'
import { explainDatabaseError } from '../process/database-error.ts'
import { type OpenDatabase, openDatabase } from '../process/open-store.ts'
import { readPreviousKey, readSecretKey, secretKeyFile, wrongKeyMessage } from '../process/secret-key-file.ts'
import { type Settings, sqliteFile } from '../process/settings.ts'
import { isLoopback } from '../process/settings-schema.ts'
import type { Command, CommandContext } from './command.ts'
import { checkQuota } from './quota-check.ts'
import { formatColumns } from './table.ts'

type Status = 'ok' | 'warn' | 'fail'

interface CheckReport {
  readonly name: string
  readonly status: Status
  readonly detail: string
}

type CheckResult = readonly [Status, string]

const MB = 1_000_000
const SKEW_SECONDS = 5

export const doctor: Command = {
  summary:
    'check the settings, the secret key against what it sealed, the database and its clock, the ' +
    'quotas, the disk and the mail server',
  options: {},
  async run(context) {
    const checks = await runChecks(context)
    const hasFailed = checks.some(({ status }) => status === 'fail')
    return {
      value: { ok: !hasFailed, checks },
      text: formatColumns(checks.map(({ name, status, detail }) => [status, name, detail])),
      hasFailed,
    }
  },
}

async function runChecks(context: CommandContext): Promise<CheckReport[]> {
  let settings: Settings | undefined
  const settingsCheck = await runCheck('settings', async () => {
    settings = context.settings()
    return checkSettings(settings)
  })
  if (!settings) return [settingsCheck]
  const validSettings = settings
  return [
    settingsCheck,
    ...(await checkDatabase(validSettings, context.progress)),
    await runCheck('disk', () => checkDisk(validSettings)),
    await runCheck('mail', () => checkMail(validSettings)),
  ]
}

function checkSettings({ baseUrl, host, port, outbound }: Settings): CheckResult {
  const address = `${baseUrl} on ${host}:${port}`
  if (!outbound.allowPrivate || isLoopback(baseUrl)) return ['ok', address]
  const risk =
    'WEBHOOK_ALLOW_PRIVATE=true lets what callers ask for reach every private address, and is for ' +
    'development only'
  return [
    'warn',
    `${address}. ${risk}. Unset it, and name the ranges that are needed in OUTBOUND_ALLOW_CIDRS.`,
  ]
}

/** Checks the database, and the secret key against what is sealed in the database. */
async function checkDatabase(
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

/**
 * Checks the key without creating it. A missing key is valid if nothing was sealed yet.
 * @param storage storage with the tables of this version, if available
 */
async function checkSecretKey(settings: Settings, storage?: Pick<Storage, 'read'>): Promise<CheckResult> {
  const [key, previousKey] = [await readSecretKey(settings), readPreviousKey(settings)]
  if (storage && !(await canOpenSigningKeys(storage, key && secrets(key, previousKey))))
    return ['fail', wrongKeyMessage(settings, key)]
  if (!key) return ['ok', 'the first start makes it']
  const place = settings.secretKey === undefined ? secretKeyFile(settings) : 'SECRET_KEY'
  if (!previousKey || !storage) return ['ok', place]
  const count = await countForeignSecrets(storage, secrets(key))
  return count === 0
    ? ['warn', `${place}. Nothing needs SECRET_KEY_PREVIOUS any more: unset it and restart.`]
    : [
        'warn',
        `${place}. ${count} of the sealed values need SECRET_KEY_PREVIOUS. Run: npm run crm -- key reseal`,
      ]
}

async function checkMigrations(storage: Pick<OpenDatabase['storage'], 'pending'>): Promise<CheckResult> {
  const pending = await storage.pending()
  if (pending.length === 0) return ['ok', 'up to date']
  return ['warn', `to apply: ${pending.join(', ')}. The next start does it, or: npm run crm -- migrate`]
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

/**
 * Reads the database's clock from a rate limit window, which closes after 60 seconds, rounded up to a second.
 */
async function checkDatabaseClock(gate: AccessGate): Promise<CheckResult> {
  const { resetsAt } = await gate.count({ key: `doctor:${newId()}`, limit: 0, seconds: 60 })
  return compareClocks(
    Math.round(resetsAt - 60.5 - Date.now() / 1000),
    "agrees with the database's",
    "the database's. Let both machines keep",
  )
}

/**
 * Compares with the last write, since a file has no clock: a write in the future means that the clock is
 * behind.
 */
function checkFileClock(lastWriteAt: number): CheckResult {
  const behindSeconds = Math.max(0, Math.round((lastWriteAt - Date.now()) / 1000))
  return compareClocks(
    behindSeconds,
    'not behind the last write to the database',
    'the last write to the database. Let the machine keep',
  )
}

function compareClocks(behindSeconds: number, agreement: string, other: string): CheckResult {
  if (Math.abs(behindSeconds) <= SKEW_SECONDS) return ['ok', agreement]
  return [
    'warn',
    `${Math.abs(behindSeconds)} seconds ${behindSeconds > 0 ? 'behind' : 'ahead of'} ${other} time by NTP.`,
  ]
}

function lastWriteTime(file: string): number {
  return Math.max(
    ...[file, `${file}-wal`].map((each) => statSync(each, { throwIfNoEntry: false })?.mtimeMs ?? 0),
  )
}

async function checkDisk(settings: Settings): Promise<CheckResult> {
  const { bavail, bsize } = await statfs(
    nearestExisting(dirname(sqliteFile(settings) ?? secretKeyFile(settings))),
  )
  const free = Math.floor((bavail * bsize) / MB)
  const status = free < 100 ? 'fail' : free < 1000 ? 'warn' : 'ok'
  return [status, `${free} MB free${status === 'ok' ? '' : '. Make room.'}`]
}

async function checkMail(settings: Settings): Promise<CheckResult> {
  const { smtpUrl: url, from } = settings.mail
  if (url === undefined) return checkMailFolder(mailFolder(settings), isLoopback(settings.baseUrl))
  const mailer = smtpMailer({ url, from })
  try {
    await mailer.verify()
    return ['ok', `${new URL(url).host} takes it, from ${from}`]
  } catch (error) {
    return [
      'fail',
      `${error instanceof Error ? error.message : String(error)}. Correct SMTP_URL, or see to the server.`,
    ]
  } finally {
    await mailer.close()
  }
}

async function checkMailFolder(folder: string, isLocal: boolean): Promise<CheckResult> {
  const problem = await writeProblem(folder)
  if (problem !== undefined)
    return [
      'fail',
      `cannot be written to ${folder}: ${problem}. ` +
        'Make it a folder that this user may write to, or set SMTP_URL.',
    ]
  if (isLocal) return ['ok', `written to ${folder}, since SMTP_URL is not set`]
  return ['warn', `written to ${folder}, and sent to nobody. Set SMTP_URL.`]
}

/**
 * Returns why a folder cannot be written to. Creates nothing: for a missing folder it checks the nearest
 * parent.
 */
async function writeProblem(folder: string): Promise<string | undefined> {
  const nearest = nearestExisting(folder)
  try {
    // With `/.` the check fails for a file.
    await access(`${nearest}/.`, constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    return `${code} at ${nearest}`
  }
}

/** Returns the path or its nearest existing parent. A dangling symbolic link counts as existing. */
function nearestExisting(path: string): string {
  return existsSync(path) || isLink(path) ? path : nearestExisting(dirname(path))
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink()
  } catch {
    return false
  }
}

async function runCheck(name: string, inspect: () => Promise<CheckResult>): Promise<CheckReport> {
  try {
    const [status, detail] = await inspect()
    return { name, status, detail }
  } catch (error) {
    const problem = explainDatabaseError(error)
    return { name, status: 'fail', detail: problem instanceof Error ? problem.message : String(problem) }
  }
}
