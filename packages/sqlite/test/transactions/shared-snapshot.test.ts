import { statSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import type { Statement } from '@sales-crm/sql'
import type Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { DatabaseFiles } from '../../src/files/database-files.ts'
import { createGroupCommit } from '../../src/transactions/group-commit.ts'
import { createSharedSnapshot } from '../../src/transactions/shared-snapshot.ts'
import { createTempPath } from '../harness.ts'

function openSharedSnapshot() {
  const path = createTempPath()
  const files = new DatabaseFiles(path)
  files.writer().db.exec('create table notes (text text not null)')
  const reads = createSharedSnapshot(files)
  const { transact } = createGroupCommit(files, reads.end)
  const begins: number[] = []
  const { execute } = files.reader()
  Object.assign(files.reader(), {
    execute(step: Parameters<typeof execute>[0]) {
      if (step === 'begin') begins.push(begins.length)
      execute(step)
    },
  })
  return {
    path,
    begins,
    reads,
    reader: files.reader().db,
    add: (text: string, meanwhile = async (): Promise<unknown> => undefined) =>
      transact(async () => {
        files.writer().db.prepare('insert into notes values (?)').run(text)
        await meanwhile()
      }),
    close: () => files.close(),
  }
}

function readNotes(file: Database.Database): unknown[] {
  return file.prepare('select text from notes').pluck().all()
}

test('reads of one event-loop turn share a transaction that ends with the turn', async () => {
  const { begins, reads, reader, close } = openSharedSnapshot()
  const read = () => reads.read(async ({ db: file }) => readNotes(file))
  await Promise.all([read(), read(), read().then(read)])
  expect(begins).toHaveLength(1)
  await setImmediate()
  expect(reader.inTransaction).toBe(false)
  await read()
  expect(begins).toHaveLength(2)
  close()
})

test('a read sees every commit before its start, even in the same turn', async () => {
  const { reads, add, close } = openSharedSnapshot()
  const read = () => reads.read(async ({ db: file }) => readNotes(file))
  const writes = Array.from({ length: 20 }, async (_, nth) => {
    // Reads while the write is uncommitted.
    await add(String(nth), read)
    expect(await read()).toContain(String(nth))
  })
  await Promise.all(writes)
  close()
})

test('a read over several turns sees one snapshot, and the next read sees later commits', async () => {
  const { reads, add, close } = openSharedSnapshot()
  await add('before')
  const long = reads.read(async ({ db: file }) => {
    const snapshots = [readNotes(file)]
    for (let turn = 0; turn < 3; turn += 1) {
      await add(`meanwhile ${turn}`)
      await setImmediate()
      snapshots.push(readNotes(file))
    }
    return snapshots
  })
  const next = reads.read(async ({ db: file }) => readNotes(file))
  expect(await long).toEqual([['before'], ['before'], ['before'], ['before']])
  expect(await next).toEqual(['before', 'meanwhile 0', 'meanwhile 1', 'meanwhile 2'])
  close()
})

test('a failed read ends the shared transaction without affecting the next read', async () => {
  const { begins, reads, reader, close } = openSharedSnapshot()
  await expect(reads.read(() => Promise.reject(new Error('No.')))).rejects.toThrow('No.')
  expect(reader.inTransaction).toBe(false)
  expect(await reads.read(async ({ db: file }) => readNotes(file))).toEqual([])
  expect(begins).toHaveLength(2)
  close()
})

test('key lookups are cached per turn and repeated after a commit; other queries always run', async () => {
  const { reads, reader, add, close } = openSharedSnapshot()
  const executions: string[] = []
  reader.function('record_execution', (id) => executions.push(String(id)))
  const count = {
    name: 'count',
    sql: 'select count(*) as notes, record_execution(?) from notes',
    params: ['id'],
    plan: 'generic',
  } as const
  const lookUp = { ...count, name: 'look up', isKeyLookup: true }
  const read = (statement: Statement, id: string) =>
    reads.read(async (_, query) => (await query(statement, [id])).map(({ notes }) => notes))
  expect(await Promise.all([read(lookUp, 'a'), read(lookUp, 'a'), read(lookUp, 'b')])).toEqual([
    [0],
    [0],
    [0],
  ])
  expect(executions.splice(0)).toEqual(['a', 'b'])
  await add('one', () => read(lookUp, 'a'))
  expect(await read(lookUp, 'a')).toEqual([1])
  expect(executions.splice(0)).toEqual(['a', 'a'])
  await Promise.all([read(count, 'a'), read(count, 'a')])
  expect(executions).toEqual(['a', 'a'])
  close()
})

test('checkpoints the log even if reads never pause', async () => {
  const { path, reads, add, close } = openSharedSnapshot()
  let isDone = false
  const reading = (async () => {
    while (!isDone) {
      await reads.read(async ({ db: file }) => readNotes(file).length)
      await setImmediate()
    }
  })()
  for (let nth = 0; nth < 60; nth += 1) await add('x'.repeat(1_000_000))
  isDone = true
  await reading
  expect(statSync(`${path}-wal`).size).toBeLessThan(30_000_000)
  close()
})
