import { expect, test } from 'vitest'
import { catchRejection, createTestCrm, NOON, UNKNOWN_ID } from '../../../test/harness.ts'
import { memoryStorage } from '../../memory/index.ts'
import { fileApi } from './file-api.ts'
import { buildFile, fileUrl } from './stored-file.ts'

const NOT_FOUND = { code: 'not_found', message: 'File not found.' }
const CONTENT = { content: 'aGVsbG8=', content_type: 'text/plain; charset=utf-8', size: 5 }
const OPTIONS = { filename: 'letter.txt', download: true }

async function setUpFile() {
  const base = await createTestCrm()
  const { storage, ports, owner } = base
  const file = buildFile(CONTENT, OPTIONS, { newId: ports.newId, random: ports.random, at: NOON })
  await storage.transact((tx) => tx.workspace(owner.workspaceId).files.insert(file))
  return { ...base, file, files: fileApi(ports) }
}

test('a file is read by its key, without an actor', async () => {
  const { files, owner, file } = await setUpFile()
  const view = {
    content: 'aGVsbG8=',
    content_type: 'text/plain; charset=utf-8',
    filename: 'letter.txt',
    download: true,
  }
  expect(await files.read(owner.workspaceId, file.key)).toEqual(view)
  expect(await files.read(owner.workspaceId.toUpperCase(), file.key)).toEqual(view)
})

test('a file is not found by another key or in another workspace', async () => {
  const { files, owner, otherOwner, file } = await setUpFile()
  const otherKey = file.key.startsWith('0') ? `1${file.key.slice(1)}` : `0${file.key.slice(1)}`
  expect(await catchRejection(files.read(owner.workspaceId, otherKey))).toEqual(NOT_FOUND)
  expect(await catchRejection(files.read(otherOwner.workspaceId, file.key))).toEqual(NOT_FOUND)
  expect(await catchRejection(files.read(UNKNOWN_ID, file.key))).toEqual(NOT_FOUND)
  expect(await catchRejection(files.read(owner.workspaceId, file.id))).toEqual(NOT_FOUND)
})

test.each([
  ['', 'f'.repeat(64)],
  ['x', 'f'.repeat(64)],
  ['__proto__', 'f'.repeat(64)],
  [`${UNKNOWN_ID}\n`, 'f'.repeat(64)],
  [UNKNOWN_ID, ''],
  [UNKNOWN_ID, 'f'.repeat(63)],
  [UNKNOWN_ID, 'f'.repeat(65)],
  [UNKNOWN_ID, 'F'.repeat(64)],
  [UNKNOWN_ID, `${'f'.repeat(64)}\n`],
  [UNKNOWN_ID, '../'.repeat(21)],
])('the database is not queried for workspace %j and key %j', async (workspaceId, key) => {
  const storage = memoryStorage()
  await storage.close()
  expect(await catchRejection(fileApi({ storage }).read(workspaceId, key))).toEqual(NOT_FOUND)
})

test('a key is 256 random bits in hex, and the URL ends with it', () => {
  const file = buildFile(CONTENT, OPTIONS, {
    newId: () => UNKNOWN_ID,
    random: (count) => new Uint8Array(count).fill(0xa7),
    at: NOON,
  })
  expect(file).toEqual({
    id: UNKNOWN_ID,
    key: 'a7'.repeat(32),
    filename: 'letter.txt',
    content_type: 'text/plain; charset=utf-8',
    content: 'aGVsbG8=',
    download: true,
    created_at: NOON,
    updated_at: NOON,
  })
  expect(fileUrl('https://crm.example', 'w', file.key)).toBe(`https://crm.example/files/w/${'a7'.repeat(32)}`)
})

test('a deleted file is not found', async () => {
  const { files, storage, owner, file } = await setUpFile()
  await storage.transact((tx) => tx.workspace(owner.workspaceId).files.hardDelete(file.id))
  expect(await catchRejection(files.read(owner.workspaceId, file.key))).toEqual(NOT_FOUND)
})
