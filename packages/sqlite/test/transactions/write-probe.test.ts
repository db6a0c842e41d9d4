import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { DatabaseFiles } from '../../src/files/database-files.ts'
import { sqliteStorage } from '../../src/index.ts'
import { GroupCommit, type WriterFiles } from '../../src/transactions/group-commit.ts'
import { createTempPath } from '../harness.ts'

const MIB = 1_048_576
const NO_ROOM = /^The disk of the database was full, and fewer than 16 MiB are left\. Make room\.$/

/** @param freeBytes free bytes on the disk; the real number by default */
async function openProbe(freeBytes?: () => number) {
  const path = createTempPath()
  await (await sqliteStorage({ file: path })).close()
  const opened = new DatabaseFiles(path)
  const failing: string[] = []
  const files: WriterFiles = {
    noteError: (error) => opened.noteError(error),
    assertLogKept: () => opened.assertLogKept(),
    isLogLong: () => false,
    checkpoint: () => {},
    freeBytes: freeBytes ?? (() => opened.freeBytes()),
    writer() {
      const connection = opened.writer()
      const execute: typeof connection.execute = (step) => {
        const code = step === 'commit' ? failing.shift() : undefined
        if (code) throw new Database.SqliteError('disk I/O error', code)
        connection.execute(step)
      }
      return { ...connection, execute }
    },
  }
  opened.writer().db.exec('create table notes (body text)')
  const group = new GroupCommit(files)
  const transact: typeof group.transact = (work) => group.transact(work)
  const probe = () => group.probe()
  const failWith = (code: string) => transact(() => Promise.reject(new Database.SqliteError('failed', code)))
  const insert = (body: string) =>
    transact(async () => opened.writer().db.prepare('insert into notes (body) values (?)').run(body))
  let lastVersion = 0
  /** Returns whether a write was committed since the previous call. */
  const hasWritten = () => {
    const before = lastVersion
    lastVersion = opened.reader().db.pragma('data_version', { simple: true }) as number
    return lastVersion !== before
  }
  hasWritten()
  /** Fails one upcoming commit per code. */
  const failCommits = (...codes: string[]) => failing.push(...codes)
  /** Fills the file with a write larger than its limit. */
  async function fill(): Promise<void> {
    const { db: file } = opened.writer()
    file.pragma(`max_page_count = ${file.pragma('page_count', { simple: true })}`)
    await expect(insert('x'.repeat(20_000))).rejects.toMatchObject({ code: 'SQLITE_FULL' })
  }
  return { probe, failWith, insert, hasWritten, failCommits, fill }
}

test('a probe writes nothing as long as no write has failed', async () => {
  const { probe, failWith, hasWritten } = await openProbe()
  await expect(failWith('SQLITE_CONSTRAINT_UNIQUE')).rejects.toThrow('failed')
  await probe()
  expect(hasWritten()).toBe(false)
})

test('a probe after a failed write writes once', async () => {
  const { probe, failWith, hasWritten } = await openProbe()
  await expect(failWith('SQLITE_IOERR_WRITE')).rejects.toThrow('failed')
  await probe()
  expect(hasWritten()).toBe(true)
  await probe()
  expect(hasWritten()).toBe(false)
})

test('a probe answered without a write does not cover a concurrent failure', async () => {
  const { probe, failWith, hasWritten } = await openProbe()
  const probing = probe()
  await Promise.allSettled([probing, failWith('SQLITE_IOERR_WRITE')])
  expect(hasWritten()).toBe(false)
  await probe()
  expect(hasWritten()).toBe(true)
})

test('a failed probe keeps probing until a write succeeds', async () => {
  const { probe, failCommits, insert, hasWritten } = await openProbe()
  failCommits('SQLITE_IOERR_FSYNC', 'SQLITE_IOERR_FSYNC', 'SQLITE_IOERR_FSYNC')
  await expect(insert('lost')).rejects.toThrow('disk I/O error')
  await expect(probe()).rejects.toThrow('disk I/O error')
  await expect(probe()).rejects.toThrow('disk I/O error')
  expect(hasWritten()).toBe(false)
  await Promise.all([probe(), probe()])
  expect(hasWritten()).toBe(true)
})

test('a full disk counts as recovered only with space for more than one page', async () => {
  let freeBytes = 4096
  const { probe, fill, hasWritten } = await openProbe(() => freeBytes)
  await fill()
  await expect(probe()).rejects.toThrow(NO_ROOM)
  freeBytes = 16 * MIB - 1
  await expect(probe()).rejects.toThrow(NO_ROOM)
  expect(hasWritten()).toBe(false)
  freeBytes = 16 * MIB
  await probe()
  expect(hasWritten()).toBe(true)
  freeBytes = 0
  await probe()
})

test('a small successful write does not count as recovery of a full disk', async () => {
  const { probe, fill, insert } = await openProbe(() => 4096)
  await fill()
  await insert('small')
  await expect(probe()).rejects.toThrow(NO_ROOM)
})

test('a failed probe on a full disk does not fail other transactions of its group', async () => {
  const { probe, fill, insert, hasWritten } = await openProbe(() => 0)
  await fill()
  const [neighbour, probed] = await Promise.allSettled([insert('small'), probe()])
  expect([neighbour.status, probed.status, hasWritten()]).toEqual(['fulfilled', 'rejected', true])
})

test.each([
  ['SQLITE_IOERR_FSYNC', false],
  ['SQLITE_IOERR_SHMSIZE', false],
  ['SQLITE_FULL', false],
  ['SQLITE_BUSY', true],
  ['SQLITE_READONLY', true],
])('after %s on a nearly full disk, readiness is %s', async (code, isReady) => {
  const { probe, failWith } = await openProbe(() => 0)
  await expect(failWith(code)).rejects.toThrow('failed')
  const [probed] = await Promise.allSettled([probe()])
  expect(probed.status === 'fulfilled').toBe(isReady)
})

test('on a disk with free space, a database that was full is ready after one write', async () => {
  const { probe, fill, hasWritten } = await openProbe()
  await fill()
  await probe()
  expect(hasWritten()).toBe(true)
})
