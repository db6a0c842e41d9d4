import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createSemaphore } from '../../src/transactions/semaphore.ts'

test('so many run at once, in the order they came, and one that fails lets the next go on', async () => {
  const runLimited = createSemaphore(2)
  const begun: number[] = []
  const ends: (() => void)[] = []
  const runs = [0, 1, 2, 3].map((nth) =>
    runLimited(async () => {
      begun.push(nth)
      await new Promise<void>((resolve) => (ends[nth] = resolve))
      if (nth === 0) throw new Error('no')
      return nth
    }),
  )
  const settled = Promise.allSettled(runs)
  await setImmediate()
  expect(begun).toEqual([0, 1])
  ends[0]!()
  await setImmediate()
  expect(begun).toEqual([0, 1, 2])
  for (const nth of [1, 2]) ends[nth]!()
  await setImmediate()
  ends[3]!()
  expect((await settled).map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ])
  expect(await runLimited(async () => 'free again')).toBe('free again')
})
