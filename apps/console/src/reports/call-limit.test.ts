import { expect, test } from 'vitest'
import { CallLimit } from './call-limit.ts'

test('runs few calls at once, and all of them', async () => {
  const limit = new CallLimit(2)
  let running = 0
  let most = 0
  const call = async (result: number) => {
    running += 1
    most = Math.max(most, running)
    await Promise.resolve()
    await Promise.resolve()
    running -= 1
    return result
  }
  const results = await Promise.all([1, 2, 3, 4, 5].map((nth) => limit.run(() => call(nth))))
  expect(results).toEqual([1, 2, 3, 4, 5])
  expect(most).toBe(2)
})

test('goes on after a call that fails', async () => {
  const limit = new CallLimit(1)
  const first = limit.run(() => Promise.reject(new Error('no')))
  const second = limit.run(() => Promise.resolve('yes'))
  await expect(first).rejects.toThrow('no')
  expect(await second).toBe('yes')
  expect(await limit.run(() => Promise.resolve('again'))).toBe('again')
})
