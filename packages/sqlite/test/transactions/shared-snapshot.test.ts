import { statSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import type { Statement } from '@sales-crm/sql'
import type Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { openDatabaseFiles } from '../../src/files/database-files.ts'
import { createGroupCommit } from '../../src/transactions/group-commit.ts'
import { createSharedSnapshot } from '../../src/transactions/shared-snapshot.ts'
import { createTempPath } from '../harness.ts'

function openSharedSnapshot() {
  const path = createTempPath()
  const files = openDatabaseFiles(path)
  files.writer().db.exec('create table notes (text text not null)')
  const reads = createSharedSnapshot(files)
  const { transact } = createGroupCommit(files, reads.end)
  const begun: number[] = []
  const { execute } = files.reader()
  Object.assign(files.reader(), {
    execute(step: Parameters<typeof execute>[0]) {
      if (step === 'begin') begun.push(begun.length)
      execute(step)
    },
  })
  return {
    path,
    begun,
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

test('reads of one turn share a transaction, which is over with the turn', async () => {
  const { begun, reads, reader, close } = openSharedSnapshot()
  const read = () => reads.read(async ({ db: file }) => readNotes(file))
  await Promise.all([read(), read(), read().then(read)])
  expect(begun).toHaveLength(1)
  await setImmediate()
  expect(reader.inTransaction).toBe(false)
  await read()
  expect(begun).toHaveLength(2)
  close()
})

test('a read sees what was committed before it began, in the same turn too', async () => {
  const { reads, add, close } = openSharedSnapshot()
  const read = () => reads.read(async ({ db: file }) => readNotes(file))
  const courses = Array.from({ length: 20 }, async (_, nth) => {
    // Somebody reads while it is not committed yet.
    await add(String(nth), read)
    expect(await read()).toContain(String(nth))
  })
  await Promise.all(courses)
  close()
})

test('a read that takes many turns sees one moment, and the next sees what was committed meanwhile', async () => {
  const { reads, add, close } = openSharedSnapshot()
  await add('before')
  const long = reads.read(async ({ db: file }) => {
    const seen = [readNotes(file)]
    for (let turn = 0; turn < 3; turn += 1) {
      await add(`meanwhile ${turn}`)
      await setImmediate()
      seen.push(readNotes(file))
    }
    return seen
  })
  const next = reads.read(async ({ db: file }) => readNotes(file))
  expect(await long).toEqual([['before'], ['before'], ['before'], ['before']])
  expect(await next).toEqual(['before', 'meanwhile 0', 'meanwhile 1', 'meanwhile 2'])
  close()
})

test('a read that fails ends what it shared, and the next is none the worse', async () => {
  const { begun, reads, reader, close } = openSharedSnapshot()
  await expect(reads.read(() => Promise.reject(new Error('No.')))).rejects.toThrow('No.')
  expect(reader.inTransaction).toBe(false)
  expect(await reads.read(async ({ db: file }) => readNotes(file))).toEqual([])
  expect(begun).toHaveLength(2)
  close()
})

test('what is looked up by its keys is looked up once a turn, and anew after a commit; a question is asked each time', async () => {
  const { reads, reader, add, close } = openSharedSnapshot()
  const asked: string[] = []
  reader.function('asked', (what) => asked.push(String(what)))
  const count = {
    name: 'count',
    sql: 'select count(*) as notes, asked(?) from notes',
    params: ['what'],
    plan: 'generic',
  } as const
  const lookUp = { ...count, name: 'look up', isKeyLookup: true }
  const read = (statement: Statement, what: string) =>
    reads.read(async (_, query) => (await query(statement, [what])).map(({ notes }) => notes))
  expect(await Promise.all([read(lookUp, 'a'), read(lookUp, 'a'), read(lookUp, 'b')])).toEqual([
    [0],
    [0],
    [0],
  ])
  expect(asked.splice(0)).toEqual(['a', 'b'])
  await add('one', () => read(lookUp, 'a'))
  expect(await read(lookUp, 'a')).toEqual([1])
  expect(asked.splice(0)).toEqual(['a', 'a'])
  await Promise.all([read(count, 'a'), read(count, 'a')])
  expect(asked).toEqual(['a', 'a'])
  close()
})

test('where reads never rest, the log is emptied into the file all the same', async () => {
  const { path, reads, add, close } = openSharedSnapshot()
  let isOver = false
  const reading = (async () => {
    while (!isOver) {
      await reads.read(async ({ db: file }) => readNotes(file).length)
      await setImmediate()
    }
  })()
  for (let nth = 0; nth < 60; nth += 1) await add('x'.repeat(1_000_000))
  isOver = true
  await reading
  expect(statSync(`${path}-wal`).size).toBeLessThan(30_000_000)
  close()
})
