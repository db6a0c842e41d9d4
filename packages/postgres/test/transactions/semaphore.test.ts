import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createSemaphore } from '../../src/transactions/semaphore.ts'

test('runs up to the limit concurrently in order of arrival, and a failure frees its slot', async () => {
  const runLimited = createSemaphore(2)
  const started: number[] = []
  const ends: (() => void)[] = []
  const runs = [0, 1, 2, 3].map((nth) =>
    runLimited(async () => {
      started.push(nth)
      await new Promise<void>((resolve) => (ends[nth] = resolve))
      if (nth === 0) throw new Error('no')
      return nth
    }),
  )
  const outcomes = Promise.allSettled(runs)
  await setImmediate()
  expect(started).toEqual([0, 1])
  ends[0]!()
  await setImmediate()
  expect(started).toEqual([0, 1, 2])
  for (const nth of [1, 2]) ends[nth]!()
  await setImmediate()
  ends[3]!()
  expect((await outcomes).map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ])
  expect(await runLimited(async () => 'result')).toBe('result')
})
