import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { linkSync, rmSync, symlinkSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { afterEach, expect, test } from 'vitest'
import { acquireProcessLock, sqliteStorage } from '../src/index.ts'
import { createTempPath, readKeys } from './harness.ts'

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

function spawnScript(script: string, path: string): ChildProcess {
  const child = spawn(
    process.execPath,
    ['--expose-gc', new URL(`./${script}`, import.meta.url).pathname, path],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  children.push(child)
  return child
}

test('every acknowledged write survives a kill, and the file passes its integrity check', async () => {
  const path = createTempPath()
  const child = spawnScript('write-forever.ts', path)
  const acknowledged: string[] = []
  for await (const line of createInterface({ input: child.stdout! })) {
    acknowledged.push(line)
    if (acknowledged.length === 200) child.kill('SIGKILL')
  }
  const storage = await sqliteStorage({ file: path })
  const storedKeys = new Set(await readKeys(storage))
  expect(acknowledged.length).toBeGreaterThanOrEqual(200)
  expect(acknowledged.filter((key) => !storedKeys.has(key))).toEqual([])
  expect(storage.quickCheck()).toEqual([])
  await storage.close()
})

test('one process locks a file, and a kill releases the lock', async () => {
  const path = createTempPath()
  const child = spawnScript('hold-process-lock.ts', path)
  await once(child.stdout!, 'data')
  expect(() => acquireProcessLock(path)).toThrow(
    /^Another process serves .*\. Stop it first, or use PostgreSQL to run several\.$/,
  )
  child.kill('SIGKILL')
  await once(child, 'exit')
  const lock = acquireProcessLock(path)
  expect(() => acquireProcessLock(path)).toThrow('Another process serves')
  lock.release()
  acquireProcessLock(path).release()
})

test('one of several processes that open a new file migrates it and the others wait', async () => {
  const path = createTempPath()
  const exits = [1, 2, 3].map(() => once(spawnScript('open-and-check.ts', path), 'exit'))
  expect(await Promise.all(exits)).toEqual([
    [0, null],
    [0, null],
    [0, null],
  ])
})

test('the lock covers every path of a file', async () => {
  const path = createTempPath()
  await (await sqliteStorage({ file: path })).close()
  symlinkSync(path, `${path}.link`)
  const lock = acquireProcessLock(`${path}.link`)
  expect(() => acquireProcessLock(path)).toThrow('Another process serves')
  lock.release()
})

test('a removed lock is acquired again, unless another process has it', async () => {
  const path = createTempPath()
  const lock = acquireProcessLock(path)
  rmSync(`${path}.serving`)
  lock.assertHeld()
  expect(() => acquireProcessLock(path)).toThrow('Another process serves')
  lock.assertHeld()
  rmSync(`${path}.serving`)
  const other = acquireProcessLock(path)
  expect(() => lock.assertHeld()).toThrow('Another process serves')
  other.release()
  lock.assertHeld()
  expect(() => acquireProcessLock(path)).toThrow('Another process serves')
  lock.release()
})

test('a file with two names is refused under both', async () => {
  const path = createTempPath()
  const storage = await sqliteStorage({ file: path })
  linkSync(path, `${path}.second`)
  for (const name of [path, `${path}.second`])
    await expect(sqliteStorage({ file: name })).rejects.toThrow(
      /^The database .* has 2 names \(hard links\), .*\. Remove the others, or make them copies\.$/,
    )
  await storage.check()
  await storage.close()
  rmSync(`${path}.second`)
  await (await sqliteStorage({ file: path })).close()
})
