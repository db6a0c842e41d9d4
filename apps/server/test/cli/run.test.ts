import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ACME, createCli, PASSWORD } from '../support/crm-cli.ts'

const UUID = /^[0-9a-f-]{36}$/

test('migrate prints the applied migrations, and none the second time', async () => {
  const { crm, json, folder } = await createCli()
  const first = await json('migrate')
  expect(first['applied']).toContain('0001_records')
  expect(existsSync(join(folder, 'data/crm.db'))).toBe(true)
  expect(await json('migrate')).toEqual({ applied: [] })
  expect((await crm('migrate')).stdout).toBe('The tables are up to date.\n')
})

test('migrate --distribute refuses a SQLite file, and migrates nothing', async () => {
  const { crm, json } = await createCli()
  expect(await crm('migrate', '--distribute')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('SQLite keeps all rows in one file.'),
  })
  expect(await json('migrate')).toEqual({ applied: expect.arrayContaining(['0001_records']) })
})

const EVERYONE = { people: 'everyone', companies: 'everyone', deals: 'everyone', tasks: 'everyone' }

test('workspace create creates a workspace with its owner, and prints a table or JSON', async () => {
  const { crm, json } = await createCli()
  const workspace = await json(
    ...ACME,
    ...PASSWORD,
    '--locale',
    'pt-BR',
    '--currency',
    'BRL',
    '--time-zone',
    'America/Sao_Paulo',
  )
  expect(workspace).toEqual({
    id: expect.stringMatching(UUID),
    name: 'Acme',
    slug: 'acme',
    country: 'BR',
    locale: 'pt-BR',
    currency: 'BRL',
    time_zone: 'America/Sao_Paulo',
    visibility: EVERYONE,
    owner: { id: expect.stringMatching(UUID), name: 'Olga', email: 'olga@acme.example', role: 'owner' },
  })
  const second = await crm(...ACME.with(5, 'beta'), ...PASSWORD)
  expect(second.stdout).toMatch(/^slug +beta$/m)
  expect(second.stdout).toMatch(/^owner email +olga@acme\.example$/m)
  expect(second.stdout).toMatch(/^visibility deals +everyone$/m)
})

test('member add and member remove', async () => {
  const { crm, json } = await createCli()
  await json(...ACME, ...PASSWORD)
  const memberArgs = ['--workspace', 'acme', '--email', 'max@acme.example']
  const max = { id: expect.stringMatching(UUID), name: 'Max', email: 'max@acme.example', role: 'admin' }
  expect(
    await json(
      'member',
      'add',
      ...memberArgs,
      '--name',
      'Max',
      '--role',
      'admin',
      '--password',
      'another-password',
    ),
  ).toEqual(max)
  expect(await json('member', 'remove', ...memberArgs)).toEqual(max)
  await json('member', 'add', ...memberArgs, '--name', 'Max', '--role', 'admin')
  expect((await crm('member', 'remove', ...memberArgs)).stdout).toMatch(/^Removed:\nid +/)
})

test('lists workspaces, members and apps with the values that other commands need', async () => {
  const { crm, json } = await createCli()
  expect((await crm('app', 'list')).stdout).toBe('There are none.\n')
  const { id } = await json(...ACME, ...PASSWORD)
  const app = [
    '--name',
    'My app',
    '--email',
    'dev@acme.example',
    '--redirect-uri',
    'https://app.example/callback',
    '--scopes',
    'tasks:read',
  ]
  const { client_id } = await json('app', 'create', ...app)
  const created = { created_at: expect.any(String) }
  const settings = { country: null, locale: 'en-US', currency: 'USD', time_zone: 'UTC', visibility: EVERYONE }
  expect(await json('workspace', 'list')).toEqual({
    workspaces: [{ id, name: 'Acme', slug: 'acme', ...settings, ...created }],
  })
  const olga = { id: expect.stringMatching(UUID), name: 'Olga', email: 'olga@acme.example', role: 'owner' }
  expect(await json('member', 'list', '--workspace', 'ACME')).toEqual({ members: [olga] })
  expect(await json('app', 'list')).toEqual({
    apps: [
      {
        ...{ client_id, name: 'My app', email: 'dev@acme.example', active: true, scopes: ['tasks:read'] },
        ...{ redirect_uris: ['https://app.example/callback'], ...created },
      },
    ],
  })
  const token = [
    'token',
    'create',
    '--workspace',
    'acme',
    '--client',
    String(client_id),
    '--user',
    'olga@acme.example',
  ]
  expect((await crm(...token)).stdout).toMatch(/\n\nIt is good at http:\/\/127\.0\.0\.1:3000\n$/)
  expect((await crm('member', 'list', '--workspace', 'acme')).stdout).toMatch(
    /^EMAIL +NAME +ROLE +ID\nolga@acme\.example +Olga +owner +/,
  )
  expect(await crm('member', 'list', '--workspace', 'nobody')).toMatchObject({
    code: 1,
    stderr: '--workspace: Workspace not found.\n',
  })
})

test('member add needs no password without a terminal', async () => {
  const { json } = await createCli()
  await json(...ACME, ...PASSWORD)
  const member = await json(
    'member',
    'add',
    '--workspace',
    'acme',
    '--name',
    'Max',
    '--email',
    'max@acme.example',
    '--role',
    'member',
  )
  expect(member['role']).toBe('member')
})

test('member add keeps an existing account unchanged and says so', async () => {
  const { crm, json } = await createCli()
  await json(...ACME, ...PASSWORD)
  await json(...ACME.with(5, 'beta').with(7, 'Max').with(9, 'max@beta.example'), ...PASSWORD)
  const olga = [
    'member',
    'add',
    '--workspace',
    'beta',
    '--name',
    'Olga Two',
    '--email',
    'OLGA@acme.example',
    '--role',
    'admin',
  ]
  const { stdout } = await crm(...olga, '--password', 'another-password')
  expect(stdout).toMatch(/^name +Olga$/m)
  expect(stdout).toMatch(/\n\nThe account was there already: it keeps its name and its password\.\n$/)
  const max = [
    'member',
    'add',
    '--workspace',
    'acme',
    '--name',
    'M',
    '--email',
    'max@beta.example',
    '--role',
    'member',
  ]
  expect(await json(...max)).toEqual({
    id: expect.stringMatching(UUID),
    name: 'Max',
    email: 'max@beta.example',
    role: 'member',
  })
  const newAccount = await crm(
    'member',
    'add',
    '--workspace',
    'acme',
    '--name',
    'New',
    '--email',
    'new@acme.example',
    '--role',
    'member',
  )
  expect(newAccount.stdout).not.toContain('already')
})

test('app create returns a secret, and token create a token for a member', async () => {
  const { json } = await createCli()
  await json(...ACME, ...PASSWORD)
  const uris = ['--redirect-uri', 'https://one.example/cb', '--redirect-uri', 'https://two.example/cb']
  const app = await json(
    'app',
    'create',
    '--name',
    'App',
    '--email',
    'dev@app.example',
    ...uris,
    '--scopes',
    'tasks:read, tasks:write',
  )
  expect(app).toMatchObject({
    client_id: expect.stringMatching(UUID),
    client_secret: expect.stringMatching(/^[0-9a-f]{64}$/),
    redirect_uris: ['https://one.example/cb', 'https://two.example/cb'],
    scopes: ['tasks:read', 'tasks:write'],
  })
  const tokenArgs = [
    '--workspace',
    'acme',
    '--client',
    String(app['client_id']),
    '--user',
    'olga@acme.example',
    '--scopes',
    'tasks:read',
  ]
  expect(await json('token', 'create', ...tokenArgs)).toEqual({
    access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    refresh_token: expect.stringMatching(/^crm_rt_/),
    token_type: 'Bearer',
    expires_in: 3600,
    workspace_slug: 'acme',
  })
})

test('seed prints the number of records it created', async () => {
  const { json } = await createCli()
  await json(...ACME, ...PASSWORD)
  const counts = await json(
    'seed',
    '--workspace',
    'acme',
    '--people',
    '30',
    '--companies',
    '10',
    '--activities',
    '20',
  )
  expect(counts).toEqual({
    people: 30,
    companies: 10,
    deals: 0,
    tasks: 0,
    activities: 20,
    seconds: expect.any(Number),
  })
})

test('key rotate returns a new kid each time', async () => {
  const { json } = await createCli()
  const first = await json('key', 'rotate')
  const second = await json('key', 'rotate')
  expect(first).toEqual({ kid: expect.stringMatching(UUID) })
  expect(second['kid']).not.toBe(first['kid'])
})

test('backup copies the whole database and never overwrites a file', async () => {
  const { crm, json, folder } = await createCli()
  await json(...ACME, ...PASSWORD)
  expect(await json('backup', 'copy.db')).toEqual({ file: 'copy.db', bytes: expect.any(Number) })
  const second = await crm('backup', 'copy.db')
  expect(second).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'copy.db exists already. Name a file that does not.\n',
  })
  const restored = await createCli({ DATABASE_URL: `sqlite:${join(folder, 'copy.db')}` })
  const duplicate = await restored.crm(...ACME, ...PASSWORD)
  expect(duplicate.stderr).toBe('--slug: A record with this value already exists.\n')
})

test('backup fails without a database', async () => {
  const { crm, folder } = await createCli()
  const { code, stderr } = await crm('backup', 'copy.db')
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'There is no database data/crm.db to copy. Check DATABASE_URL.\n',
  })
  expect(existsSync(join(folder, 'data/crm.db'))).toBe(false)
})

test('workspace update and member update change settings and a role', async () => {
  const { crm, json } = await createCli()
  await json(...ACME, ...PASSWORD)
  const update = ['workspace', 'update', '--workspace', 'acme']
  expect(await json(...update, '--country', 'br', '--time-zone', 'America/Sao_Paulo')).toMatchObject({
    name: 'Acme',
    country: 'BR',
    time_zone: 'America/Sao_Paulo',
  })
  expect(await json(...update, '--visibility', 'deals=team, tasks=owner')).toMatchObject({
    visibility: { ...EVERYONE, deals: 'team', tasks: 'owner' },
  })
  expect(await crm(...update, '--visibility', 'deals=all')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Must be one of: everyone, team, owner.'),
  })
  expect(await crm(...update, '--visibility', 'deals')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^--visibility must be pairs such as KIND=RULE, separated by commas\.$/m),
  })
  expect(await crm(...update)).toMatchObject({ code: 1, stderr: 'No fields provided for update.\n' })
  const olga = ['member', 'update', '--workspace', 'acme', '--email', 'olga@acme.example']
  expect(await crm(...olga, '--role', 'member')).toMatchObject({
    code: 1,
    stderr: '--role: Must not be the last owner of the workspace.\n',
  })
  const ana = ['--workspace', 'acme', '--email', 'ana@acme.example', '--role']
  await json('member', 'add', '--name', 'Ana', ...ana, 'member')
  expect(await json('member', 'update', ...ana, 'admin')).toMatchObject({ role: 'admin' })
})
