import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sqliteStore } from '../../src/index.ts'
import { describeStore } from './describe-store.ts'

function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'crm-webhooks-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'ids.db')
}

const DRIVERS = [
  [
    'better-sqlite3',
    (file = temporaryFile()) => {
      const database = new Database(file, { timeout: 0 })
      onTestFinished(() => void database.close())
      return database
    },
  ],
  [
    'node:sqlite',
    (file = temporaryFile()) => {
      const database = new DatabaseSync(file, { timeout: 0 })
      onTestFinished(() => database.close())
      return database
    },
  ],
] as const

describe.each(DRIVERS)('with %s', (driver, open: (file?: string) => Database.Database | DatabaseSync) => {
  describeStore(driver, async () => sqliteStore(open()))

  const count = (database: Database.Database | DatabaseSync, table: string) =>
    (database.prepare(`select count(*) as count from ${table}`).get() as { count: number }).count

  test('what a handler writes commits with the id, and is rolled back with it', async () => {
    const file = temporaryFile()
    const [database, observer] = [open(file), open(file)]
    database.exec('create table people (name text)')
    const store = sqliteStore(database)
    await store.runOnce('committed', async (transaction) => {
      transaction.prepare('insert into people values (?)').run('Ana')
      await Promise.resolve()
      expect(count(observer, 'people')).toBe(0)
    })
    await expect(
      store.runOnce('failed', async (transaction) => {
        transaction.prepare('insert into people values (?)').run('Ben')
        await Promise.resolve()
        throw new Error('No disk.')
      }),
    ).rejects.toThrow('No disk.')
    expect([count(observer, 'people'), count(observer, 'processed_webhook_ids')]).toEqual([1, 1])
  })

  test('two stores of one connection do not interleave their transactions', async () => {
    const database = open()
    database.exec('create table steps (name text)')
    const stores = [sqliteStore(database), sqliteStore(database, { table: 'others' })]
    await Promise.all(
      stores.map((store, nth) =>
        store.runOnce('same', async () => {
          for (const step of ['begin', 'end']) {
            database.prepare('insert into steps values (?)').run(`${step} ${nth}`)
            await Promise.resolve()
          }
        }),
      ),
    )
    expect(database.prepare('select name from steps').all()).toEqual(
      ['begin 0', 'end 0', 'begin 1', 'end 1'].map((name) => ({ name })),
    )
  })

  test('a locked database fails the event, which is processed later', async () => {
    const file = temporaryFile()
    const [database, other] = [open(file), open(file)]
    const store = sqliteStore(database)
    await store.runOnce('before', async () => {})
    other.exec('begin immediate')
    await expect(store.runOnce('locked', async () => {})).rejects.toThrow('database is locked')
    other.exec('commit')
    expect(await store.runOnce('locked', async () => {})).toBe(true)
  })

  test('a database that is locked at first gets its table later', async () => {
    const file = temporaryFile()
    const [database, other] = [open(file), open(file)]
    const store = sqliteStore(database)
    other.exec('begin immediate')
    await expect(store.runOnce('locked', async () => {})).rejects.toThrow('database is locked')
    other.exec('commit')
    expect(await store.runOnce('locked', async () => {})).toBe(true)
  })

  test('a transaction that the handler ended fails the event', async () => {
    const database = open()
    const store = sqliteStore(database)
    await expect(
      store.runOnce('ended', async (transaction) => void transaction.exec('rollback')),
    ).rejects.toThrow('no transaction is active')
    expect(await store.runOnce('ended', async () => {})).toBe(true)
  })

  test('ids past the retention are deleted, and those within it stay', async () => {
    const database = open()
    const store = sqliteStore(database, { retentionDays: 40 })
    await expect(store.runOnce('none', () => Promise.reject(new Error('Only the table.')))).rejects.toThrow()
    const insert = database.prepare('insert into processed_webhook_ids values (?, unixepoch() - ? * 86400)')
    database.exec('begin')
    for (let nth = 0; nth < 1001; nth += 1) insert.run(`old-${nth}`, 41)
    database.exec('commit')
    insert.run('recent', 39)
    await store.runOnce('first', async () => {})
    expect(count(database, 'processed_webhook_ids')).toBe(3)
    for (let nth = 1; nth < 101; nth += 1) await store.runOnce(`next-${nth}`, async () => {})
    expect(count(database, 'processed_webhook_ids')).toBe(102)
    expect(await store.runOnce('recent', async () => {})).toBe(false)
  })

  test('a failing purge does not fail the event', async () => {
    const database = open()
    const store = sqliteStore(database)
    await expect(store.runOnce('none', () => Promise.reject(new Error('Only the table.')))).rejects.toThrow()
    database.exec(`
      create trigger refuse before delete on processed_webhook_ids
      begin select raise(abort, 'No disk.'); end`)
    database.exec("insert into processed_webhook_ids values ('old', 0)")
    expect(await store.runOnce('first', async () => {})).toBe(true)
    expect(count(database, 'processed_webhook_ids')).toBe(2)
  })
})
