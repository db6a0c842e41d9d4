import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openStore } from '../../src/process/open-store.ts'
import { loadSettings } from '../../src/process/settings.ts'
import { ACME, createCli, PASSWORD } from '../support/crm-cli.ts'
import { testDatabaseUrl } from '../support/stores.ts'

const MAIN = join(import.meta.dirname, '../../src/cli/main.ts')
const postgresUrl = inject('postgresUrl')
const PEOPLE = [
  'Name;Email;Firm;Note',
  'Ana Lima;ana@lima.example;Pampa;',
  'Bob;not an address;Sebo;',
  '"Zoë\nDias";zoe@dias.example;Pampa;',
].join('\n')

/** Creates a folder with files, and a workspace. Those on PostgreSQL share a database. */
async function openWorkspace(database: string, slug: string, files: Readonly<Record<string, string>>) {
  const env = {
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    ...(database === 'PostgreSQL' && { DATABASE_URL: await testDatabaseUrl(postgresUrl!) }),
  }
  const cli = await createCli(env)
  await cli.json(...ACME, ...PASSWORD, '--slug', slug)
  for (const [name, content] of Object.entries(files)) await writeFile(join(cli.folder, name), content)
  return { ...cli, env, slug, scope: ['--workspace', slug] }
}

const DATABASES = ['SQLite', ...(postgresUrl === null ? [] : ['PostgreSQL'])]

test.each(DATABASES)('a file is checked, imported and exported on %s', async (database) => {
  const columns = [{ column: 2, target: { kind: 'companies', field: 'full_name' } }]
  const { json, crm, folder, scope } = await openWorkspace(database, 'acme', {
    'people.csv': PEOPLE,
    'columns.json': JSON.stringify(columns),
  })
  const from = ['import', 'people.csv', ...scope, '--columns', 'columns.json', '--match', 'email']
  const counts = {
    people: { created: 2, updated: 0, unchanged: 0, left_out: 1 },
    companies: { created: 2, updated: 0, unchanged: 1, left_out: 0 },
  }
  const report = await json(...from, '--dry-run')
  expect(report).toMatchObject({ rows: 3, counts, problems: [{ column: 'Email', count: 1 }] })
  expect(report['columns']).toContainEqual({ column: 2, name: 'Firm', target: columns[0]!.target })
  const target = ['export', ...scope, '--kind', 'people']
  expect(await json(...target, '--output', 'none.csv')).toEqual({ rows: 0 })

  expect(await json(...from)).toEqual({
    ...{ id: expect.any(String), rows: 3, counts, rows_with_problems: 1 },
    failed_rows: 'people.csv.failed.csv',
  })
  expect(await readFile(join(folder, 'people.csv.failed.csv'), 'utf8')).toBe(
    '\uFEFFName,Email,Firm,Note,error\r\nBob,not an address,Sebo,,Email (not an address): Is no e-mail address.\r\n',
  )
  const again = await crm(...from, '--as', 'OLGA@acme.example')
  expect(again).toMatchObject({ code: 0, stdout: expect.stringMatching(/^people +0 +0 +2 +1$/m) })

  expect(await json(...target, '--output', 'people-now.csv')).toEqual({ rows: 2 })
  expect(await readFile(join(folder, 'people-now.csv'), 'utf8')).toContain('Zoë Dias')
  const printed = await crm(...target, '--format', 'ndjson')
  const names = printed.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).full_name)
  expect({ ...printed, names: names.sort() }).toMatchObject({ code: 0, names: ['Ana Lima', 'Zoë Dias'] })
})

test.each(DATABASES)(
  'Ctrl-C pauses an import on %s, and the command that is printed goes on',
  async (database) => {
    const rows = Array.from({ length: 1200 }, (_, index) => `Person ${index};p${index}@acme.example`)
    const workspace = await openWorkspace(database, 'big', {
      "it's.csv": ['Name;Email', ...rows].join('\n'),
    })
    const { json, folder, env, scope } = workspace
    const listImports = await openImports(workspace)
    const args = ['import', "it's.csv", ...scope]
    const child = spawn(process.execPath, [MAIN, ...args], {
      cwd: folder,
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const errors = text(child.stderr)
    while (!(await listImports()).some(({ state, done }) => state === 'running' && done > 0))
      await setTimeout(20)
    // npm passes on the signal that its command has had already.
    child.kill('SIGINT')
    child.kill('SIGINT')
    const [code] = await once(child, 'close')
    const pattern =
      /^Paused at row [1-9]\d* of 1200\. Go on with: npm run crm -- import 'it'\\''s\.csv' --workspace big --resume (\S+)\n$/
    const [, id = ''] = pattern.exec(await errors) ?? []
    expect({ code, id }).toEqual({ code: 1, id: expect.stringMatching(/^[0-9a-f-]{36}$/) })
    expect(await json(...args, '--resume', id)).toMatchObject({
      ...{ id, rows: 1200, failed_rows: null },
      counts: { people: { created: 1200, updated: 0, unchanged: 0, left_out: 0 } },
    })
  },
)

/** Opens the database in this process, too. */
async function openImports({ folder, env, slug }: Awaited<ReturnType<typeof openWorkspace>>) {
  const settings = loadSettings({ DATA_DIR: join(folder, 'data'), ...env })
  const { crm, close } = await openStore(settings, { isServer: false })
  onTestFinished(close)
  const olga = await crm.operator.actorFor({ workspace: slug, email: 'olga@acme.example' })
  return async () => (await crm.imports.list(olga)).data
}

test('what cannot be imported or exported is refused in one line, and nothing of it stays', async () => {
  const workspace = await openWorkspace('SQLite', 'acme', {
    'people.csv': PEOPLE,
    'open.csv': 'Name,Email\n"Ana,ana@lima.example\n',
    'far.json': '[{"column": 9, "target": null}]',
    'none.json': JSON.stringify([0, 1, 2, 3].map((column) => ({ column, target: null }))),
  })
  const { crm, scope } = workspace
  const fails = async (message: string, ...args: string[]) => {
    expect(await crm(...args, ...scope)).toMatchObject({ code: 1, stdout: '', stderr: `${message}\n` })
  }
  await fails(
    'open.csv cannot be read. A quotation mark in line 2 opens a cell that is never closed.',
    ...['import', 'open.csv'],
  )
  const from = ['import', 'people.csv']
  await fails('far.json: columns[0].column: Column not found.', ...from, '--columns', 'far.json')
  await fails(
    'No column of people.csv is recognized. Say what they become with --columns FILE.',
    ...[...from, '--columns', 'none.json'],
  )
  await fails('--match: Must be one of: email.', ...from, '--match', 'phone')
  await fails('--as: Member not found.', ...from, '--as', 'sam@other.example')
  await fails('--format: Must be one of: csv, ndjson.', 'export', '--kind', 'people', '--format', 'xml')
  expect((await crm('export', '--kind', 'people', ...scope, '--json')).stderr).toMatch(
    /^--json needs --output: /,
  )
  expect(await (await openImports(workspace))()).toEqual([])
})
