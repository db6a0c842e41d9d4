import { afterEach, beforeEach, expect, vi } from 'vitest'
import { type DispatcherOptions, startDelivering } from '../../src/index.ts'
import { createControlledSender, type createQueue, runEventLoop } from './fake-queue.ts'

export const POLL_MS = 1000
export const ATTEMPTED_AT = '2026-03-01T12:00:00.000Z'

const stops: (() => Promise<void>)[] = []

/** For the tests of a file: the clock moves when they say so, and no dispatcher outlives its test. */
export function stopAfterEach(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })

  afterEach(async () => {
    const stopped = Promise.all(stops.splice(0).map((stop) => stop()))
    await runEventLoop()
    vi.advanceTimersByTime(1)
    await stopped
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
  })
}

/** A dispatcher that has done all it can without an answer. It makes no pauses, but where a test asks for them. */
export async function startTestDispatcher(
  queue: ReturnType<typeof createQueue>,
  options: Partial<DispatcherOptions> = {},
) {
  const controlled = createControlledSender()
  const databaseFailures: unknown[] = []
  const { stop } = startDelivering({
    delivering: queue.delivering,
    sender: controlled.sender,
    now: () => ATTEMPTED_AT,
    pollMs: POLL_MS,
    pauseMs: 0,
    onDatabaseFailure: (error) => databaseFailures.push(error),
    ...options,
  })
  stops.push(() => stop(0))
  await runEventLoop()
  return { ...controlled, stop, troubles: databaseFailures }
}

export async function advancePolls(times = 1) {
  for (let time = 0; time < times; time++) {
    vi.advanceTimersByTime(POLL_MS)
    await runEventLoop()
  }
}
