import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { sqliteStorage } from '../../src/index.ts'
import { addTaskType, createTempPath, readKeys } from '../harness.ts'

const PAGES = 2000
const MANY = 500

test('a backup ends while others write on and on, and is of one moment', async () => {
  const path = createTempPath()
  const storage = await sqliteStorage({ file: path })
  const large = new Database(path)
  large.exec(`create table ballast as
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${PAGES}) select zeroblob(4000) from numbers`)
  large.close()
  await addTaskType(storage, 'before', 1)

  let isDone = false
  const copying = storage.backup(`${path}.backup`).finally(() => {
    isDone = true
  })
  let writes = 0
  for (; !isDone && writes < MANY; writes += 1) await addTaskType(storage, `meanwhile_${writes}`, 2 + writes)
  expect(writes).toBeLessThan(MANY)
  await copying
  await addTaskType(storage, 'after', 1 + MANY)
  await storage.close()

  const copy = await sqliteStorage({ file: `${path}.backup` })
  const keys = await readKeys(copy)
  expect(copy.quickCheck()).toEqual([])
  expect(keys).toContain('before')
  expect(keys).not.toContain('after')
  const meanwhile = Array.from({ length: keys.length - 1 }, (_, index) => `meanwhile_${index}`)
  expect(keys.toSorted()).toEqual(['before', ...meanwhile].toSorted())
  await copy.close()
})
