import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { type DatabaseFiles, openDatabaseFiles } from '../../src/files/database-files.ts'
import { sqliteStorage } from '../../src/index.ts'
import { createGroupCommit } from '../../src/transactions/group-commit.ts'
import { createTempPath } from '../harness.ts'

const MIB = 1_048_576
const NO_ROOM = /^The disk of the database was full, and fewer than 16 MiB are left\. Make room\.$/

/** @param room bytes that are left on the disk; without it, as many as there are */
async function openProbe(room?: () => number) {
  const path = createTempPath()
  await (await sqliteStorage({ file: path })).close()
  const opened = openDatabaseFiles(path)
  const failing: string[] = []
  const files: DatabaseFiles = {
    ...opened,
    ...(room && { freeBytes: room }),
    writer() {
      const connection = opened.writer()
      const run: typeof connection.execute = (step) => {
        const code = step === 'commit' ? failing.shift() : undefined
        if (code) throw new Database.SqliteError('disk I/O error', code)
        connection.execute(step)
      }
      return { ...connection, execute: run }
    },
  }
  opened.writer().db.exec('create table notes (body text)')
  const { transact, probe } = createGroupCommit(files)
  const refused = (code: string) => transact(() => Promise.reject(new Database.SqliteError('refused', code)))
  const insert = (body: string) =>
    transact(async () => opened.writer().db.prepare('insert into notes (body) values (?)').run(body))
  let seen = 0
  /** Whether a write has gone through since this was asked last. */
  const wrote = () => {
    const before = seen
    seen = opened.reader().db.pragma('data_version', { simple: true }) as number
    return seen !== before
  }
  wrote()
  /** That many commits to come fail. */
  const failCommits = (...codes: string[]) => failing.push(...codes)
  /** A write that needs more than there is, to the file itself. */
  async function fill(): Promise<void> {
    const { db: file } = opened.writer()
    file.pragma(`max_page_count = ${file.pragma('page_count', { simple: true })}`)
    await expect(insert('x'.repeat(20_000))).rejects.toMatchObject({ code: 'SQLITE_FULL' })
  }
  return { probe, refused, insert, wrote, failCommits, fill }
}

test('as long as no write has failed, to ask whether one would writes nothing', async () => {
  const { probe, refused, wrote } = await openProbe()
  await expect(refused('SQLITE_CONSTRAINT_UNIQUE')).rejects.toThrow('refused')
  await probe()
  expect(wrote()).toBe(false)
})

test('after a write has failed it writes, once', async () => {
  const { probe, refused, wrote } = await openProbe()
  await expect(refused('SQLITE_IOERR_WRITE')).rejects.toThrow('refused')
  await probe()
  expect(wrote()).toBe(true)
  await probe()
  expect(wrote()).toBe(false)
})

test('an answer that came without a write does not speak for what failed beside it', async () => {
  const { probe, refused, wrote } = await openProbe()
  const asked = probe()
  await Promise.allSettled([asked, refused('SQLITE_IOERR_WRITE')])
  expect(wrote()).toBe(false)
  await probe()
  expect(wrote()).toBe(true)
})

test('a write that fails itself leaves everything as it was, until one goes through', async () => {
  const { probe, failCommits, insert, wrote } = await openProbe()
  failCommits('SQLITE_IOERR_FSYNC', 'SQLITE_IOERR_FSYNC', 'SQLITE_IOERR_FSYNC')
  await expect(insert('lost')).rejects.toThrow('disk I/O error')
  await expect(probe()).rejects.toThrow('disk I/O error')
  await expect(probe()).rejects.toThrow('disk I/O error')
  expect(wrote()).toBe(false)
  await Promise.all([probe(), probe()])
  expect(wrote()).toBe(true)
})

test('a disk that was full is trusted once there is room for more than the one page that is tried', async () => {
  let room = 4096
  const { probe, fill, wrote } = await openProbe(() => room)
  await fill()
  await expect(probe()).rejects.toThrow(NO_ROOM)
  room = 16 * MIB - 1
  await expect(probe()).rejects.toThrow(NO_ROOM)
  expect(wrote()).toBe(false)
  room = 16 * MIB
  await probe()
  expect(wrote()).toBe(true)
  room = 0
  await probe()
})

test('a small write that finds its place says nothing of the room for others', async () => {
  const { probe, fill, insert } = await openProbe(() => 4096)
  await fill()
  await insert('small')
  await expect(probe()).rejects.toThrow(NO_ROOM)
})

test('what keeps others from writing on a full disk keeps nobody else in its group from it', async () => {
  const { probe, fill, insert, wrote } = await openProbe(() => 0)
  await fill()
  const [neighbour, asked] = await Promise.allSettled([insert('small'), probe()])
  expect([neighbour.status, asked.status, wrote()]).toEqual(['fulfilled', 'rejected', true])
})

test.each([
  ['SQLITE_IOERR_FSYNC', false],
  ['SQLITE_IOERR_SHMSIZE', false],
  ['SQLITE_FULL', false],
  ['SQLITE_BUSY', true],
  ['SQLITE_READONLY', true],
])('after %s, on a disk with little room, the service is ready: %s', async (code, isReady) => {
  const { probe, refused } = await openProbe(() => 0)
  await expect(refused(code)).rejects.toThrow('refused')
  const [asked] = await Promise.allSettled([probe()])
  expect(asked.status === 'fulfilled').toBe(isReady)
})

test('on a disk with room a database that was full is ready again after one write', async () => {
  const { probe, fill, wrote } = await openProbe()
  await fill()
  await probe()
  expect(wrote()).toBe(true)
})
