import { expect, test } from 'vitest'
import { fakeClock, NOON } from '../../../test/harness.ts'
import { localRateLimiter } from './local-access-gate.ts'

const noon = Date.parse(NOON) / 1000
const counter = { key: 'app:1:GET', limit: 3, seconds: 60 }

test('counts the calls in a window, including those over the limit', () => {
  const windows = localRateLimiter(fakeClock(NOON).now)
  expect([1, 2, 3, 4, 5].map(() => windows(counter).used)).toEqual([1, 2, 3, 4, 5])
})

test('opens a window with the first call and closes it after its length', () => {
  const clock = fakeClock('2026-03-01T12:00:00.250Z')
  const windows = localRateLimiter(clock.now)
  expect(windows(counter)).toEqual({ limit: 3, used: 1, resetsAt: noon + 61, retryAfterSeconds: 60 })
  clock.advance(59.5)
  expect(windows(counter)).toEqual({ limit: 3, used: 2, resetsAt: noon + 61, retryAfterSeconds: 1 })
  clock.advance(0.499)
  expect(windows(counter)).toEqual({ limit: 3, used: 3, resetsAt: noon + 61, retryAfterSeconds: 1 })
  clock.advance(0.001)
  expect(windows(counter)).toEqual({ limit: 3, used: 1, resetsAt: noon + 121, retryAfterSeconds: 60 })
})

test('keeps a window per key', () => {
  const windows = localRateLimiter(fakeClock(NOON).now)
  windows(counter)
  expect(windows({ ...counter, key: 'app:2:GET' }).used).toBe(1)
  expect(windows(counter).used).toBe(2)
})

test('opens a new window, and not a long one, when the clock is set back', () => {
  const clock = fakeClock(NOON)
  const windows = localRateLimiter(clock.now)
  windows(counter)
  clock.set('2026-03-01T11:00:00.000Z')
  expect(windows(counter)).toEqual({ limit: 3, used: 1, resetsAt: noon - 3540, retryAfterSeconds: 60 })
})

test('ten thousand closed windows do not affect a new one', () => {
  const clock = fakeClock(NOON)
  const windows = localRateLimiter(clock.now)
  windows({ ...counter, seconds: 3600 })
  for (let index = 0; index < 10_001; index += 1) windows({ ...counter, key: `ip:${index}` })
  clock.advance(60)
  expect(windows({ ...counter, key: 'ip:0' }).used).toBe(1)
  expect(windows({ ...counter, seconds: 3600 }).used).toBe(2)
})

test('distinguishes callers up to a bound, beyond which the oldest window is dropped', () => {
  const windows = localRateLimiter(fakeClock(NOON).now)
  windows({ ...counter, key: 'first' })
  windows({ ...counter, key: 'second' })
  for (let index = 0; index < 99_999; index += 1) windows({ ...counter, key: `ip:${index}` })
  expect(windows({ ...counter, key: 'second' }).used).toBe(2)
  expect(windows({ ...counter, key: 'first' }).used).toBe(1)
})
