import { expect, test } from 'vitest'
import { pullFrom } from './pull-from.ts'

test('the callback runs no further than the iteration', async () => {
  const steps: string[] = []
  const values = pullFrom<number>(async (give) => {
    for (const value of [1, 2]) {
      steps.push(`give ${value}`)
      await give(value)
    }
    steps.push('end')
  })
  expect(steps).toEqual([])
  for await (const value of values) {
    await new Promise(setImmediate)
    steps.push(`take ${value}`)
  }
  expect(steps).toEqual(['give 1', 'take 1', 'give 2', 'take 2', 'end'])
})

test('an error of the callback is that of the iteration', async () => {
  const values = pullFrom<number>(async (give) => {
    await give(1)
    throw new RangeError('Broken.')
  })
  expect(await values.next()).toEqual({ done: false, value: 1 })
  await expect(values.next()).rejects.toThrow(RangeError)
})

test('an iteration that ends early ends the callback', async () => {
  let hasEnded = false
  const values = pullFrom<number>(async (give) => {
    try {
      for (;;) await give(1)
    } finally {
      hasEnded = true
    }
  })
  for await (const _ of values) break
  expect(hasEnded).toBe(true)
})
