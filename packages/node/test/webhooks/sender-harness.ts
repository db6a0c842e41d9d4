import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest'
import { openReceiver, type Receiver } from './test-receiver.ts'

export let receiver: Receiver

/** Installs one receiver and fake timers for all tests of a file. */
export function useReceiver(): void {
  beforeAll(async () => {
    receiver = await openReceiver()
  })

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })

  /** Checks that a test leaves no timer or connection open and that no private address was contacted. */
  afterEach(async () => {
    await receiver.closeSenders()
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
    vi.unstubAllEnvs()
    expect(await receiver.reset()).toEqual({ visits: 0 })
  })

  afterAll(() => receiver.close())
}

export const buildSending = (path: string, host?: string) => ({
  url: receiver.url(path, host),
  body: '{}',
  signature: undefined,
})
export const send = (path: string, host?: string) => receiver.createSender().send(buildSending(path, host))
export const failedAttempt = (error: string) => ({
  duration_ms: expect.any(Number),
  status: null,
  error,
  response: null,
})
