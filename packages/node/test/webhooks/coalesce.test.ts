import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { coalesce } from '../../src/webhooks/coalesce.ts'
import { runEventLoop } from './fake-queue.ts'

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
])(
  'after a run of %i ms the next begins %i ms later, with all that came meanwhile',
  async (takesMs, restMs) => {
    let [time, runs] = [0, 0]
    const call = coalesce(
      async () => {
        runs += 1
        time += takesMs
      },
      2,
      () => time,
    )
    void call()
    await runEventLoop()
    expect(runs).toBe(1)
    void call()
    void call()
    vi.advanceTimersByTime(restMs - 1)
    await runEventLoop()
    expect(runs).toBe(1)
    vi.advanceTimersByTime(1)
    await runEventLoop()
    expect(runs).toBe(2)
    vi.advanceTimersByTime(20)
    await runEventLoop()
  },
)

test('a run after a time without any does not wait', async () => {
  let runs = 0
  const call = coalesce(async () => {
    runs += 1
  }, 2)
  void call()
  await runEventLoop()
  vi.advanceTimersByTime(2)
  await runEventLoop()
  void call()
  await runEventLoop()
  expect(runs).toBe(2)
  vi.advanceTimersByTime(20)
  await runEventLoop()
})
