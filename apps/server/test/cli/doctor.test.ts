import {
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, inject, onTestFinished, test } from 'vitest'
import { COMMANDS } from '../../src/cli/commands.ts'
import { doctor } from '../../src/cli/doctor.ts'
import { openStore } from '../../src/process/open-store.ts'
import { loadSettings } from '../../src/process/settings.ts'
import { ACME, createCli, PASSWORD } from '../support/crm-cli.ts'
import { testDatabaseUrl } from '../support/stores.ts'

const postgresUrl = inject('postgresUrl')
const KEY = Buffer.alloc(32, 7).toString('base64')
const OTHER_KEY = Buffer.alloc(32, 8).toString('base64')

interface Check {
  readonly name: string
  readonly status: string
  readonly detail: string
}

async function runDoctor({ crm }: Awaited<ReturnType<typeof createCli>>) {
  const { code, stdout } = await crm('doctor', '--json')
  const { checks } = JSON.parse(stdout) as { readonly checks: readonly Check[] }
  const findCheck = (name: string) => checks.find((check) => check.name === name)
  return { code, names: checks.map(({ name }) => name), findCheck }
}

test('doctor fails for a key that did not seal the database, and creates none', async () => {
  const operator = await createCli()
  await operator.json('key', 'rotate')
  const passing = await runDoctor(operator)
  expect([passing.code, passing.findCheck('secret key')]).toEqual([
    0,
    { name: 'secret key', status: 'ok', detail: 'data/secret.key' },
  ])
  expect(passing.names).toEqual([
    'settings',
    'secret key',
    'database',
    'migrations',
    'integrity',
    'clock',
    'quota',
    'console',
    'disk',
    'mail',
  ])

  const file = join(operator.folder, 'data/secret.key')
  rmSync(file)
  const advice = 'Restore it from the backup of DATA_DIR, or set SECRET_KEY to what it held.'
  const missing = await runDoctor(operator)
  const missingDetail = `data/secret.key is missing, and what is sealed in the database data/crm.db opens with nothing else. ${advice}`
  expect([missing.code, missing.findCheck('secret key')]).toEqual([
    1,
    { name: 'secret key', status: 'fail', detail: missingDetail },
  ])
  expect(existsSync(file)).toBe(false)

  writeFileSync(file, OTHER_KEY)
  const wrongDetail = `data/secret.key does not open what is sealed in the database data/crm.db. ${advice}`
  expect((await runDoctor(operator)).findCheck('secret key')).toEqual({
    name: 'secret key',
    status: 'fail',
    detail: wrongDetail,
  })
})

test('other commands fail without the right key, except migrate and backup', async () => {
  const { crm, folder, json } = await createCli()
  await json('key', 'rotate')
  rmSync(join(folder, 'data/secret.key'))
  const { code, stderr } = await crm('key', 'rotate')
  expect(code).toBe(1)
  expect(stderr).toMatch(/^data\/secret\.key is missing, .*\.\n$/)
  expect(await json('migrate')).toEqual({ applied: [] })
  expect(await json('backup', 'copy.db')).toMatchObject({ file: 'copy.db' })
  expect(existsSync(join(folder, 'data/secret.key'))).toBe(false)
})

test('doctor warns of a clock behind the last write to the file', async () => {
  const operator = await createCli()
  await operator.json('migrate')
  const passingCheck = { name: 'clock', status: 'ok', detail: 'not behind the last write to the database' }
  expect((await runDoctor(operator)).findCheck('clock')).toEqual(passingCheck)
  const later = Date.now() / 1000 + 3600
  utimesSync(join(operator.folder, 'data/crm.db'), later, later)
  const { code, findCheck } = await runDoctor(operator)
  expect(code).toBe(0)
  expect(findCheck('clock')).toMatchObject({ status: 'warn' })
  expect(findCheck('clock')?.detail).toMatch(
    /^3(600|59\d) seconds behind the last write to the database\. Let the machine keep time by NTP\.$/,
  )
})

test.each([
  [{ BASE_URL: 'https://crm.acme.example', WEBHOOK_ALLOW_PRIVATE: 'true' }, 'warn'],
  [{ BASE_URL: 'https://crm.acme.example', OUTBOUND_ALLOW_CIDRS: '10.0.0.0/8' }, 'ok'],
  [{ BASE_URL: 'http://localhost:3000', WEBHOOK_ALLOW_PRIVATE: 'true' }, 'ok'],
])('doctor warns of WEBHOOK_ALLOW_PRIVATE with a public address (%j)', async (env, status) => {
  const { code, findCheck } = await runDoctor(await createCli(env))
  expect([code, findCheck('settings')?.status]).toEqual([0, status])
  expect(findCheck('settings')?.detail.includes('OUTBOUND_ALLOW_CIDRS')).toBe(status === 'warn')
})

test('doctor warns of the demo password and of missing mail delivery with a public address', async () => {
  const operator = await createCli({ BASE_URL: 'https://crm.acme.example' })
  const owner = [
    '--owner-name',
    'Ana',
    '--owner-email',
    'ana@demo.example',
    '--owner-password',
    'demo-password',
  ]
  await operator.json('workspace', 'create', '--name', 'Demo', '--slug', 'demo', ...owner)
  const { code, findCheck } = await runDoctor(operator)
  expect([code, findCheck('demo')?.status, findCheck('mail')]).toEqual([
    0,
    'warn',
    { name: 'mail', status: 'warn', detail: 'written to data/mail, and sent to nobody. Set SMTP_URL.' },
  ])
  const local = await createCli()
  await local.json('workspace', 'create', '--name', 'Demo', '--slug', 'demo', ...owner)
  expect((await runDoctor(local)).findCheck('demo')).toBeUndefined()
})

test('doctor and migrate name the folder that cannot be created and its setting', async () => {
  const operator = await createCli({ DATABASE_URL: 'sqlite:dangling/x/crm.db' })
  symlinkSync('/nowhere/at/all', join(operator.folder, 'dangling'))
  const { code, findCheck } = await runDoctor(operator)
  const advice = 'Make it a folder that this user may write to, or correct DATABASE_URL.'
  const detail = `dangling/x/crm.db cannot be made: ENOENT at dangling. ${advice}`
  expect([code, findCheck('database')]).toEqual([1, { name: 'database', status: 'fail', detail }])
  expect(await operator.crm('migrate')).toMatchObject({
    code: 1,
    stderr:
      'Cannot create the folder dangling/x of DATABASE_URL (ENOENT). Name one that this user can create, or create it.\n',
  })
})

test('doctor and the start reject a file cut by less than a page', async () => {
  const operator = await createCli()
  await operator.json('migrate')
  const file = join(operator.folder, 'data/crm.db')
  const database = new Database(file)
  // No check of the content finds a gap in these zeros.
  database.exec('create table zeros (body blob); insert into zeros values (zeroblob(40000))')
  database.close()
  truncateSync(file, statSync(file).size - 100)
  const { code, findCheck } = await runDoctor(operator)
  expect([code, findCheck('integrity')]).toEqual([
    1,
    {
      name: 'integrity',
      status: 'fail',
      detail: expect.stringMatching(/^its size of \d+ bytes is not .*\. Restore the file from a backup\.$/),
    },
  ])
  const settings = loadSettings({ DATABASE_URL: `sqlite:${file}`, DATA_DIR: operator.folder })
  await expect(openStore(settings, { isServer: true })).rejects.toThrow(
    /^The database .* is damaged \(its size .*\)\. Restore it from a backup\.$/,
  )
})

test('doctor reads every page, finds what a quick check misses, and shows that it is at work', async () => {
  const operator = await createCli()
  await operator.json(...ACME, ...PASSWORD)
  const file = join(operator.folder, 'data/crm.db')
  // The name and the slug in their row, but not the slug in its index.
  const content = readFileSync(file)
  content.write('Acmeabme', content.indexOf('Acmeacme'))
  writeFileSync(file, content)
  const settings = loadSettings({ DATABASE_URL: `sqlite:${file}`, DATA_DIR: operator.folder })
  const lines: string[] = []
  const { value } = await doctor.run({
    fields: {},
    operand: '',
    json: false,
    settings: () => settings,
    progress: (line) => lines.push(line),
  })
  expect(value).toMatchObject({
    ok: false,
    checks: expect.arrayContaining([expect.objectContaining({ name: 'integrity', status: 'fail' })]),
  })
  expect([lines[0], lines.at(-1)]).toEqual(['checking every page', ''])
})

test('doctor fails for a database that is a link to a missing file', async () => {
  const operator = await createCli({ DATABASE_URL: 'sqlite:crm.db' })
  symlinkSync('nowhere.db', join(operator.folder, 'crm.db'))
  const { code, findCheck } = await runDoctor(operator)
  const detail =
    'crm.db is a symbolic link to a missing file. Mount or put back what it names, or correct it.'
  expect([code, findCheck('database')]).toEqual([1, { name: 'database', status: 'fail', detail }])
})

test('doctor fails where the log was removed while in use, and creates no other', async () => {
  const operator = await createCli()
  await operator.json('migrate')
  const file = join(operator.folder, 'data/crm.db')
  writeFileSync(`${file}-shm`, '')
  const { code, findCheck } = await runDoctor(operator)
  expect([code, findCheck('database')?.status, existsSync(`${file}-wal`)]).toEqual([1, 'fail', false])
  expect(findCheck('database')?.detail).toMatch(/^The log .*crm\.db-wal was removed while in use\. /)
})

test('doctor and other commands say what to do about a log emptied while in use', async () => {
  const operator = await createCli()
  await operator.json('migrate')
  const database = new Database(join(operator.folder, 'data/crm.db'))
  onTestFinished(() => void database.close())
  database.exec('create table noted (body text); drop table noted')
  truncateSync(join(operator.folder, 'data/crm.db-wal'))
  const { code, findCheck } = await runDoctor(operator)
  expect([code, findCheck('database')?.status]).toEqual([1, 'fail'])
  expect(findCheck('database')?.detail).toMatch(/^Cannot use the database: the log beside the file .* Stop /)
  expect(await operator.crm('workspace', 'list')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Cannot use the database: the log beside .*\n$/),
  })
})

if (postgresUrl !== null) {
  test('doctor fails for a SECRET_KEY that did not seal the PostgreSQL database', async () => {
    const DATABASE_URL = await testDatabaseUrl(postgresUrl)
    const operator = await createCli({ DATABASE_URL, SECRET_KEY: KEY })
    await operator.json('key', 'rotate')
    expect((await runDoctor(operator)).findCheck('secret key')).toMatchObject({
      status: 'ok',
      detail: 'SECRET_KEY',
    })
    const { code, findCheck } = await runDoctor(await createCli({ DATABASE_URL, SECRET_KEY: OTHER_KEY }))
    const detail =
      'SECRET_KEY does not open what is sealed in the database. Set it to the one that was in use.'
    expect([code, findCheck('secret key')]).toEqual([1, { name: 'secret key', status: 'fail', detail }])
  })
}

/** The settings of a new folder, and commands that run in this process. */
async function createFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'crm-doctor-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const env = { DATABASE_URL: `sqlite:${join(folder, 'crm.db')}`, DATA_DIR: folder }

  async function run(name: 'doctor' | 'key reseal' | 'key rotate' | 'migrate', more: object = {}) {
    const settings = loadSettings({ ...env, ...more })
    const context = { fields: {}, operand: '', json: false, settings: () => settings, progress: () => {} }
    return (await COMMANDS.get(name)!.run(context)).value
  }

  return {
    folder,
    settings: loadSettings(env),
    run,
    async findCheck(name: string, more: object = {}) {
      const { checks } = (await run('doctor', more)) as { readonly checks: readonly Check[] }
      return checks.find((check) => check.name === name)
    },
  }
}

test('doctor names the fullest workspace, and warns before it is full', async () => {
  const { findCheck, run, settings } = await createFolder()
  expect(await findCheck('quota')).toBeUndefined()
  await run('migrate')
  const noWorkspace = { name: 'quota', status: 'ok', detail: 'there is no workspace yet' }
  expect(await findCheck('quota')).toEqual(noWorkspace)

  const { crm, close } = await openStore(settings, { isServer: false })
  for (const slug of ['acme', 'calm'])
    await crm.operator.createWorkspace({
      name: slug,
      slug,
      owner_name: 'Olga',
      owner_email: 'olga@acme.example',
    })
  await close()
  expect(await findCheck('quota', { QUOTA_RECORDS: '40' })).toEqual({
    name: 'quota',
    status: 'ok',
    detail:
      'the fullest of 2 is acme: 4 records and 0 pending deliveries of 40 each, 0 of 10000 MB of files and long texts',
  })
  expect(await findCheck('quota', { QUOTA_RECORDS: '4', QUOTA_MEGABYTES: '0' })).toEqual({
    name: 'quota',
    status: 'warn',
    detail:
      '2 of 2 workspaces are full or nearly so. The fullest is acme: 4 records and 0 pending deliveries of 4 each, ' +
      '0 of any number of MB of files and long texts. ' +
      'Raise QUOTA_RECORDS or QUOTA_MEGABYTES and restart, or ask its members to delete what they do not need.',
  })
})

test('the secret key can be changed, and doctor says when the old one may go', async () => {
  const { folder, run, findCheck } = await createFolder()
  await run('key rotate')
  const oldKey = readFileSync(join(folder, 'secret.key'), 'utf8').trim()
  const checkKeys = (SECRET_KEY_PREVIOUS?: string) =>
    findCheck('secret key', { SECRET_KEY: KEY, ...(SECRET_KEY_PREVIOUS && { SECRET_KEY_PREVIOUS }) })

  for (const previousKey of [undefined, OTHER_KEY])
    expect(await checkKeys(previousKey)).toMatchObject({ status: 'fail' })
  expect(await checkKeys('short')).toEqual({
    name: 'secret key',
    status: 'fail',
    detail: 'SECRET_KEY_PREVIOUS must be 32 bytes in Base64. Make one with: openssl rand -base64 32',
  })

  expect(await checkKeys(oldKey)).toEqual({
    name: 'secret key',
    status: 'warn',
    detail: 'SECRET_KEY. 1 of the sealed values need SECRET_KEY_PREVIOUS. Run: npm run crm -- key reseal',
  })
  expect(await run('key reseal', { SECRET_KEY: KEY, SECRET_KEY_PREVIOUS: oldKey })).toEqual({
    resealed: 1,
    unreadable: 0,
  })
  expect(await checkKeys(oldKey)).toEqual({
    name: 'secret key',
    status: 'warn',
    detail: 'SECRET_KEY. Nothing needs SECRET_KEY_PREVIOUS any more: unset it and restart.',
  })
  expect(await checkKeys()).toEqual({ name: 'secret key', status: 'ok', detail: 'SECRET_KEY' })
})
