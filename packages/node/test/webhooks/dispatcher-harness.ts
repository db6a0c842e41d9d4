import { afterEach, beforeEach, expect, vi } from 'vitest'
import { type DispatcherOptions, startDispatcher } from '../../src/index.ts'
import { createControlledSender } from './controlled-sender.ts'
import { runEventLoop } from './event-loop.ts'
import type { createQueue } from './fake-queue.ts'

export const POLL_MS = 1000
export const ATTEMPTED_AT = '2026-03-01T12:00:00.000Z'

const stops: (() => Promise<void>)[] = []

/** Installs fake timers for all tests of a file, and stops the dispatchers after each. */
export function stopAfterEach(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })

  afterEach(async () => {
    const stopping = Promise.all(stops.splice(0).map((stop) => stop()))
    await runEventLoop()
    vi.advanceTimersByTime(1)
    await stopping
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
  })
}

/** Starts a dispatcher and runs it until it waits for responses. */
export async function startTestDispatcher(
  queue: ReturnType<typeof createQueue>,
  options: Partial<DispatcherOptions> = {},
) {
  const controlled = createControlledSender()
  const databaseFailures: unknown[] = []
  const { stop } = startDispatcher({
    deliveries: queue.deliveries,
    sender: controlled.sender,
    now: () => ATTEMPTED_AT,
    pollMs: POLL_MS,
    onDatabaseFailure: (error) => databaseFailures.push(error),
    ...options,
  })
  stops.push(() => stop(0))
  await runEventLoop()
  return { ...controlled, stop, databaseFailures }
}

export async function advancePolls(count = 1) {
  for (let poll = 0; poll < count; poll++) {
    vi.advanceTimersByTime(POLL_MS)
    await runEventLoop()
  }
}
