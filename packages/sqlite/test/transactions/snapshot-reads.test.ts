import { statSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import type { Connection, Statement } from '@sales-crm/sql'
import { expect, test } from 'vitest'
import { DatabaseFiles } from '../../src/files/database-files.ts'
import { GroupCommit } from '../../src/transactions/group-commit.ts'
import { SnapshotReads } from '../../src/transactions/snapshot-reads.ts'
import { createTempPath } from '../harness.ts'

const NOTES: Statement = { name: 'notes', sql: 'select text from notes', params: [], plan: 'generic' }

function openNotes() {
  const path = createTempPath()
  const files = new DatabaseFiles(path)
  files.writer().db.exec('create table notes (text text not null)')
  const reads = new SnapshotReads(files)
  const group = new GroupCommit(files)
  return {
    path,
    reads,
    reader: files.reader().db,
    add: (text: string, meanwhile = async (): Promise<unknown> => undefined) =>
      group.transact(async () => {
        files.writer().db.prepare('insert into notes values (?)').run(text)
        await meanwhile()
      }),
    close: () => files.close(),
  }
}

async function readNotes({ query }: Connection): Promise<unknown[]> {
  return (await query(NOTES, [])).map(({ text }) => text)
}

test('a read sees every commit before its start, even in the same turn', async () => {
  const { reads, add, close } = openNotes()
  const read = () => reads.read(readNotes)
  const writes = Array.from({ length: 20 }, async (_, nth) => {
    // Reads while the write is uncommitted.
    await add(String(nth), read)
    expect(await read()).toContain(String(nth))
  })
  await Promise.all(writes)
  close()
})

test('a read over several turns sees one snapshot, and the next read sees later commits', async () => {
  const { reads, add, close } = openNotes()
  await add('before')
  const long = reads.read(async (connection) => {
    const snapshots = [await readNotes(connection)]
    for (let turn = 0; turn < 3; turn += 1) {
      await add(`meanwhile ${turn}`)
      await setImmediate()
      snapshots.push(await readNotes(connection))
    }
    return snapshots
  })
  const next = reads.read(readNotes)
  expect(await long).toEqual([['before'], ['before'], ['before'], ['before']])
  expect(await next).toEqual(['before', 'meanwhile 0', 'meanwhile 1', 'meanwhile 2'])
  close()
})

test('a failed read ends its transaction without affecting the next read', async () => {
  const { reads, reader, close } = openNotes()
  await expect(reads.read(() => Promise.reject(new Error('No.')))).rejects.toThrow('No.')
  expect(reader.inTransaction).toBe(false)
  expect(await reads.read(readNotes)).toEqual([])
  close()
})

test('checkpoints the log even if reads never pause', async () => {
  const { path, reads, add, close } = openNotes()
  let isDone = false
  const reading = (async () => {
    while (!isDone) {
      await reads.read(readNotes)
      await setImmediate()
    }
  })()
  for (let nth = 0; nth < 60; nth += 1) await add('x'.repeat(1_000_000))
  isDone = true
  await reading
  expect(statSync(`${path}-wal`).size).toBeLessThan(30_000_000)
  close()
})
