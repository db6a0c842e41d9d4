import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { sqliteStorage } from '../../src/index.ts'
import { addTaskType, createTempPath, readKeys } from '../harness.ts'

const PAGES = 2000
const MAX_WRITES = 500

test('a backup finishes during continuous writes and contains one consistent snapshot', async () => {
  const path = createTempPath()
  const storage = await sqliteStorage({ file: path })
  const large = new Database(path)
  large.exec(`create table ballast as
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${PAGES}) select zeroblob(4000) from numbers`)
  large.close()
  await addTaskType(storage, 'before', 1)

  let isDone = false
  const backup = storage.backup(`${path}.backup`).finally(() => {
    isDone = true
  })
  let writeCount = 0
  for (; !isDone && writeCount < MAX_WRITES; writeCount += 1)
    await addTaskType(storage, `concurrent_${writeCount}`, 2 + writeCount)
  expect(writeCount).toBeLessThan(MAX_WRITES)
  await backup
  await addTaskType(storage, 'after', 1 + MAX_WRITES)
  await storage.close()

  const copy = await sqliteStorage({ file: `${path}.backup` })
  const keys = await readKeys(copy)
  expect(copy.quickCheck()).toEqual([])
  expect(keys).toContain('before')
  expect(keys).not.toContain('after')
  const concurrentKeys = Array.from({ length: keys.length - 1 }, (_, index) => `concurrent_${index}`)
  expect(keys.toSorted()).toEqual(['before', ...concurrentKeys].toSorted())
  await copy.close()
})
