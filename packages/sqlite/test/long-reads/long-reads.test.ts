import { AsyncLocalStorage } from 'node:async_hooks'
import { execFile } from 'node:child_process'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { ReadOptions } from '@sales-crm/core/ports'
import type { Connection, Statement } from '@sales-crm/sql'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { sqliteStorage } from '../../src/index.ts'
import { LongReads } from '../../src/long-reads/long-reads.ts'
import { addTaskType, createTempPath, readKeys } from '../harness.ts'

const EXITING_WORKER = new URL('./exiting-worker.ts', import.meta.url)
const READ_AND_EXIT = fileURLToPath(new URL('./read-and-exit.ts', import.meta.url))
const LONG_QUERY =
  'with recursive n (i) as (select 1 union all select i + 1 from n where i < 3000000) select max(i) as most from n'

async function openLongReads(thread?: URL) {
  const path = createTempPath()
  const storage = await sqliteStorage({ file: path })
  const errors: unknown[] = []
  const reads = new LongReads(path, (error) => errors.push(error), thread)
  onTestFinished(async () => {
    await Promise.all([reads.close(), storage.close()])
  })
  const runLong = <T>(work: (connection: Connection) => Promise<T>, caller?: ReadOptions['caller']) =>
    reads.run(work, caller)
  return { path, storage, runLong, errors }
}

function queryRows({ query }: Connection, sql: string): ReturnType<Connection['query']> {
  return query({ sql, name: sql, params: [], plan: 'generic' } satisfies Statement, [])
}

test('reads and writes proceed while a report runs', async () => {
  const { storage, runLong } = await openLongReads()
  const events: string[] = []
  const report = runLong((connection) => queryRows(connection, LONG_QUERY)).then((rows) => {
    events.push('reported')
    return rows
  })
  await addTaskType(storage, 'call', 1)
  events.push('written')
  expect(await readKeys(storage)).toEqual(['call'])
  events.push('read')
  expect(await report).toEqual([{ most: 3_000_000 }])
  expect(events).toEqual(['written', 'read', 'reported'])
})

test('a report reads the snapshot at its start, and the next report the later changes', async () => {
  const { storage } = await openLongReads()
  const outside = AsyncLocalStorage.snapshot()
  await storage.read(
    async (tx) => {
      const keys = () => readKeys({ read: (work) => work(tx) })
      expect(await keys()).toEqual([])
      await outside(() => addTaskType(storage, 'call', 1))
      expect(await outside(() => readKeys(storage))).toEqual(['call'])
      expect(await keys()).toEqual([])
    },
    { workload: 'report' },
  )
  expect(await readKeys(storage, { workload: 'report' })).toEqual(['call'])
})

test('a long read cannot write', async () => {
  const { runLong } = await openLongReads()
  await runLong(async (connection) => {
    await queryRows(connection, 'select 1')
    await expect(connection.execute({ sql: '', name: '', params: [], plan: 'generic' }, [])).rejects.toThrow(
      'A long read writes nothing.',
    )
    await expect(queryRows(connection, 'delete from tasks returning id')).rejects.toThrow('readonly database')
  })
})

test('a workspace has one long read at a time, and workspaces take turns', async () => {
  const { runLong } = await openLongReads()
  const events: string[] = []
  const [otherBegan, othersEnded] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const read = (name: string, wait: () => Promise<unknown> = async () => {}) =>
    runLong(
      async () => {
        events.push(`${name} begins`)
        await wait()
        events.push(`${name} ends`)
      },
      { workspaceId: name[0]! },
    )
  const first = read('a1', () => otherBegan.promise)
  const reads = [first, read('a2'), read('a3')]
  // It has the second thread while the others take turns on the first one.
  const other = read('b1', () => {
    otherBegan.resolve()
    return othersEnded.promise
  })
  await Promise.all([...reads, read('c1')])
  othersEnded.resolve()
  await other
  expect(events.filter((event) => !event.startsWith('b'))).toEqual(
    ['a1', 'a2', 'c1', 'a3'].flatMap((name) => [`${name} begins`, `${name} ends`]),
  )
})

test('a read whose caller has gone is not begun, or ends before its next statement', async () => {
  const { runLong } = await openLongReads()
  const caller = new AbortController()
  const statements: string[] = []
  const read = (name: string) =>
    runLong(
      async (connection) => {
        statements.push(`${name} 1`)
        await queryRows(connection, 'select 1')
        caller.abort(new Error('gone'))
        await queryRows(connection, 'select 2')
        statements.push(`${name} 2`)
      },
      { workspaceId: 'a', signal: caller.signal },
    )
  const results = await Promise.allSettled([read('first'), read('second')])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(statements).toEqual(['first 1'])
  expect(await runLong((connection) => queryRows(connection, 'select 1 as one'))).toEqual([{ one: 1 }])
})

test('passes SQLite errors across the thread unchanged, notes them, and continues to serve', async () => {
  const { path, runLong, errors } = await openLongReads()
  const failure = await runLong((connection) => queryRows(connection, 'select * from nowhere')).catch(
    (error: unknown) => error,
  )
  expect(failure).toBeInstanceOf(Database.SqliteError)
  expect(failure).toMatchObject({ code: 'SQLITE_ERROR', message: 'no such table: nowhere' })
  expect(errors).toEqual([failure])
  renameSync(path, `${path}.away`)
  await expect(runLong((connection) => queryRows(connection, 'select 1'))).rejects.toMatchObject({
    code: 'SQLITE_CANTOPEN',
  })
  renameSync(`${path}.away`, path)
  expect(await runLong((connection) => queryRows(connection, 'select 1 as one'))).toEqual([{ one: 1 }])
})

test('reports a damaged file with its error code', async () => {
  const path = createTempPath()
  writeFileSync(path, 'no database, '.repeat(100))
  const errors: unknown[] = []
  const reads = new LongReads(path, (error) => errors.push(error))
  await expect(reads.run((connection) => queryRows(connection, 'select 1'))).rejects.toThrow(
    'is damaged or no SQLite database',
  )
  expect(errors).toMatchObject([{ code: 'SQLITE_NOTADB' }])
  await reads.close()
})

test('reports read the new file after the file is replaced', async () => {
  const { path, storage } = await openLongReads()
  const other = await openLongReads()
  await addTaskType(other.storage, 'other', 2)
  await other.storage.close()
  expect(await readKeys(storage, { workload: 'report' })).toEqual([])
  for (const end of ['-wal', '-shm']) rmSync(path + end, { force: true })
  renameSync(other.path, path)
  expect(await readKeys(storage, { workload: 'report' })).toEqual(['other'])
})

test('a thread that exits fails the queries of its report and is replaced for the next', async () => {
  const { runLong } = await openLongReads(EXITING_WORKER)
  await runLong(async (connection) => {
    for (const sql of ['select 1', 'select 2']) {
      await expect(queryRows(connection, sql)).rejects.toThrow('The thread of a long read ended by itself.')
    }
  })
  expect(await runLong((connection) => queryRows(connection, 'select 1 as one'))).toEqual([{ one: 1 }])
})

test('the process stays alive for a report but not for its idle thread', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [READ_AND_EXIT, createTempPath()])
  expect(stdout).toBe('[]\n')
})
