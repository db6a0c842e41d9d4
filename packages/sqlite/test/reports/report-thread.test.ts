import { AsyncLocalStorage } from 'node:async_hooks'
import { execFile } from 'node:child_process'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Connection, Statement } from '@sales-crm/sql'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { sqliteStorage } from '../../src/index.ts'
import { ReportThread } from '../../src/reports/report-thread.ts'
import { addTaskType, createTempPath, readKeys } from '../harness.ts'

const EXITING_WORKER = new URL('./exiting-worker.ts', import.meta.url)
const REPORT_AND_EXIT = fileURLToPath(new URL('./report-and-exit.ts', import.meta.url))
const LONG_QUERY =
  'with recursive n (i) as (select 1 union all select i + 1 from n where i < 3000000) select max(i) as most from n'

async function openReports(thread?: URL) {
  const path = createTempPath()
  const storage = await sqliteStorage({ file: path })
  const errors: unknown[] = []
  const reports = new ReportThread(path, (error) => errors.push(error), thread)
  onTestFinished(async () => {
    await Promise.all([reports.close(), storage.close()])
  })
  const runReport = <T>(work: (connection: Connection) => Promise<T>) => reports.run(work)
  return { path, storage, runReport, errors }
}

function queryRows({ query }: Connection, sql: string): ReturnType<Connection['query']> {
  return query({ sql, name: sql, params: [], plan: 'generic' } satisfies Statement, [])
}

test('reads and writes proceed while a report runs', async () => {
  const { storage, runReport } = await openReports()
  const events: string[] = []
  const report = runReport((connection) => queryRows(connection, LONG_QUERY)).then((rows) => {
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
  const { storage } = await openReports()
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

test('reports run one at a time and cannot write', async () => {
  const { runReport } = await openReports()
  const events: string[] = []
  await Promise.all(
    ['first', 'second'].map((name) =>
      runReport(async (connection) => {
        events.push(`${name} begins`)
        await queryRows(connection, 'select 1')
        await expect(
          connection.execute({ sql: '', name: '', params: [], plan: 'generic' }, []),
        ).rejects.toThrow('A report writes nothing.')
        await expect(queryRows(connection, 'delete from tasks returning id')).rejects.toThrow(
          'readonly database',
        )
        events.push(`${name} ends`)
      }),
    ),
  )
  expect(events).toEqual(['first begins', 'first ends', 'second begins', 'second ends'])
})

test('passes SQLite errors across the thread unchanged, notes them, and continues to serve', async () => {
  const { path, runReport, errors } = await openReports()
  const failure = await runReport((connection) => queryRows(connection, 'select * from nowhere')).catch(
    (error: unknown) => error,
  )
  expect(failure).toBeInstanceOf(Database.SqliteError)
  expect(failure).toMatchObject({ code: 'SQLITE_ERROR', message: 'no such table: nowhere' })
  expect(errors).toEqual([failure])
  renameSync(path, `${path}.away`)
  await expect(runReport((connection) => queryRows(connection, 'select 1'))).rejects.toMatchObject({
    code: 'SQLITE_CANTOPEN',
  })
  renameSync(`${path}.away`, path)
  expect(await runReport((connection) => queryRows(connection, 'select 1 as one'))).toEqual([{ one: 1 }])
})

test('reports a damaged file with its error code', async () => {
  const path = createTempPath()
  writeFileSync(path, 'no database, '.repeat(100))
  const errors: unknown[] = []
  const reports = new ReportThread(path, (error) => errors.push(error))
  await expect(reports.run((connection) => queryRows(connection, 'select 1'))).rejects.toThrow(
    'is damaged or no SQLite database',
  )
  expect(errors).toMatchObject([{ code: 'SQLITE_NOTADB' }])
  await reports.close()
})

test('reports read the new file after the file is replaced', async () => {
  const { path, storage } = await openReports()
  const other = await openReports()
  await addTaskType(other.storage, 'other', 2)
  await other.storage.close()
  expect(await readKeys(storage, { workload: 'report' })).toEqual([])
  for (const end of ['-wal', '-shm']) rmSync(path + end, { force: true })
  renameSync(other.path, path)
  expect(await readKeys(storage, { workload: 'report' })).toEqual(['other'])
})

test('a thread that exits fails the queries of its report and is replaced for the next', async () => {
  const { runReport } = await openReports(EXITING_WORKER)
  await runReport(async (connection) => {
    for (const sql of ['select 1', 'select 2']) {
      await expect(queryRows(connection, sql)).rejects.toThrow(
        'The thread that reads for reports ended by itself.',
      )
    }
  })
  expect(await runReport((connection) => queryRows(connection, 'select 1 as one'))).toEqual([{ one: 1 }])
})

test('the process stays alive for a report but not for its idle thread', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [REPORT_AND_EXIT, createTempPath()])
  expect(stdout).toBe('[]\n')
})
