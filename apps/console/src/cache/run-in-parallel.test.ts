import { expect, test } from 'vitest'
import { runInParallel } from './run-in-parallel.ts'

test('runs a few at once, counts them, and returns what failed', async () => {
  let running = 0
  let most = 0
  const progress: number[] = []
  const errors = await runInParallel(
    ['a', 'b', 'c', 'd', 'e'],
    2,
    async (id) => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setTimeout(resolve, 1))
      running--
      if (id === 'c') throw new Error('refused')
    },
    (done) => progress.push(done),
  )
  expect(most).toBe(2)
  expect(progress).toEqual([1, 2, 3, 4, 5])
  expect([...errors.keys()]).toEqual(['c'])
})
