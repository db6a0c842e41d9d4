import {
  copyFileSync,
  existsSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test, vi } from 'vitest'
import { LogFiles } from '../../src/files/log-files.ts'
import { sqliteStorage } from '../../src/index.ts'
import { addTaskType, createTempPath, readKeys, WORKSPACE } from '../harness.ts'

/** Ways to take the log from under the connections. */
const REMOVALS = {
  'is removed': (path: string) => rmSync(`${path}-wal`),
  'and its index are removed': (path: string) => {
    rmSync(`${path}-wal`)
    rmSync(`${path}-shm`)
  },
  'is moved away': (path: string) => renameSync(`${path}-wal`, `${path}-elsewhere`),
  'has its index removed': (path: string) => rmSync(`${path}-shm`),
  'is replaced by an empty file': (path: string) => replaceLog(path, ''),
  'is replaced by another file': (path: string) => replaceLog(path, 'another file'),
}

function replaceLog(path: string, content: string): void {
  writeFileSync(`${path}-new`, content)
  renameSync(`${path}-new`, `${path}-wal`)
}

async function openStorage() {
  const path = createTempPath()
  const notices: string[] = []
  const storage = await sqliteStorage({ file: path, onWarning: (message) => notices.push(message) })
  onTestFinished(() => storage.close())
  await addTaskType(storage, 'first', 1)
  return { path, storage, notices }
}

/** Returns what a process would find after this one was killed now. */
async function readAfterKill(path: string): Promise<string[]> {
  const copy = `${createTempPath()}`
  for (const suffix of ['', '-wal']) if (existsSync(path + suffix)) copyFileSync(path + suffix, copy + suffix)
  const storage = await sqliteStorage({ file: copy })
  try {
    expect(storage.quickCheck()).toEqual([])
    return await readKeys(storage)
  } finally {
    await storage.close()
  }
}

test.each(Object.entries(REMOVALS))(
  'a log that %s is saved before the next acknowledgment',
  async (_, remove) => {
    const { path, storage, notices } = await openStorage()
    remove(path)
    await addTaskType(storage, 'second', 2)
    expect(await readAfterKill(path)).toEqual(['first', 'second'])
    expect(await readKeys(storage)).toEqual(['first', 'second'])
    await storage.check()
    expect(notices).toEqual([
      expect.stringMatching(
        /^The log .*-wal was removed or replaced while in use\. Its content was saved in /,
      ),
    ])
  },
)

test.each(Object.entries(REMOVALS))('a log that %s during a transaction is saved', async (_, remove) => {
  const { path, storage } = await openStorage()
  await storage.transact(async (tx) => {
    await tx.workspace(WORKSPACE).task_types.find([])
    remove(path)
  })
  await Promise.all([addTaskType(storage, 'second', 2), storage.transact(async () => remove(path))])
  expect(await readAfterKill(path)).toEqual(['first', 'second'])
  await addTaskType(storage, 'third', 3)
  expect(await readAfterKill(path)).toEqual(['first', 'second', 'third'])
})

test.each(Object.entries(REMOVALS))('reading suffices to save a log that %s', async (_, remove) => {
  const { path, storage } = await openStorage()
  remove(path)
  await vi.waitFor(async () => {
    expect(await readKeys(storage)).toEqual(['first'])
    expect(await readAfterKill(path)).toEqual(['first'])
  })
})

test('a file in place of the log is moved aside and never read', async () => {
  const { path, storage, notices } = await openStorage()
  REMOVALS['is replaced by another file'](path)
  await addTaskType(storage, 'second', 2)
  const strays = readdirSync(dirname(path)).filter((name) => /^crm\.db-wal\.stray-\d{4}-/.test(name))
  expect(strays).toHaveLength(1)
  expect(notices[0]).toContain(strays[0])
})

test('a removed log that a long read still needs fails writes until the read has ended', async () => {
  const { path, storage } = await openStorage()
  const reader = new Database(path, { readonly: true })
  reader.exec('begin; select count(*) from task_types')
  rmSync(`${path}-wal`)
  await expect(addTaskType(storage, 'rejected', 2)).rejects.toThrow(/cannot be saved yet/)
  await expect(storage.check()).rejects.toThrow(/cannot be saved yet/)
  reader.close()
  await addTaskType(storage, 'third', 3)
  await storage.check()
  expect(await readAfterKill(path)).toEqual(['first', 'third'])
})

test('closing saves a log that was replaced, and keeps the file in its place', async () => {
  const { path, storage, notices } = await openStorage()
  REMOVALS['is replaced by another file'](path)
  await storage.close()
  expect(notices).toHaveLength(1)
  expect(await readAfterKill(path)).toEqual(['first'])
  expect(readdirSync(dirname(path)).some((name) => name.startsWith('crm.db-wal.stray-'))).toBe(true)
})

const EMPTIED = /^The log .*-wal was emptied by another program: .* are lost\. Stop the service\. /

test('after the log was emptied nothing is acknowledged or read, and the file stays sound', async () => {
  const { path, storage } = await openStorage()
  const other = new Database(path)
  other.pragma('wal_checkpoint(PASSIVE)')
  other.close()
  await addTaskType(storage, 'second', 2)
  truncateSync(`${path}-wal`)
  await expect(addTaskType(storage, 'third', 3)).rejects.toThrow(EMPTIED)
  await expect(readKeys(storage)).rejects.toThrow(EMPTIED)
  await expect(storage.check()).rejects.toThrow(EMPTIED)
  await expect(sqliteStorage({ file: path })).rejects.toThrow()
  await storage.close()
  expect(await readAfterKill(path)).toEqual(['first'])
})

test('a log emptied during a transaction rejects it, and the file stays sound', async () => {
  const { path, storage } = await openStorage()
  const other = new Database(path)
  other.pragma('wal_checkpoint(PASSIVE)')
  other.close()
  await addTaskType(storage, 'second', 2)
  const results = await Promise.allSettled([
    storage.transact(async () => truncateSync(`${path}-wal`)),
    addTaskType(storage, 'third', 3),
  ])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await expect(addTaskType(storage, 'fourth', 4)).rejects.toThrow(EMPTIED)
  await storage.close()
  expect(await readAfterKill(path)).toEqual(['first'])
})

test('a log that another process appends to while it is examined is no loss', async () => {
  const { path } = await openStorage()
  const [writer, other] = [new Database(path), new Database(path)]
  other.exec('create table notes (body text)')
  const appendNote = other.prepare('insert into notes values (hex(randomblob(20000)))')
  const state = writer.prepare('pragma wal_checkpoint(NOOP)')
  vi.spyOn(writer, 'prepare').mockReturnValue(state)
  const readState = vi.spyOn(state, 'get').mockImplementation(() => {
    appendNote.run()
    return Object.getPrototypeOf(state).get.call(state)
  })
  const log = new LogFiles(path, writer)
  expect(log.loss()).toBeUndefined()
  expect(readState).toHaveBeenCalled()
  log.close()
  writer.close()
  other.close()
})

test('a checkpoint of another process that shortens the log is no loss', async () => {
  const { path, storage, notices } = await openStorage()
  const other = new Database(path)
  for (let number = 2; number < 5; number += 1) {
    await addTaskType(storage, `key_${number}`, number)
    other.pragma('wal_checkpoint(TRUNCATE)')
    if (number === 3) await readKeys(storage)
  }
  other.close()
  await storage.check()
  expect(await readKeys(storage)).toHaveLength(4)
  expect(notices).toEqual([])
})
