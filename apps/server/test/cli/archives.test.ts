import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { ACME, createCli, PASSWORD } from '../support/crm-cli.ts'
import { testDatabaseUrl } from '../support/stores.ts'

const SECRET_KEY = Buffer.alloc(32, 7).toString('base64')
const postgresUrl = inject('postgresUrl')
const SEED = ['--people', '300', '--companies', '40', '--deals', '60', '--tasks', '80', '--activities', '90']

async function openSeeded() {
  const cli = await createCli({ SECRET_KEY })
  await cli.json(...ACME, ...PASSWORD)
  await cli.json('seed', '--workspace', 'acme', ...SEED)
  const archive = join(cli.folder, 'acme.tar.gz')
  const exported = await cli.json('workspace', 'export', '--workspace', 'acme', '--output', archive)
  return { ...cli, archive, exported }
}

test.each(['SQLite', ...(postgresUrl === null ? [] : ['PostgreSQL'])])(
  'an import on %s that is killed leaves nothing, the next one is complete, and its archive is the same',
  async (database) => {
    const { archive, exported } = await openSeeded()
    expect(exported).toEqual({
      file: archive,
      workspace: { id: expect.any(String), slug: 'acme', name: 'Acme' },
      records: expect.objectContaining({ people: 300, companies: 40, deals: 60, tasks: 80, users: 1 }),
      bytes: (await readFile(archive)).length,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    const { sha256 } = exported
    const env = {
      SECRET_KEY,
      ...(database === 'PostgreSQL' && { DATABASE_URL: await testDatabaseUrl(postgresUrl!) }),
    }
    const { folder, json, crm } = await createCli(env)
    await json('migrate')
    const importing = await startInterruptedImport(archive, folder, env)
    expect((await crm('workspace', 'list')).stdout).toBe('There are none.\n')
    importing.kill('SIGKILL')
    await once(importing, 'close')
    expect((await crm('workspace', 'list')).stdout).toBe('There are none.\n')
    expect(await json('workspace', 'import', archive)).toEqual(exported)
    const back = join(folder, 'back.tar.gz')
    expect(await json('workspace', 'export', '--workspace', 'acme', '--output', back)).toMatchObject({
      sha256,
    })
    const sqlite = await createCli({ SECRET_KEY })
    await sqlite.json('workspace', 'import', back)
    const again = join(sqlite.folder, 'again.tar.gz')
    expect(await sqlite.json('workspace', 'export', '--workspace', 'acme', '--output', again)).toMatchObject({
      sha256,
    })
  },
)

/** Resolves when the import is in the middle. */
async function startInterruptedImport(archive: string, cwd: string, env: Readonly<Record<string, string>>) {
  const script = join(import.meta.dirname, '../support/interrupted-import.ts')
  const child = spawn(process.execPath, [script, archive], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return child
}

test('what cannot be exported or imported is refused in one line', async () => {
  const { crm, archive, folder } = await openSeeded()
  const fails = async (message: RegExp, ...args: string[]) => {
    const { code, stderr } = await crm('workspace', ...args)
    expect([code, stderr]).toEqual([1, expect.stringMatching(message)])
  }
  await fails(/^This workspace is here already: acme\. [^\n]+\n$/, 'import', archive)
  await fails(/^--workspace: Workspace not found\.\n$/, 'export', '--workspace', 'beta', '--output', 'b.tar')
  await fails(
    /^\S+ exists already\. Name a file that does not\.\n$/,
    'export',
    '--workspace',
    'acme',
    '--output',
    archive,
  )
  const cut = join(folder, 'cut.tar.gz')
  await writeFile(cut, (await readFile(archive)).subarray(0, -2000))
  await fails(/^\S+ is damaged, or no archive of a workspace \([^\n]+\n$/, 'import', cut)
  await fails(/^Cannot read missing\.tar [^\n]+\n$/, 'import', 'missing.tar')
})
