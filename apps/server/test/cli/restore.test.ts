import { createHash } from 'node:crypto'
import {
  copyFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { acquireProcessLock } from '@sales-crm/sqlite'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { ACME, createCli, PASSWORD } from '../support/crm-cli.ts'

/** An installation with a workspace, and its backup. */
async function createInstallation() {
  const cli = await createCli()
  await cli.json(...ACME, ...PASSWORD)
  const [backup, data] = [join(cli.folder, 'backup.db'), join(cli.folder, 'data')]
  const file = join(data, 'crm.db')
  copyFileSync(file, backup)
  return {
    ...cli,
    backup,
    data,
    file,
    async slugs() {
      const { workspaces } = await cli.json('workspace', 'list')
      return (workspaces as { readonly slug: string }[]).map(({ slug }) => slug)
    },
    /** Names and contents of all files, but for the lock. */
    fingerprint: () =>
      readdirSync(data, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.name.includes('.serving'))
        .map(({ parentPath, name }) => [name, sha256(join(parentPath, name))])
        .toSorted(),
  }
}

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

function edit(file: string, sql: string): void {
  const database = new Database(file)
  database.exec(sql)
  database.close()
}

test('restore puts a backup in place and keeps the earlier files', async () => {
  const { json, crm, data, file, backup, slugs } = await createInstallation()
  await json('key', 'rotate')
  copyFileSync(file, backup)
  await json(...ACME.with(5, 'beta'), ...PASSWORD)
  // A log that is left there must not be applied to the backup.
  writeFileSync(join(data, 'crm.db-wal'), 'a log')
  const result = await json('restore', backup)
  expect(result).toEqual({
    file: 'data/crm.db',
    backup,
    aside: expect.stringMatching(/\/data\/aside-/),
    next: 'The secret key opens it. Run npm run crm -- doctor, then start the service.',
  })
  expect(readdirSync(String(result['aside']))).toEqual(['crm.db', 'crm.db-wal'])
  expect(readFileSync(join(String(result['aside']), 'crm.db-wal'), 'utf8')).toBe('a log')
  expect(await slugs()).toEqual(['acme'])
  rmSync(file)
  rmSync(join(data, 'secret.key'))
  const { code, stdout } = await crm('restore', backup)
  expect([code, stdout.split('\n')]).toEqual([
    0,
    [
      `data/crm.db is now a copy of ${backup}.`,
      expect.stringMatching(
        /^data\/secret\.key is missing, .* Run npm run crm -- doctor, then start the service\.$/,
      ),
      '',
    ],
  ])
})

test('a restore is undone by restoring the earlier file, with the log beside it', async () => {
  const { json, file, backup } = await createInstallation()
  const open = new Database(file)
  onTestFinished(() => void open.close())
  open.exec("update workspaces set name = 'In the log'")
  const { aside } = await json('restore', backup)
  expect(readdirSync(String(aside))).toContain('crm.db-wal')
  await json('restore', join(String(aside), 'crm.db'))
  const restored = new Database(file, { readonly: true })
  expect(restored.prepare('select name from workspaces').pluck().all()).toEqual(['In the log'])
  restored.close()
})

test.each([
  [
    'a file that is no database',
    (file: string) => writeFileSync(file, 'notes\n'.repeat(1000)),
    /damaged or no SQL/,
  ],
  ['an empty file', (file: string) => writeFileSync(file, ''), /it is no database of this program\./],
  [
    'a database of another program',
    (file: string) => {
      rmSync(file)
      edit(file, 'create table notes (body text)')
    },
    /it is no database of this program\./,
  ],
  ['half a file', (file: string) => truncateSync(file, 400_000), /is damaged/],
  [
    'a database of a newer version',
    (file: string) =>
      edit(file, "insert into kysely_migration (name, timestamp) values ('9999_future', '2030-01-01')"),
    /made by a newer version of this program \(it has 9999_future\)/,
  ],
  [
    'a missing file',
    (file: string) => rmSync(file),
    /^There is no backup .*\. Name the file to restore\.\n$/,
  ],
  [
    'the database itself',
    (file: string) => {
      rmSync(file)
      symlinkSync('data/crm.db', file)
    },
    /is the database itself\. Name a backup\.\n$/,
  ],
])('restore rejects %s and changes nothing', async (_, spoil, message) => {
  const { crm, backup, fingerprint } = await createInstallation()
  spoil(backup)
  const before = fingerprint()
  const { code, stdout, stderr } = await crm('restore', backup, '--json')
  expect([code, stdout, stderr.trimEnd().split('\n').length]).toEqual([1, '', 1])
  expect(stderr).toMatch(message)
  expect(fingerprint()).toEqual(before)
})

test('restore refuses while a process serves the database', async () => {
  const { crm, file, backup, fingerprint } = await createInstallation()
  const before = fingerprint()
  onTestFinished(acquireProcessLock(file).release)
  expect(await crm('restore', backup)).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^Another process serves .*crm\.db\. Stop it first, .*\n$/),
  })
  expect(fingerprint()).toEqual(before)
})

test('restore rejects a link to a missing file, and PostgreSQL', async () => {
  const { crm, backup, file, data } = await createInstallation()
  copyFileSync(file, join(data, 'other.db'))
  rmSync(file)
  symlinkSync('nowhere.db', file)
  expect((await crm('restore', backup)).stderr).toMatch(
    /^data\/crm\.db is a symbolic link to a missing file\. /,
  )
  const postgres = await createCli({ DATABASE_URL: 'postgres://crm@localhost/crm' })
  expect(await postgres.crm('restore', backup)).toMatchObject({
    code: 1,
    stderr: 'restore handles SQLite only. With PostgreSQL use pg_restore.\n',
  })
})
