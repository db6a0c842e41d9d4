import { expect, test } from 'vitest'
import { memoryStore } from '../../src/index.ts'
import { describeStore } from './describe-store.ts'

describeStore('memory', async () => memoryStore())

test('the memory store deletes the oldest id beyond maxIds', async () => {
  const store = memoryStore({ maxIds: 2 })
  const run = (id: string) => store.runOnce(id, async () => {})
  expect([await run('a'), await run('b'), await run('c')]).toEqual([true, true, true])
  expect([await run('b'), await run('c')]).toEqual([false, false])
  expect(await run('a')).toBe(true)
})

test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('maxIds of %d is refused', (maxIds) => {
  expect(() => memoryStore({ maxIds })).toThrow(new TypeError('maxIds must be a whole number of at least 1.'))
})
