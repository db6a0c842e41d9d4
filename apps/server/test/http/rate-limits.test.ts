import { memoryStorage } from '@sales-crm/core/memory'
import type { RateLimitStatus } from '@sales-crm/core/ports'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createRateLimits } from '../../src/http/rate-limits.ts'
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

function metersOver(count: () => Promise<RateLimitStatus>) {
  const gate = { count, authorize: never }
  return createRateLimits({
    gate,
    countPersistentRateLimit: never,
    limits: { ...HIGH_LIMITS, GET: 5 },
    now: () => '2026-03-01T12:00:00.000Z',
  })
}

test('a gate that does not answer is waited for for two seconds, and then this process counts', async () => {
  const meters = metersOver(never)
  const settled = vi.fn()
  const counted = meters.countAddress('GET', ADDRESS).finally(settled)
  await vi.advanceTimersByTimeAsync(1999)
  expect(settled).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(await counted).toMatchObject({ limit: 5, used: 1 })
  const second = meters.countAddress('GET', ADDRESS)
  await vi.advanceTimersByTimeAsync(2000)
  expect(await second).toMatchObject({ limit: 5, used: 2 })
})

test('where the gate lets a call in and cannot count it, this process counts', async () => {
  const granted = { user_id: 'u', client_id: 'c', role: 'owner' } as const
  const gate = { count: never, authorize: async () => ({ grant: granted, rateLimit: undefined }) }
  const { gate: safe } = createRateLimits({
    gate,
    countPersistentRateLimit: never,
    limits: HIGH_LIMITS,
    now: () => '2026-03-01T12:00:00.000Z',
  })
  const counter = { key: 'app:c:GET', limit: 2, seconds: 60 }
  const used = async () => (await safe.authorize({ workspace_id: 'w', id: 'g' }, counter))?.rateLimit?.used
  expect([await used(), await used(), await used()]).toEqual([1, 2, 3])
  expect(await safe.authorize({ workspace_id: 'w', id: 'g' }, undefined)).toEqual({
    grant: granted,
    rateLimit: undefined,
  })
})

test('a gate that answers in time decides, and nothing goes on waiting', async () => {
  const meters = metersOver(async () => ({
    limit: 5,
    used: 3,
    resetsAt: 1_772_366_460,
    retryAfterSeconds: 60,
  }))
  expect(await meters.countAddress('GET', ADDRESS)).toMatchObject({ limit: 5, used: 3 })
  expect(vi.getTimerCount()).toBe(0)
})

test('a gate that fails is not waited for, and one that fails late disturbs nobody', async () => {
  expect(
    await metersOver(() => Promise.reject(new Error('ECONNREFUSED'))).countAddress('GET', ADDRESS),
  ).toMatchObject({ used: 1 })
  expect(vi.getTimerCount()).toBe(0)
  const late = metersOver(
    () => new Promise((_, reject) => setTimeout(() => reject(new Error('timeout')), 20_000)),
  )
  const counted = late.countAddress('GET', ADDRESS)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(await counted).toMatchObject({ used: 1 })
})

test.each([STYLESHEET.path, '/sign-in', '/password/forgot', '/.well-known/oauth-authorization-server'])(
  'while the database is frozen, %s is answered after two seconds',
  async (path) => {
    const { app } = await openService(memoryStorage(), { gate: () => ({ count: never, authorize: never }) })
    const answer = sendRequest(app, 'GET', path)
    await vi.advanceTimersByTimeAsync(2000)
    expect((await answer).status).toBe(200)
  },
)
