import { afterEach, beforeEach, expect, vi } from 'vitest'
import { type DispatcherOptions, startDelivering } from '../../src/index.ts'
import { heldSender, type queueOf, turns } from './queue.ts'

export const POLL_MS = 1000
export const AT = '2026-03-01T12:00:00.000Z'

const stops: (() => Promise<void>)[] = []

/** For the tests of a file: the clock moves when they say so, and no dispatcher outlives its test. */
export function stopAfterEach(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })

  afterEach(async () => {
    const stopped = Promise.all(stops.splice(0).map((stop) => stop()))
    await turns()
    vi.advanceTimersByTime(1)
    await stopped
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
  })
}

/** A dispatcher that has done all it can without an answer. It makes no pauses, but where a test asks for them. */
export async function started(queue: ReturnType<typeof queueOf>, options: Partial<DispatcherOptions> = {}) {
  const held = heldSender()
  const troubles: unknown[] = []
  const { stop } = startDelivering({
    delivering: queue.delivering,
    sender: held.sender,
    now: () => AT,
    pollMs: POLL_MS,
    pauseMs: 0,
    onTrouble: (error) => troubles.push(error),
    ...options,
  })
  stops.push(() => stop(0))
  await turns()
  return { ...held, stop, troubles }
}

export async function polled(times = 1) {
  for (let time = 0; time < times; time++) {
    vi.advanceTimersByTime(POLL_MS)
    await turns()
  }
}
