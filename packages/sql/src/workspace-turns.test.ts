import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { WorkspaceTurns } from './workspace-turns.ts'

/** Reads that end when the test says so, by name, in the order in which they began. */
function createReads(slots: readonly string[]) {
  const turns = new WorkspaceTurns(slots)
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  return {
    begun,
    turns,
    read(workspaceId: string, name: string, signal?: AbortSignal): Promise<string> {
      const work = async (slot: string) => {
        begun.push(name)
        await new Promise<void>((resolve) => ends.set(name, resolve))
        return slot
      }
      return turns.run(work, { workspaceId, ...(signal && { signal }) })
    },
    async end(name: string): Promise<void> {
      ends.get(name)!()
      await setImmediate()
    },
  }
}

test('one workspace leaves the last slot to others', async () => {
  const { read, begun, end } = createReads(['first', 'second'])
  const reads = [read('a', 'a1'), read('a', 'a2'), read('b', 'b1')]
  expect(begun).toEqual(['a1', 'b1'])
  await end('a1')
  expect(begun).toEqual(['a1', 'b1', 'a2'])
  await end('b1')
  await end('a2')
  expect(await Promise.all(reads)).toEqual(['first', 'first', 'second'])
})

test('workspaces take turns, however many reads of one wait', async () => {
  const { read, begun, end } = createReads(['first', 'second'])
  const reads = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) => read(name[0]!, name))
  for (const name of ['a1', 'b1', 'a2', 'b2', 'c1', 'a3']) await end(name)
  expect(begun).toEqual(['a1', 'b1', 'a2', 'b2', 'c1', 'a3'])
  await Promise.all(reads)
})

test('a waiting read whose caller has gone is not begun', async () => {
  const { read, begun, end, turns } = createReads(['first', 'second'])
  const caller = new AbortController()
  const running = read('a', 'a1')
  const abandoned = expect(read('a', 'a2', caller.signal)).rejects.toThrow('gone')
  caller.abort(new Error('gone'))
  await end('a1')
  await running
  await abandoned
  expect(begun).toEqual(['a1'])
  await turns.waitUntilIdle()
})

test('a workspace with very many waiting reads is refused, and others are not', async () => {
  const { read, begun } = createReads(['first', 'second'])
  const reads = Array.from({ length: 101 }, (_, nth) => read('a', `a${nth}`))
  await expect(read('a', 'refused')).rejects.toMatchObject({
    code: 'rate_limit_exceeded',
    retryAfterSeconds: 5,
  })
  void read('b', 'b1')
  expect(begun).toEqual(['a0', 'b1'])
  expect(reads).toHaveLength(101)
})

test('a failed read frees its slot', async () => {
  const turns = new WorkspaceTurns(['first', 'second'])
  const caller = { workspaceId: 'a' }
  await expect(turns.run(() => Promise.reject(new Error('failed')), caller)).rejects.toThrow('failed')
  expect(await turns.run(async () => 'done', caller)).toBe('done')
  await turns.waitUntilIdle()
})
