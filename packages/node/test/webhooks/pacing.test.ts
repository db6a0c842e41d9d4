import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { together } from '../../src/webhooks/pacing.ts'
import { turns } from './queue.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})

afterEach(() => {
  vi.useRealTimers()
})

test.each([
  [0, 2],
  [1, 2],
  [8, 2],
  [20, 5],
  [500, 20],
])('after a run of %i ms the next begins %i ms later, with all that came meanwhile', async (takesMs, restMs) => {
  let [time, runs] = [0, 0]
  const call = together(
    async () => {
      runs += 1
      time += takesMs
    },
    2,
    () => time,
  )
  void call()
  await turns()
  expect(runs).toBe(1)
  void call()
  void call()
  vi.advanceTimersByTime(restMs - 1)
  await turns()
  expect(runs).toBe(1)
  vi.advanceTimersByTime(1)
  await turns()
  expect(runs).toBe(2)
  vi.advanceTimersByTime(20)
  await turns()
})

test('a run after a time without any does not wait', async () => {
  let runs = 0
  const call = together(async () => {
    runs += 1
  }, 2)
  void call()
  await turns()
  vi.advanceTimersByTime(2)
  await turns()
  void call()
  await turns()
  expect(runs).toBe(2)
  vi.advanceTimersByTime(20)
  await turns()
})
