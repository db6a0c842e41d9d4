import { expect, test } from 'vitest'
import { readAhead } from './read-ahead.ts'

/** Counts up to `last`, and then throws. */
async function* countTo(last: number, steps: string[]): AsyncGenerator<number, void, undefined> {
  try {
    for (let number = 1; number <= last; number += 1) {
      steps.push(`read ${number}`)
      yield number
    }
    throw new RangeError('No more.')
  } finally {
    steps.push('end')
  }
}

test('the next value is read while the caller works, and an error waits for the values before it', async () => {
  const steps: string[] = []
  const work = async () => {
    for await (const value of readAhead(countTo(2, steps))) {
      await new Promise(setImmediate)
      steps.push(`work ${value}`)
    }
  }
  await expect(work()).rejects.toThrow(RangeError)
  expect(steps).toEqual(['read 1', 'read 2', 'work 1', 'end', 'work 2'])
})

test('nothing is read once the iteration has ended', async () => {
  const steps: string[] = []
  for await (const _ of readAhead(countTo(9, steps))) break
  expect(steps).toEqual(['read 1', 'read 2', 'end'])
})
