import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest'
import { openReceiver, type Receiver } from './test-receiver.ts'

export let receiver: Receiver

/** For the tests of a file: one receiver, and a clock that moves when they say so. */
export function useReceiver(): void {
  beforeAll(async () => {
    receiver = await openReceiver()
  })

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })

  /** Whatever came of the deliveries, nothing of them is left, and nobody has been at a private address. */
  afterEach(async () => {
    await receiver.closeSenders()
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
    vi.unstubAllEnvs()
    expect(await receiver.settled()).toEqual({ visits: 0 })
  })

  afterAll(() => receiver.close())
}

export const buildSending = (path: string, host?: string) => ({
  url: receiver.url(path, host),
  body: '{}',
  signature: undefined,
})
export const send = (path: string, host?: string) => receiver.sender().send(buildSending(path, host))
export const failedAttempt = (error: string) => ({
  duration_ms: expect.any(Number),
  status: null,
  error,
  response: null,
})
