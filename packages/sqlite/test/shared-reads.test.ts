import { statSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import type { Statement } from '@sales-crm/sql'
import type Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { openFiles } from '../src/files.ts'
import { groupCommit } from '../src/group-commit.ts'
import { sharedReads } from '../src/shared-reads.ts'
import { freshPath } from './harness.ts'

function opened() {
  const path = freshPath()
  const files = openFiles(path)
  files.writer().file.exec('create table notes (text text not null)')
  const reads = sharedReads(files)
  const { transact } = groupCommit(files, reads.end)
  const begun: number[] = []
  const { run } = files.reader()
  Object.assign(files.reader(), {
    run(step: Parameters<typeof run>[0]) {
      if (step === 'begin') begun.push(begun.length)
      run(step)
    },
  })
  return {
    path,
    begun,
    reads,
    reader: files.reader().file,
    add: (text: string, meanwhile = async (): Promise<unknown> => undefined) =>
      transact(async () => {
        files.writer().file.prepare('insert into notes values (?)').run(text)
        await meanwhile()
      }),
    close: () => files.close(),
  }
}

function notesIn(file: Database.Database): unknown[] {
  return file.prepare('select text from notes').pluck().all()
}

test('reads of one turn share a transaction, which is over with the turn', async () => {
  const { begun, reads, reader, close } = opened()
  const read = () => reads.read(async ({ file }) => notesIn(file))
  await Promise.all([read(), read(), read().then(read)])
  expect(begun).toHaveLength(1)
  await setImmediate()
  expect(reader.inTransaction).toBe(false)
  await read()
  expect(begun).toHaveLength(2)
  close()
})

test('a read sees what was committed before it began, in the same turn too', async () => {
  const { reads, add, close } = opened()
  const read = () => reads.read(async ({ file }) => notesIn(file))
  const courses = Array.from({ length: 20 }, async (_, nth) => {
    // Somebody reads while it is not committed yet.
    await add(String(nth), read)
    expect(await read()).toContain(String(nth))
  })
  await Promise.all(courses)
  close()
})

test('a read that takes many turns sees one moment, and the next sees what was committed meanwhile', async () => {
  const { reads, add, close } = opened()
  await add('before')
  const long = reads.read(async ({ file }) => {
    const seen = [notesIn(file)]
    for (let turn = 0; turn < 3; turn += 1) {
      await add(`meanwhile ${turn}`)
      await setImmediate()
      seen.push(notesIn(file))
    }
    return seen
  })
  const next = reads.read(async ({ file }) => notesIn(file))
  expect(await long).toEqual([['before'], ['before'], ['before'], ['before']])
  expect(await next).toEqual(['before', 'meanwhile 0', 'meanwhile 1', 'meanwhile 2'])
  close()
})

test('a read that fails ends what it shared, and the next is none the worse', async () => {
  const { begun, reads, reader, close } = opened()
  await expect(reads.read(() => Promise.reject(new Error('No.')))).rejects.toThrow('No.')
  expect(reader.inTransaction).toBe(false)
  expect(await reads.read(async ({ file }) => notesIn(file))).toEqual([])
  expect(begun).toHaveLength(2)
  close()
})

test('what is looked up by its keys is looked up once a turn, and anew after a commit; a question is asked each time', async () => {
  const { reads, reader, add, close } = opened()
  const asked: string[] = []
  reader.function('asked', (what) => asked.push(String(what)))
  const count = { name: 'count', sql: 'select count(*) as notes, asked(?) from notes', args: ['what'], planned: 'once' } as const
  const lookUp = { ...count, name: 'look up', looksUp: true }
  const read = (statement: Statement, what: string) =>
    reads.read(async (_, rows) => (await rows(statement, [what])).map(({ notes }) => notes))
  expect(await Promise.all([read(lookUp, 'a'), read(lookUp, 'a'), read(lookUp, 'b')])).toEqual([[0], [0], [0]])
  expect(asked.splice(0)).toEqual(['a', 'b'])
  await add('one', () => read(lookUp, 'a'))
  expect(await read(lookUp, 'a')).toEqual([1])
  expect(asked.splice(0)).toEqual(['a', 'a'])
  await Promise.all([read(count, 'a'), read(count, 'a')])
  expect(asked).toEqual(['a', 'a'])
  close()
})

test('where reads never rest, the log is emptied into the file all the same', async () => {
  const { path, reads, add, close } = opened()
  let isOver = false
  const reading = (async () => {
    while (!isOver) {
      await reads.read(async ({ file }) => notesIn(file).length)
      await setImmediate()
    }
  })()
  for (let nth = 0; nth < 60; nth += 1) await add('x'.repeat(1_000_000))
  isOver = true
  await reading
  expect(statSync(`${path}-wal`).size).toBeLessThan(30_000_000)
  close()
})
