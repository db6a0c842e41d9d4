import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { coalesce } from '../../src/webhooks/coalesce.ts'
import { runEventLoop } from './event-loop.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})

afterEach(() => {
  vi.useRealTimers()
})

describe('coalesce', () => {
  test.each([
    [0, 2],
    [1, 2],
    [8, 2],
    [20, 5],
    [500, 20],
  ])('after a run of %i ms merges all calls within %i ms into the next run', async (runMs, pauseMs) => {
    let [time, runs] = [0, 0]
    const call = coalesce(
      async () => {
        runs += 1
        time += runMs
      },
      2,
      () => time,
    )
    void call()
    await runEventLoop()
    expect(runs).toBe(1)
    void call()
    void call()
    vi.advanceTimersByTime(pauseMs - 1)
    await runEventLoop()
    expect(runs).toBe(1)
    vi.advanceTimersByTime(1)
    await runEventLoop()
    expect(runs).toBe(2)
    vi.advanceTimersByTime(20)
    await runEventLoop()
  })

  test('runs at once after an idle period', async () => {
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
})
