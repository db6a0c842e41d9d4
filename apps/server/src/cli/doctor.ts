import { existsSync, lstatSync, statSync } from 'node:fs'
import { access, constants, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { opensSigningKeys } from '@sales-crm/core'
import type { Gate, Storage } from '@sales-crm/core/ports'
import { newId, passwords, secrets, smtpMailer } from '@sales-crm/node'
import { isLoopback, type Settings, sqliteFile } from '../config.ts'
import { databaseProblem } from '../database-problem.ts'
import { OWNER } from '../demo/owner.ts'
import { keptKey, keyFile, wrongKey } from '../kept-key.ts'
import { mailFolder } from '../mail/mailer.ts'
import { type OpenDatabase, openDatabase } from '../open-store.ts'
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
  summary: 'check the settings, the secret key against what it sealed, the database and its clock, the disk and the mail server',
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
    return judged(settings)
  })
  if (!settings) return [first]
  const known = settings
  return [first, ...(await database(known)), await check('disk', () => disk(known)), await check('mail', () => mail(known))]
}

function judged({ baseUrl, host, port, outbound }: Settings): Finding {
  const where = `${baseUrl} on ${host}:${port}`
  if (!outbound.allowPrivate || isLoopback(baseUrl)) return ['ok', where]
  const risk = 'WEBHOOK_ALLOW_PRIVATE=true lets what callers ask for reach every private address, and is for development only'
  return ['warn', `${where}. ${risk}. Unset it, and name the ranges that are needed in OUTBOUND_ALLOW_CIDRS.`]
}

/** The secret key, and the database, which says whether it is the right one. */
async function database(settings: Settings): Promise<Check[]> {
  const file = sqliteFile(settings)
  if (file !== undefined && !existsSync(file)) {
    return [await check('secret key', () => secretKey(settings)), await check('database', () => firstFile(file))]
  }
  const written = file === undefined ? 0 : lastWritten(file)
  let open: OpenDatabase | undefined
  const reached = await check('database', async () => {
    open = await openDatabase(settings, { serving: false, migrate: false })
    await open.storage.pending()
    const version = await open.storage.version()
    return ['ok', file === undefined ? `${version} answers` : `${version}, ${file}`]
  })
  if (!open) return [await check('secret key', () => secretKey(settings)), reached]
  const { storage } = open
  try {
    const checks = [reached]
    if (reached.status === 'ok') checks.push(await check('migrations', () => migrations(storage)))
    const isWhole = checks.every(({ status }) => status === 'ok')
    if ('faults' in storage) checks.push(await check('integrity', async () => integrity(storage.faults())))
    if ('faults' in storage) checks.push(await check('clock', async () => ownClock(written)))
    else if (isWhole) checks.push(await check('clock', () => sharedClock(storage.gate)))
    if (isWhole && !isLoopback(settings.baseUrl)) checks.push(await check('demo', () => demo(storage)))
    return [await check('secret key', () => secretKey(settings, isWhole ? storage : undefined)), ...checks]
  } finally {
    await open.close()
  }
}

async function firstFile(file: string): Promise<Finding> {
  const fault = await faultOf(dirname(file))
  if (fault === undefined) return ['ok', `the first start makes ${file}`]
  return ['fail', `${file} cannot be made: ${fault}. Make it a folder that this user may write to, or correct DATABASE_URL.`]
}

async function demo(storage: Pick<Storage, 'read'>): Promise<Finding> {
  const { email, password } = OWNER
  const [owner] = await storage.read((tx) => tx.users.find([{ field: 'email', is: email }]))
  const isOpen = owner?.password_hash != null && (await passwords.verify(password, owner.password_hash))
  if (!isOpen) return ['ok', 'nobody has the password of the demo']
  return ['warn', `the workspace of the demo is here, and everybody knows the password of ${email}. Change it, or remove that member.`]
}

/**
 * Looks without making anything: a key that is not there yet is none of the faults, where nothing was sealed.
 * @param storage where there is one, with the tables of this version
 */
async function secretKey(settings: Settings, storage?: Pick<Storage, 'read'>): Promise<Finding> {
  const key = await keptKey(settings)
  if (storage && !(await opensSigningKeys(storage, key && secrets(key)))) return ['fail', wrongKey(settings, key)]
  if (!key) return ['ok', 'the first start makes it']
  return ['ok', settings.secretKey === undefined ? keyFile(settings) : 'SECRET_KEY']
}

async function migrations(storage: Pick<OpenDatabase['storage'], 'pending'>): Promise<Finding> {
  const pending = await storage.pending()
  if (pending.length === 0) return ['ok', 'up to date']
  return ['warn', `to apply: ${pending.join(', ')}. The next start does it, or: npm run crm -- migrate`]
}

function integrity(faults: readonly string[]): Finding {
  return faults.length === 0 ? ['ok', 'the file is sound'] : ['fail', `${faults[0]}. Restore the file from a backup.`]
}

/** A window that opens now closes a minute later by the database's clock, rounded up to a second. */
async function sharedClock(gate: Gate): Promise<Finding> {
  const { resets } = await gate.count({ key: `doctor:${newId()}`, limit: 0, seconds: 60 })
  return agreeing(Math.round(resets - 60.5 - Date.now() / 1000), "agrees with the database's", "the database's. Let both machines keep")
}

/** The file has no clock of its own to compare with, but nothing was written to it in the future. */
function ownClock(written: number): Finding {
  const behind = Math.max(0, Math.round((written - Date.now()) / 1000))
  return agreeing(behind, 'not behind the last write to the database', 'the last write to the database. Let the machine keep')
}

function agreeing(behind: number, agreement: string, other: string): Finding {
  if (Math.abs(behind) <= SKEW_SECONDS) return ['ok', agreement]
  return ['warn', `${Math.abs(behind)} seconds ${behind > 0 ? 'behind' : 'ahead of'} ${other} time by NTP.`]
}

function lastWritten(file: string): number {
  return Math.max(...[file, `${file}-wal`].map((each) => statSync(each, { throwIfNoEntry: false })?.mtimeMs ?? 0))
}

async function disk(settings: Settings): Promise<Finding> {
  const { bavail, bsize } = await statfs(existing(dirname(sqliteFile(settings) ?? keyFile(settings))))
  const free = Math.floor((bavail * bsize) / MB)
  const status = free < 100 ? 'fail' : free < 1000 ? 'warn' : 'ok'
  return [status, `${free} MB free${status === 'ok' ? '' : '. Make room.'}`]
}

async function mail(settings: Settings): Promise<Finding> {
  const { smtpUrl: url, from } = settings.mail
  if (url === undefined) return written(mailFolder(settings), isLoopback(settings.baseUrl))
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

async function written(folder: string, isLocal: boolean): Promise<Finding> {
  const fault = await faultOf(folder)
  if (fault !== undefined)
    return ['fail', `cannot be written to ${folder}: ${fault}. Make it a folder that this user may write to, or set SMTP_URL.`]
  if (isLocal) return ['ok', `written to ${folder}, since SMTP_URL is not set`]
  return ['warn', `written to ${folder}, and sent to nobody. Set SMTP_URL.`]
}

/** What keeps a folder from being written to. Looks without making anything: one that is not there yet is made in the one above. */
async function faultOf(folder: string): Promise<string | undefined> {
  const nearest = existing(folder)
  try {
    // A file has no `/.`.
    await access(`${nearest}/.`, constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    return `${code} at ${nearest}`
  }
}

/** The path, or the nearest one above it that is there, a link that leads nowhere included. */
function existing(path: string): string {
  return existsSync(path) || isLink(path) ? path : existing(dirname(path))
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink()
  } catch {
    return false
  }
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
