import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { sqliteStorage } from '../../src/index.ts'
import { addTaskType, createTempPath, readKeys } from '../harness.ts'

/** A storage whose log contains a write that its backup lacks. */
async function openWithBackup() {
  const path = createTempPath()
  const notices: string[] = []
  const storage = await sqliteStorage({ file: path, onWarning: (message) => notices.push(message) })
  onTestFinished(() => storage.close())
  await addTaskType(storage, 'before', 1)
  await storage.backup(`${path}.backup`)
  for (let number = 2; number < 40; number += 1) await addTaskType(storage, `after_${number}`, number)
  return { path, storage, notices }
}

function strays(path: string): string[] {
  return readdirSync(dirname(path)).filter((name) => name.startsWith('crm.db-wal.stray-'))
}

async function readSound(path: string): Promise<string[]> {
  const storage = await sqliteStorage({ file: path })
  try {
    expect(storage.quickCheck()).toEqual([])
    return await readKeys(storage)
  } finally {
    await storage.close()
  }
}

test('a file moved over the open one is served without the log of the earlier file', async () => {
  const { path, storage, notices } = await openWithBackup()
  renameSync(`${path}.backup`, path)
  await vi.waitFor(async () => expect(await readKeys(storage)).toEqual(['before']))
  await addTaskType(storage, 'new', 50)
  expect(strays(path)).toHaveLength(1)
  expect(notices).toEqual([
    expect.stringMatching(
      /^Another file was put in the place of .*crm\.db and is served now\. The log .*stray-/,
    ),
  ])
  await storage.close()
  expect(await readSound(path)).toEqual(['before', 'new'])
})

test('a write is the first to notice a file moved over the open one', async () => {
  const { path, storage } = await openWithBackup()
  renameSync(`${path}.backup`, path)
  await addTaskType(storage, 'new', 50)
  await storage.close()
  expect(await readSound(path)).toEqual(['before', 'new'])
})

test.each(['report', 'backup'] as const)('a %s does not read the log of the earlier file', async (reader) => {
  const { path, storage } = await openWithBackup()
  renameSync(`${path}.backup`, path)
  if (reader === 'report') return expect(await readKeys(storage, { workload: 'report' })).toEqual(['before'])
  await storage.backup(`${path}.second`)
  expect(await readSound(`${path}.second`)).toEqual(['before'])
})

test('the earlier file is complete under its new name', async () => {
  const { path, storage } = await openWithBackup()
  renameSync(path, `${path}.earlier`)
  await expect(storage.check()).rejects.toThrow('is gone')
  renameSync(`${path}.backup`, path)
  await storage.check()
  expect(await readKeys(storage)).toEqual(['before'])
  expect(await readSound(`${path}.earlier`)).toHaveLength(39)
})

test('the same file moved back keeps its log', async () => {
  const { path, storage, notices } = await openWithBackup()
  renameSync(path, `${path}.away`)
  await expect(storage.check()).rejects.toThrow('is gone')
  renameSync(`${path}.away`, path)
  expect(await readKeys(storage)).toHaveLength(39)
  expect([strays(path), notices]).toEqual([[], []])
})

test('a log without its database is refused and kept', async () => {
  const { path, storage } = await openWithBackup()
  const other = createTempPath()
  copyFileSync(`${path}-wal`, `${other}-wal`)
  const log = readFileSync(`${other}-wal`)
  await expect(sqliteStorage({ file: other })).rejects.toThrow(
    /^There is no database .*crm\.db, but its log .*crm\.db-wal\. Put the file back, or move the log away\.$/,
  )
  expect([existsSync(other), readFileSync(`${other}-wal`).equals(log)]).toEqual([false, true])
  writeFileSync(`${other}-wal`, '')
  await (await sqliteStorage({ file: other })).close()
  await storage.close()
})
