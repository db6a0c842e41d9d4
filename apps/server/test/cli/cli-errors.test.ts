import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { ACME, createCli, PASSWORD } from '../support/crm-cli.ts'

const postgresUrl = inject('postgresUrl')

test('--help lists every command', async () => {
  const { crm } = await createCli()
  const { code, stdout, stderr } = await crm('--help')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const commandLines = stdout.matchAll(/^ {2}(\S+(?: \S+)?) {2,}/gm)
  expect([...commandLines].map(([, name]) => name)).toEqual([
    'migrate',
    'workspace create',
    'workspace update',
    'workspace list',
    'workspace export',
    'workspace import',
    'member add',
    'member update',
    'member remove',
    'member list',
    'app create',
    'app list',
    'token create',
    'import',
    'export',
    'seed',
    'key rotate',
    'key reseal',
    'backup',
    'restore',
    'doctor',
  ])
})

test('--help of a command prints its usage', async () => {
  const { crm } = await createCli()
  const { code, stdout } = await crm('member', 'remove', '--help')
  expect(code).toBe(0)
  expect(stdout).toContain(
    'Usage: npm run crm -- member remove --workspace SLUG --email EMAIL [--reassign-to EMAIL] [--json]\n',
  )
})

test('usage shows prompted options in brackets', async () => {
  const { crm } = await createCli()
  const { stdout } = await crm('workspace', 'create', '--help')
  expect(stdout).toContain(' --owner-email EMAIL [--owner-password PASSWORD] [--country CODE] ')
})

test('seed --help prints the default counts', async () => {
  const { crm } = await createCli()
  const { stdout } = await crm('seed', '--help')
  const defaults = [
    ...stdout.matchAll(/how many (\w+); (\d+) when no count is named, 0 when another is/g),
  ].map(([, kind, count]) => [kind, count])
  expect(defaults).toEqual([
    ['people', '200'],
    ['companies', '80'],
    ['deals', '120'],
    ['tasks', '200'],
    ['activities', '200'],
  ])
})

test.each([
  { args: [], error: /^Usage: npm run crm -- COMMAND/ },
  { args: ['workspace', 'destroy'], error: /^There is no command workspace destroy\. See --help\.$/m },
  {
    args: ['member', 'remove', '--workspace', 'acme'],
    error: /^--email is missing\.\nUsage: npm run crm -- member remove /,
  },
  {
    args: ['migrate', '--force'],
    error: /^Unknown option '--force'\.\nUsage: npm run crm -- migrate \[--distribute\] \[--json\]\n$/,
  },
  { args: ['migrate', 'now'], error: /^now is one argument too many\.\n/ },
  { args: ['restore'], error: /^FILE is missing\.\nUsage: npm run crm -- restore FILE / },
  { args: ['backup'], error: /^FILE is missing\.\nUsage: npm run crm -- backup FILE / },
  {
    args: ['seed', '--workspace', 'acme', '--people', '1e3'],
    error: /^--people must be a whole number between 0 and 99999999\.\n/,
  },
  { args: ACME, error: /^--owner-password is missing, and there is no terminal to ask for it\.\n/ },
])('rejects wrong usage with the right one: $args', async ({ args, error }) => {
  const { crm } = await createCli()
  const { code, stdout, stderr } = await crm(...args)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(error)
})

test('prints validation errors in one line with option names', async () => {
  const { crm, json } = await createCli()
  await json(...ACME, ...PASSWORD)
  const owner = ['--owner-name', 'Olga', '--owner-email', 'olga', '--owner-password', 'short']
  expect(await crm('workspace', 'create', '--name', 'B', '--slug', 'b', ...owner, '--json')).toEqual({
    code: 1,
    stdout: '',
    stderr:
      '--owner-email: Must be an e-mail address. --owner-password: Must be between 8 and 200 characters.\n',
  })
  const uri = ['--redirect-uri', 'http://one.example']
  expect(
    (await crm('app', 'create', '--name', 'A', '--email', 'a@a.example', ...uri, '--scopes', 'tasks:read'))
      .stderr,
  ).toBe(
    '--redirect-uri: Must be an https URL, or http on localhost, 127.0.0.1 or [::1], without a fragment, user name or password.\n',
  )
  expect((await crm('seed', '--workspace', 'other')).stderr).toBe('--workspace: Workspace not found.\n')
  const client = ['--client', '01890000-0000-7000-8000-000000000000']
  expect(
    (await crm('token', 'create', '--workspace', 'acme', ...client, '--user', 'olga@acme.example')).stderr,
  ).toBe('--client: App not found.\n')
})

test('reads settings from the environment and .env, and the environment wins', async () => {
  const withoutEnv = await createCli()
  await writeFile(join(withoutEnv.folder, '.env'), 'DATABASE_URL=sqlite:other/file.db\nPORT=many\n')
  expect((await withoutEnv.crm('migrate')).stderr).toBe(
    'PORT must be a whole number between 1 and 65535, not "many".\n',
  )
  const withEnv = await createCli({ PORT: '4000' })
  await writeFile(join(withEnv.folder, '.env'), 'DATABASE_URL=sqlite:other/file.db\nPORT=many\n')
  expect((await withEnv.crm('doctor')).stdout).toContain('the first start makes other/file.db')
})

test('doctor passes before the first start and creates nothing', async () => {
  const { crm, json } = await createCli()
  const { code, stdout } = await crm('doctor')
  expect(code).toBe(0)
  expect(stdout).toContain('the first start makes data/crm.db')
  const checks = (await json('doctor'))['checks'] as readonly { name: string; status: string }[]
  expect(checks.map(({ name }) => name)).toEqual([
    'settings',
    'secret key',
    'database',
    'console',
    'disk',
    'mail',
  ])
})

test('doctor checks a database', async () => {
  const { json } = await createCli()
  await json('migrate')
  const { ok, checks } = await json('doctor')
  expect(ok).toBe(true)
  expect(checks).toContainEqual({ name: 'migrations', status: 'ok', detail: 'up to date' })
  expect(checks).toContainEqual({ name: 'integrity', status: 'ok', detail: 'the file is sound' })
})

test('doctor fails for a file that is not a database', async () => {
  const { crm, folder } = await createCli()
  await mkdir(join(folder, 'data'))
  await writeFile(join(folder, 'data/crm.db'), 'these are some notes and no database at all\n'.repeat(100))
  const { code, stdout } = await crm('doctor', '--json')
  expect(code).toBe(1)
  const { ok, checks } = JSON.parse(stdout) as {
    ok: boolean
    checks: { name: string; status: string; detail: string }[]
  }
  expect(ok).toBe(false)
  const database = checks.find(({ name }) => name === 'database')
  expect(database?.status).toBe('fail')
  expect(database?.detail).toMatch(/Restore it from a backup\.$/)
})

test('doctor stops at invalid settings', async () => {
  const { crm } = await createCli({ LOG_LEVEL: 'loud' })
  const { code, stdout } = await crm('doctor')
  expect(code).toBe(1)
  expect(stdout).toMatch(/^fail {2}settings {2}LOG_LEVEL must be one of .*, not "loud"\.\n$/)
})

if (postgresUrl !== null) {
  const postgresEnv = { DATABASE_URL: postgresUrl, SECRET_KEY: Buffer.alloc(32, 7).toString('base64') }

  test("doctor compares the clock with PostgreSQL's", async () => {
    const { json } = await createCli(postgresEnv)
    await json('migrate')
    const { ok, checks } = await json('doctor')
    expect(ok).toBe(true)
    expect(checks).toContainEqual({ name: 'clock', status: 'ok', detail: "agrees with the database's" })
  })

  test('explains in one line that the server has no TLS', async () => {
    const { crm } = await createCli({ ...postgresEnv, DATABASE_URL: `${postgresUrl}?sslmode=verify-full` })
    const advice =
      'the server in DATABASE_URL offers no TLS. Have it do so, or leave sslmode out of DATABASE_URL.'
    expect(await crm('migrate')).toMatchObject({ code: 1, stderr: `Cannot use the database: ${advice}\n` })
  })

  test('backup supports SQLite only', async () => {
    const { crm } = await createCli(postgresEnv)
    expect((await crm('backup', 'copy.db')).stderr).toBe(
      'backup copies SQLite only. With PostgreSQL use pg_dump.\n',
    )
  })
}

test('rejects NODE_EXTRA_CA_CERTS in .env, which Node.js does not read', async () => {
  const { crm, folder } = await createCli()
  await writeFile(join(folder, '.env'), 'NODE_EXTRA_CA_CERTS=authority.pem\n')
  const stderr =
    'NODE_EXTRA_CA_CERTS does nothing in .env, which Node.js reads too late. Set it in the environment itself.\n'
  expect(await crm('migrate')).toMatchObject({ code: 1, stderr: stderr })
})
