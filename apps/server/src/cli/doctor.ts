import { existsSync } from 'node:fs'
import { access, constants, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { secretKeyFrom, smtpMailer } from '@sales-crm/node'
import { type Settings, sqliteFile } from '../config.ts'
import { databaseProblem } from '../database-problem.ts'
import { mailFolder } from '../mail/mailer.ts'
import { type OpenStore, openStore } from '../open-store.ts'
import type { Command, Given } from './command.ts'
import { columns } from './table.ts'

type Status = 'ok' | 'warn' | 'fail'

interface Check {
  readonly name: string
  readonly status: Status
  readonly detail: string
}

type Finding = readonly [Status, string]

const MB = 1_000_000
const SKEW_SECONDS = 5

export const doctor: Command = {
  summary: 'check the settings, the key, the disk, the mail server and the database: a SQLite file for damage, PostgreSQL for its clock',
  options: {},
  async run(given) {
    const checks = await examined(given)
    const failed = checks.some(({ status }) => status === 'fail')
    return { value: { ok: !failed, checks }, text: columns(checks.map(({ name, status, detail }) => [status, name, detail])), failed }
  },
}

async function examined(given: Given): Promise<Check[]> {
  let settings: Settings | undefined
  const first = await check('settings', async () => {
    settings = given.settings()
    return ['ok', `${settings.baseUrl} on ${settings.host}:${settings.port}`]
  })
  if (!settings) return [first]
  const known = settings
  return [
    first,
    await check('secret key', () => secretKey(known)),
    ...(await database(known)),
    await check('disk', () => disk(known)),
    await check('mail', () => mail(known)),
  ]
}

/** Looks without making anything: a key or a file that is not there yet is none of the faults. */
async function secretKey(settings: Settings): Promise<Finding> {
  const { secretKey, dataDir } = settings
  const mayKeepFile = sqliteFile(settings) !== undefined
  if (mayKeepFile && secretKey === undefined && !existsSync(join(dataDir, 'secret.key'))) return ['ok', 'the first start makes it']
  await secretKeyFrom({ secretKey, dataDir, mayKeepFile })
  return ['ok', secretKey === undefined ? join(dataDir, 'secret.key') : 'SECRET_KEY']
}

async function database(settings: Settings): Promise<Check[]> {
  const file = sqliteFile(settings)
  if (file !== undefined && !existsSync(file)) return [{ name: 'database', status: 'ok', detail: `the first start makes ${file}` }]
  let store: OpenStore | undefined
  const reached = await check('database', async () => {
    store = await openStore(settings, { serving: false, migrate: false })
    await store.storage.pending()
    const version = await store.storage.version()
    return ['ok', file === undefined ? `${version} answers` : `${version}, ${file}`]
  })
  if (!store) return [reached]
  const { storage } = store
  const open = store
  try {
    const checks = [reached]
    if (reached.status === 'ok') checks.push(await check('migrations', () => migrations(open)))
    if ('faults' in storage) checks.push(await check('integrity', async () => integrity(storage.faults())))
    else if (checks.every(({ status }) => status === 'ok')) checks.push(await check('clock', () => clock(open)))
    return checks
  } finally {
    await store.close()
  }
}

async function migrations({ storage }: OpenStore): Promise<Finding> {
  const pending = await storage.pending()
  if (pending.length === 0) return ['ok', 'up to date']
  return ['warn', `to apply: ${pending.join(', ')}. The next start does it, or: npm run crm -- migrate`]
}

function integrity(faults: readonly string[]): Finding {
  return faults.length === 0 ? ['ok', 'the file is sound'] : ['fail', `${faults[0]}. Restore the file from a backup.`]
}

/** A window that opens now closes a minute later by the database's clock, rounded up to a second. */
async function clock({ gate, ports }: OpenStore): Promise<Finding> {
  const { resets } = await gate.count({ key: `doctor:${ports.newId()}`, limit: 0, seconds: 60 })
  const skew = Math.round(resets - 60.5 - Date.now() / 1000)
  if (Math.abs(skew) <= SKEW_SECONDS) return ['ok', "agrees with the database's"]
  return ['warn', `${Math.abs(skew)} seconds ${skew > 0 ? 'behind' : 'ahead of'} the database's. Let both machines keep time by NTP.`]
}

async function disk(settings: Settings): Promise<Finding> {
  const { bavail, bsize } = await statfs(existing(dirname(sqliteFile(settings) ?? join(settings.dataDir, 'secret.key'))))
  const free = Math.floor((bavail * bsize) / MB)
  const status = free < 100 ? 'fail' : free < 1000 ? 'warn' : 'ok'
  return [status, `${free} MB free${status === 'ok' ? '' : '. Make room.'}`]
}

async function mail(settings: Settings): Promise<Finding> {
  const { smtpUrl: url, from } = settings.mail
  if (url === undefined) return written(mailFolder(settings))
  const mailer = smtpMailer({ url, from })
  try {
    await mailer.verify()
    return ['ok', `${new URL(url).host} takes it, from ${from}`]
  } catch (error) {
    return ['fail', `${error instanceof Error ? error.message : String(error)}. Correct SMTP_URL, or see to the server.`]
  } finally {
    await mailer.close()
  }
}

/** Looks without making anything: a folder that is not there yet is made in the one above. */
async function written(folder: string): Promise<Finding> {
  const nearest = existing(folder)
  try {
    // A file has no `/.`.
    await access(`${nearest}/.`, constants.W_OK | constants.X_OK)
    return ['ok', `written to ${folder}, since SMTP_URL is not set`]
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    return ['fail', `cannot be written to ${folder}: ${code} at ${nearest}. Make it a folder that this user may write to, or set SMTP_URL.`]
  }
}

/** The path, or the nearest one above it that is there. */
function existing(path: string): string {
  return existsSync(path) ? path : existing(dirname(path))
}

async function check(name: string, look: () => Promise<Finding>): Promise<Check> {
  try {
    const [status, detail] = await look()
    return { name, status, detail }
  } catch (error) {
    const problem = databaseProblem(error)
    return { name, status: 'fail', detail: problem instanceof Error ? problem.message : String(problem) }
  }
}
