import { appendFileSync, copyFileSync, statSync, truncateSync } from 'node:fs'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { sqliteStorage } from '../../src/index.ts'
import { addTaskType, createTempPath, readKeys } from '../harness.ts'

const WRONG_SIZE = /^its size of \d+ bytes is not that of \d+ pages of 4096 bytes$/

/** Fills the last pages of the file with zeros, in which no check of the content finds a gap. */
function addZeros(path: string): void {
  const database = new Database(path)
  database.exec('create table zeros (body blob); insert into zeros values (zeroblob(40000))')
  database.close()
}

async function openStorage(path: string) {
  const storage = await sqliteStorage({ file: path })
  onTestFinished(() => storage.close())
  return storage
}

test('finds a file that lacks a part of its last page', async () => {
  const path = createTempPath()
  const created = await sqliteStorage({ file: path })
  expect(created.sizeProblem()).toBeUndefined()
  await created.close()
  addZeros(path)
  truncateSync(path, statSync(path).size - 100)
  const storage = await openStorage(path)
  expect(storage.quickCheck()).toEqual([])
  expect(storage.sizeProblem()).toMatch(WRONG_SIZE)
  expect((await storage.integrityCheck())[0]).toMatch(WRONG_SIZE)
})

test('accepts a file that a crash left with a part of a page, which the log completes', async () => {
  const path = createTempPath()
  const storage = await openStorage(path)
  await addTaskType(storage, 'call', 1)
  addZeros(path)
  const crashed = createTempPath()
  for (const suffix of ['', '-wal']) copyFileSync(path + suffix, crashed + suffix)
  appendFileSync(crashed, 'half a page')
  const recovered = await openStorage(crashed)
  expect(recovered.sizeProblem()).toBeUndefined()
  expect(await recovered.integrityCheck()).toEqual([])
  expect(await readKeys(recovered)).toEqual(['call'])
})

test('finds no problem in a file that grows during the check', async () => {
  const path = createTempPath()
  const storage = await openStorage(path)
  const checks: Promise<string[]>[] = []
  for (let number = 1; number < 40; number += 1) {
    await addTaskType(storage, `key_${number}`, number)
    if (number % 10 === 0) checks.push(storage.integrityCheck())
    expect(storage.sizeProblem()).toBeUndefined()
  }
  expect((await Promise.all(checks)).flat()).toEqual([])
})
