import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { ACME, createCli, PASSWORD } from '../support/crm-cli.ts'

const postgresUrl = inject('postgresUrl')

test('help lists every command', async () => {
  const { crm } = await createCli()
  const { code, stdout, stderr } = await crm('--help')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const named = stdout.matchAll(/^ {2}(\S+(?: \S+)?) {2,}/gm)
  expect([...named].map(([, name]) => name)).toEqual([
    'migrate',
    'workspace create',
    'workspace list',
    'member add',
    'member remove',
    'member list',
    'app create',
    'app list',
    'token create',
    'seed',
    'key rotate',
    'backup',
    'doctor',
  ])
})

test('help for a command says how to call it', async () => {
  const { crm } = await createCli()
  const { code, stdout } = await crm('member', 'remove', '--help')
  expect(code).toBe(0)
  expect(stdout).toContain('Usage: npm run crm -- member remove --workspace SLUG --email EMAIL [--json]\n')
})

test('what is asked for when it is left out stands in brackets', async () => {
  const { crm } = await createCli()
  const { stdout } = await crm('workspace', 'create', '--help')
  expect(stdout).toContain(' --owner-email EMAIL [--owner-password PASSWORD] [--locale LOCALE] ')
})

test('help for seed says how many it adds by itself', async () => {
  const { crm } = await createCli()
  const { stdout } = await crm('seed', '--help')
  const presets = [
    ...stdout.matchAll(/how many (\w+); (\d+) when no count is named, 0 when another is/g),
  ].map(([, kind, count]) => [kind, count])
  expect(presets).toEqual([
    ['people', '200'],
    ['companies', '80'],
    ['deals', '120'],
    ['tasks', '200'],
    ['activities', '200'],
  ])
})

test.each([
  { args: [], says: /^Usage: npm run crm -- COMMAND/ },
  { args: ['workspace', 'destroy'], says: /^There is no command workspace destroy\. See --help\.$/m },
  {
    args: ['member', 'remove', '--workspace', 'acme'],
    says: /^--email is missing\.\nUsage: npm run crm -- member remove /,
  },
  {
    args: ['migrate', '--force'],
    says: /^Unknown option '--force'\.\nUsage: npm run crm -- migrate \[--json\]\n$/,
  },
  { args: ['migrate', 'now'], says: /^now is one argument too many\.\n/ },
  { args: ['backup'], says: /^FILE is missing\.\nUsage: npm run crm -- backup FILE / },
  {
    args: ['seed', '--workspace', 'acme', '--people', '1e3'],
    says: /^--people must be a whole number between 0 and 99999999\.\n/,
  },
  { args: ACME, says: /^--owner-password is missing, and there is no terminal to ask for it\.\n/ },
])('wrong usage is told with how it is right: $args', async ({ args, says }) => {
  const { crm } = await createCli()
  const { code, stdout, stderr } = await crm(...args)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(says)
})

test('what the rules refuse is one line in the words of the command line', async () => {
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

test('settings come from the environment and from .env, the environment first', async () => {
  const plain = await createCli()
  await writeFile(join(plain.folder, '.env'), 'DATABASE_URL=sqlite:other/file.db\nPORT=many\n')
  expect((await plain.crm('migrate')).stderr).toBe(
    'PORT must be a whole number between 1 and 65535, not "many".\n',
  )
  const overriding = await createCli({ PORT: '4000' })
  await writeFile(join(overriding.folder, '.env'), 'DATABASE_URL=sqlite:other/file.db\nPORT=many\n')
  expect((await overriding.crm('doctor')).stdout).toContain('the first start makes other/file.db')
})

test('doctor finds nothing wrong where nothing was made yet, and makes nothing', async () => {
  const { crm, json } = await createCli()
  const { code, stdout } = await crm('doctor')
  expect(code).toBe(0)
  expect(stdout).toContain('the first start makes data/crm.db')
  const named = (await json('doctor'))['checks'] as readonly { name: string; status: string }[]
  expect(named.map(({ name }) => name)).toEqual(['settings', 'secret key', 'database', 'disk', 'mail'])
})

test('doctor looks into a database', async () => {
  const { json } = await createCli()
  await json('migrate')
  const { ok, checks } = await json('doctor')
  expect(ok).toBe(true)
  expect(checks).toContainEqual({ name: 'migrations', status: 'ok', detail: 'up to date' })
  expect(checks).toContainEqual({ name: 'integrity', status: 'ok', detail: 'the file is sound' })
})

test('doctor fails on a file that is no database', async () => {
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

test('doctor stops at settings that are wrong', async () => {
  const { crm } = await createCli({ LOG_LEVEL: 'loud' })
  const { code, stdout } = await crm('doctor')
  expect(code).toBe(1)
  expect(stdout).toMatch(/^fail {2}settings {2}LOG_LEVEL must be one of .*, not "loud"\.\n$/)
})

if (postgresUrl !== null) {
  const onPostgres = { DATABASE_URL: postgresUrl, SECRET_KEY: Buffer.alloc(32, 7).toString('base64') }

  test("doctor compares the clock with PostgreSQL's", async () => {
    const { json } = await createCli(onPostgres)
    await json('migrate')
    const { ok, checks } = await json('doctor')
    expect(ok).toBe(true)
    expect(checks).toContainEqual({ name: 'clock', status: 'ok', detail: "agrees with the database's" })
  })

  test('a server without TLS that is asked for it is one line that says what to do', async () => {
    const { crm } = await createCli({ ...onPostgres, DATABASE_URL: `${postgresUrl}?sslmode=verify-full` })
    const advice =
      'the server in DATABASE_URL offers no TLS. Have it do so, or leave sslmode out of DATABASE_URL.'
    expect(await crm('migrate')).toMatchObject({ code: 1, stderr: `Cannot use the database: ${advice}\n` })
  })

  test('backup is for SQLite', async () => {
    const { crm } = await createCli(onPostgres)
    expect((await crm('backup', 'copy.db')).stderr).toBe(
      'backup copies SQLite only. With PostgreSQL use pg_dump.\n',
    )
  })
}

test('an authority that is named where Node.js does not look for it is refused', async () => {
  const { crm, folder } = await createCli()
  await writeFile(join(folder, '.env'), 'NODE_EXTRA_CA_CERTS=authority.pem\n')
  const refusal =
    'NODE_EXTRA_CA_CERTS does nothing in .env, which Node.js reads too late. Set it in the environment itself.\n'
  expect(await crm('migrate')).toMatchObject({ code: 1, stderr: refusal })
})
