import { execFile } from 'node:child_process'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Connection, Statement } from '@sales-crm/sql'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { sqliteStorage } from '../src/index.ts'
import { surveys } from '../src/surveys.ts'
import { add, freshPath, keysIn } from './harness.ts'

const ENDS_WHILE_READING = new URL('./threads/ends-while-reading.ts', import.meta.url)
const SURVEY_AND_GO = fileURLToPath(new URL('./survey-and-go.ts', import.meta.url))
const LONG = 'with recursive n (i) as (select 1 union all select i + 1 from n where i < 3000000) select max(i) as most from n'

async function opened(thread?: URL) {
  const path = freshPath()
  const storage = await sqliteStorage({ file: path })
  const noted: unknown[] = []
  const { survey, close } = surveys(path, (error) => noted.push(error), thread)
  onTestFinished(async () => {
    await Promise.all([close(), storage.close()])
  })
  return { path, storage, survey, noted }
}

function rows({ rows }: Connection, sql: string): ReturnType<Connection['rows']> {
  return rows({ sql, name: sql, args: [], planned: 'once' } satisfies Statement, [])
}

test('while a survey reads, others read and write', async () => {
  const { storage, survey } = await opened()
  const events: string[] = []
  const surveyed = survey((connection) => rows(connection, LONG)).then((found) => {
    events.push('surveyed')
    return found
  })
  await add(storage, 'call', 1)
  events.push('written')
  expect(await keysIn(storage)).toEqual(['call'])
  events.push('read')
  expect(await surveyed).toEqual([{ most: 3_000_000 }])
  expect(events).toEqual(['written', 'read', 'surveyed'])
})

test('a survey sees what was there when it began, and the next one what came meanwhile', async () => {
  const { storage } = await opened()
  await storage.survey(async (tx) => {
    const keys = () => keysIn({ read: (work) => work(tx) })
    expect(await keys()).toEqual([])
    await add(storage, 'call', 1)
    expect(await keysIn(storage)).toEqual(['call'])
    expect(await keys()).toEqual([])
  })
  expect(await keysIn({ read: storage.survey })).toEqual(['call'])
})

test('surveys go one after another, and none writes', async () => {
  const { survey } = await opened()
  const events: string[] = []
  await Promise.all(
    ['first', 'second'].map((name) =>
      survey(async (connection) => {
        events.push(`${name} begins`)
        await rows(connection, 'select 1')
        await expect(connection.run({ sql: '', name: '', args: [], planned: 'once' }, [])).rejects.toThrow('A survey writes nothing.')
        await expect(rows(connection, 'delete from tasks returning id')).rejects.toThrow('readonly database')
        events.push(`${name} ends`)
      }),
    ),
  )
  expect(events).toEqual(['first begins', 'first ends', 'second begins', 'second ends'])
})

test('what SQLite fails with comes across as itself, is noted, and hinders no other', async () => {
  const { path, survey, noted } = await opened()
  const failure = await survey((connection) => rows(connection, 'select * from nowhere')).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(Database.SqliteError)
  expect(failure).toMatchObject({ code: 'SQLITE_ERROR', message: 'no such table: nowhere' })
  expect(noted).toEqual([failure])
  renameSync(path, `${path}.away`)
  await expect(survey((connection) => rows(connection, 'select 1'))).rejects.toMatchObject({ code: 'SQLITE_CANTOPEN' })
  renameSync(`${path}.away`, path)
  expect(await survey((connection) => rows(connection, 'select 1 as one'))).toEqual([{ one: 1 }])
})

test('a damaged file is told of by its code too', async () => {
  const path = freshPath()
  writeFileSync(path, 'no database, '.repeat(100))
  const noted: unknown[] = []
  const { survey, close } = surveys(path, (error) => noted.push(error))
  await expect(survey((connection) => rows(connection, 'select 1'))).rejects.toThrow('is damaged or no SQLite database')
  expect(noted).toMatchObject([{ code: 'SQLITE_NOTADB' }])
  await close()
})

test('a file that takes the place of another is the one that is surveyed', async () => {
  const { path, storage } = await opened()
  const other = await opened()
  await add(other.storage, 'other', 2)
  await other.storage.close()
  expect(await keysIn({ read: storage.survey })).toEqual([])
  for (const end of ['-wal', '-shm']) rmSync(path + end, { force: true })
  renameSync(other.path, path)
  expect(await keysIn({ read: storage.survey })).toEqual(['other'])
})

test('a thread that ends fails what its survey asks and is replaced for the next', async () => {
  const { survey } = await opened(ENDS_WHILE_READING)
  await survey(async (connection) => {
    for (const sql of ['select 1', 'select 2']) {
      await expect(rows(connection, sql)).rejects.toThrow('The thread that reads for reports ended by itself.')
    }
  })
  expect(await survey((connection) => rows(connection, 'select 1 as one'))).toEqual([{ one: 1 }])
})

test('a process stays for its survey, and not for the thread', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [SURVEY_AND_GO, freshPath()])
  expect(stdout).toBe('[]\n')
})
