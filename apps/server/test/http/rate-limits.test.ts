import { memoryStorage } from '@sales-crm/core/memory'
import type { RateLimitStatus } from '@sales-crm/core/ports'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { RateLimits } from '../../src/http/limits/rate-limits.ts'
import { STYLESHEET } from '../../src/pages/assets.ts'
import { HIGH_LIMITS, openService, sendRequest } from '../support/test-service.ts'

const ADDRESS = '203.0.113.7'
const never = () => new Promise<never>(() => {})

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

function rateLimitsWith(count: () => Promise<RateLimitStatus>) {
  const gate = { count, authorize: never }
  return new RateLimits({
    gate,
    countPersistentRateLimit: never,
    limits: { ...HIGH_LIMITS, GET: 5 },
    now: () => '2026-03-01T12:00:00.000Z',
  })
}

test('waits two seconds for a gate without an answer, then counts in this process', async () => {
  const rateLimits = rateLimitsWith(never)
  const onSettled = vi.fn()
  const firstCount = rateLimits.countAddress('GET', ADDRESS).finally(onSettled)
  await vi.advanceTimersByTimeAsync(1999)
  expect(onSettled).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(await firstCount).toMatchObject({ limit: 5, used: 1 })
  const secondCount = rateLimits.countAddress('GET', ADDRESS)
  await vi.advanceTimersByTimeAsync(2000)
  expect(await secondCount).toMatchObject({ limit: 5, used: 2 })
})

test('counts in this process when the gate authorizes a call without counting it', async () => {
  const grant = { user_id: 'u', client_id: 'c', role: 'owner' } as const
  const gate = { count: never, authorize: async () => ({ grant, rateLimit: undefined }) }
  const { gate: fallbackGate } = new RateLimits({
    gate,
    countPersistentRateLimit: never,
    limits: HIGH_LIMITS,
    now: () => '2026-03-01T12:00:00.000Z',
  })
  const limit = { key: 'app:c:GET', limit: 2, seconds: 60 }
  const usedCalls = async () =>
    (await fallbackGate.authorize({ workspace_id: 'w', id: 'g' }, limit))?.rateLimit?.used
  expect([await usedCalls(), await usedCalls(), await usedCalls()]).toEqual([1, 2, 3])
  expect(await fallbackGate.authorize({ workspace_id: 'w', id: 'g' }, undefined)).toEqual({
    grant,
    rateLimit: undefined,
  })
})

test('uses the count of a gate that answers in time, and clears the timer', async () => {
  const rateLimits = rateLimitsWith(async () => ({
    limit: 5,
    used: 3,
    resetsAt: 1_772_366_460,
    retryAfterSeconds: 60,
  }))
  expect(await rateLimits.countAddress('GET', ADDRESS)).toMatchObject({ limit: 5, used: 3 })
  expect(vi.getTimerCount()).toBe(0)
})

test('counts at once when the gate fails, and ignores a failure after the timeout', async () => {
  expect(
    await rateLimitsWith(() => Promise.reject(new Error('ECONNREFUSED'))).countAddress('GET', ADDRESS),
  ).toMatchObject({ used: 1 })
  expect(vi.getTimerCount()).toBe(0)
  const rateLimits = rateLimitsWith(
    () => new Promise((_, reject) => setTimeout(() => reject(new Error('timeout')), 20_000)),
  )
  const status = rateLimits.countAddress('GET', ADDRESS)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(await status).toMatchObject({ used: 1 })
})

test.each([STYLESHEET.path, '/sign-in', '/password/forgot', '/.well-known/oauth-authorization-server'])(
  'answers %s after two seconds while the database hangs',
  async (path) => {
    const { app } = await openService(memoryStorage(), { gate: () => ({ count: never, authorize: never }) })
    const response = sendRequest(app, 'GET', path)
    await vi.advanceTimersByTimeAsync(2000)
    expect((await response).status).toBe(200)
  },
)
