import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { symlinkSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { afterEach, expect, test } from 'vitest'
import { holdForServing, sqliteStorage } from '../src/index.ts'
import { freshPath, keysIn } from './harness.ts'

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

function run(script: string, path: string): ChildProcess {
  const child = spawn(process.execPath, ['--expose-gc', new URL(`./${script}`, import.meta.url).pathname, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  return child
}

test('whatever was acknowledged is there after a kill, and the file is sound', async () => {
  const path = freshPath()
  const child = run('write-for-ever.ts', path)
  const acknowledged: string[] = []
  for await (const line of createInterface({ input: child.stdout! })) {
    acknowledged.push(line)
    if (acknowledged.length === 200) child.kill('SIGKILL')
  }
  const storage = await sqliteStorage({ file: path })
  const kept = new Set(await keysIn(storage))
  expect(acknowledged.length).toBeGreaterThanOrEqual(200)
  expect(acknowledged.filter((key) => !kept.has(key))).toEqual([])
  expect(storage.faults()).toEqual([])
  await storage.close()
})

test('one process serves a file, and a killed one lets go', async () => {
  const path = freshPath()
  const child = run('serve-for-ever.ts', path)
  await once(child.stdout!, 'data')
  expect(() => holdForServing(path)).toThrow(/^Another process serves .*\. Stop it first, or use PostgreSQL to run several\.$/)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const release = holdForServing(path)
  expect(() => holdForServing(path)).toThrow('Another process serves')
  release()
  holdForServing(path)()
})

test('of processes that open one new file at once, one migrates and the others wait', async () => {
  const path = freshPath()
  const exits = [1, 2, 3].map(() => once(run('open-and-check.ts', path), 'exit'))
  expect(await Promise.all(exits)).toEqual([
    [0, null],
    [0, null],
    [0, null],
  ])
})

test('a file is held under all its names', async () => {
  const path = freshPath()
  await (await sqliteStorage({ file: path })).close()
  symlinkSync(path, `${path}.link`)
  const release = holdForServing(`${path}.link`)
  expect(() => holdForServing(path)).toThrow('Another process serves')
  release()
})
