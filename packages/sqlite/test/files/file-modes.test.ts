import { chmodSync, existsSync, mkdirSync, statSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { sqliteStorage } from '../../src/index.ts'
import { addTaskType, createTempPath, readKeys } from '../harness.ts'

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8)
}

const modesWithSidecars = (path: string) => [path, `${path}-wal`, `${path}-shm`].map(modeOf)

test('a new file, its sidecar files and its new folders are accessible to the owner only', async () => {
  const outer = join(dirname(createTempPath()), 'new')
  const path = join(outer, 'too', 'crm.db')
  const storage = await sqliteStorage({ file: path })
  await addTaskType(storage, 'call', 1)
  expect(modesWithSidecars(path)).toEqual(['600', '600', '600'])
  expect([outer, dirname(path)].map(modeOf)).toEqual(['700', '700'])
  await storage.close()
})

test('a new file behind a symbolic link is accessible to the owner only', async () => {
  const path = createTempPath()
  symlinkSync(`${path}.real`, path)
  const storage = await sqliteStorage({ file: path })
  await addTaskType(storage, 'call', 1)
  expect(modesWithSidecars(`${path}.real`)).toEqual(['600', '600', '600'])
  await storage.close()
})

test('keeps the modes of an existing file and folder', async () => {
  const path = createTempPath()
  await (await sqliteStorage({ file: path })).close()
  chmodSync(path, 0o640)
  chmodSync(dirname(path), 0o750)
  const storage = await sqliteStorage({ file: path })
  await addTaskType(storage, 'call', 1)
  expect(modesWithSidecars(path)).toEqual(['640', '640', '640'])
  expect(modeOf(dirname(path))).toBe('750')
  await storage.close()
})

test('a backup is accessible to the owner only, whatever the mode of the file', async () => {
  const path = createTempPath()
  const storage = await sqliteStorage({ file: path })
  await addTaskType(storage, 'call', 1)
  chmodSync(path, 0o644)
  await storage.backup(`${path}.backup`)
  expect(modeOf(`${path}.backup`)).toBe('600')
  await storage.close()
  const copy = await sqliteStorage({ file: `${path}.backup` })
  expect(await readKeys(copy)).toEqual(['call'])
  await copy.close()
})

test('an impossible backup path is rejected in one line, and a failed backup leaves no file', async () => {
  const path = createTempPath()
  const storage = await sqliteStorage({ file: path })
  await expect(storage.backup(join(dirname(path), 'nowhere', 'copy.db'))).rejects.toThrow(
    /^Cannot make .*copy\.db \(ENOENT.*\)\. Name a file in a folder where this user may write\.$/,
  )
  // Blocks the journal file that SQLite creates beside the copy.
  mkdirSync(`${path}.backup-journal`)
  await expect(storage.backup(`${path}.backup`)).rejects.toThrow(
    /^Cannot write .*\.backup \(unable to open .*\)\. Check its disk, or name a file on another disk\.$/,
  )
  expect(existsSync(`${path}.backup`)).toBe(false)
  await storage.close()
})

test.each([
  ['a name that is too long', (path: string) => `${path}${'x'.repeat(300)}`],
  ['a folder in its place', dirname],
])('SQLite itself reports a file that cannot be created: %s', async (_, pathFrom) => {
  const path = pathFrom(createTempPath())
  await expect(sqliteStorage({ file: path })).rejects.toMatchObject({
    code: expect.stringMatching(/^SQLITE_CANTOPEN/),
  })
  expect(existsSync(path) && statSync(path).isFile()).toBe(false)
})
