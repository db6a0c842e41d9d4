import { randomInt } from 'node:crypto'
import { memoryStorage } from '@sales-crm/core/memory'
import type { AccessGate, Storage } from '@sales-crm/core/ports'
import { expect, test } from 'vitest'
import {
  authorizationParameters,
  authorize,
  exchangeCode,
  obtainCode,
  postForm,
} from '../support/oauth-requests.ts'
import { describeEachStore, describePersistentStores } from '../support/stores.ts'
import {
  errorOf,
  openService,
  openWorkspace,
  type Service,
  sendRequest,
  type TestResponse,
} from '../support/test-service.ts'

const LIMITS = { OAUTH: 20, REGISTER: 10 }
/** One minute after noon on 1 March 2026, when the test clock starts. */
const RESET = String(Date.parse('2026-03-01T12:01:00Z') / 1000)
const HOUR = 3_600_000

const ENDPOINTS = [
  ['POST', '/oauth/token'],
  ['POST', '/oauth/revoke'],
  ['GET', '/oauth/authorize'],
] as const
const HOURLY = ['/v1/auth/register-app', '/v1/auth/rotate-app']

function limitHeaders({ headers }: Pick<TestResponse, 'headers'>): (string | null)[] {
  return ['Limit', 'Remaining', 'Reset'].map((name) => headers.get(`X-RateLimit-${name}`))
}

/** Returns a random address, since tests that share a database share its rate limits. */
function randomAddress(): string {
  return [10, randomInt(256), randomInt(256), randomInt(256)].join('.')
}

function from(address: string) {
  return { headers: { 'X-Forwarded-For': address } }
}

describeEachStore('OAuth rate limits', (open) => {
  test('allow twenty calls a minute per address and endpoint', async () => {
    const service = await openService(await open(), { limits: LIMITS, gate: (local) => local, trustProxy: 1 })
    const [address, other] = [randomAddress(), randomAddress()]
    for (const [method, path] of ENDPOINTS) {
      for (let remaining = 19; remaining >= 0; remaining -= 1) {
        const response = await sendRequest(service.app, method, path, undefined, from(address))
        expect([response.status, ...limitHeaders(response)]).toEqual([400, '20', String(remaining), RESET])
      }
      const rejected = await sendRequest(service.app, method, path, undefined, from(address))
      expect([
        rejected.status,
        errorOf(rejected),
        rejected.headers.get('Retry-After'),
        ...limitHeaders(rejected),
      ]).toEqual([
        429,
        { code: 'rate_limit_exceeded', message: 'Rate limit exceeded. Try again in 60 seconds.' },
        '60',
        '20',
        '0',
        RESET,
      ])
      expect((await sendRequest(service.app, method, path, undefined, from(other))).status).toBe(400)
    }
    service.advanceClock(60_000)
    expect(
      limitHeaders(await sendRequest(service.app, 'POST', '/oauth/token', undefined, from(address))),
    ).toEqual(['20', '19', String(Number(RESET) + 60)])
  })

  test('are enforced by the access gate of the store', async () => {
    const service = await openService(await open(), { limits: LIMITS })
    const responses = await Promise.all(
      Array.from({ length: 30 }, () => postForm(service.app, '/oauth/token', {})),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([
      ...Array(20).fill(400),
      ...Array(10).fill(429),
    ])
  })

  test('allow ten registrations and ten rotations an hour', async () => {
    const service = await openService(await open(), { limits: LIMITS, trustProxy: 1 })
    const address = randomAddress()
    for (const path of HOURLY) {
      const responses = await Promise.all(
        Array.from({ length: 20 }, () => sendRequest(service.app, 'POST', path, {}, from(address))),
      )
      expect(responses.map(({ status }) => status).sort()).toEqual([
        ...Array(10).fill(400),
        ...Array(10).fill(429),
      ])
      const rejected = await sendRequest(service.app, 'POST', path, {}, from(address))
      expect([rejected.headers.get('Retry-After'), ...limitHeaders(rejected)]).toEqual([
        '3600',
        '10',
        '0',
        String(Number(RESET) + 3540),
      ])
    }
    service.advanceClock(HOUR)
    expect((await sendRequest(service.app, 'POST', HOURLY[0]!, {}, from(address))).status).toBe(400)
  })

  test('reject a call without using its code', async () => {
    const service = await openService(await open(), {
      limits: { ...LIMITS, OAUTH: 1 },
      gate: (local) => local,
    })
    const acme = await openWorkspace(service)
    const code = await obtainCode(service, acme)
    await postForm(service.app, '/oauth/token', {})
    expect((await exchangeCode(service, acme, code)).status).toBe(429)
    service.advanceClock(60_000)
    expect((await exchangeCode(service, acme, code)).status).toBe(200)
  })
})

describePersistentStores('the limit of ten registrations an hour', (openDatabase) => {
  test('survives a restart', async () => {
    const { open } = await openDatabase()
    const address = randomAddress()
    const statusOf = async ({ app }: Service) =>
      (await sendRequest(app, 'POST', '/v1/auth/register-app', {}, from(address))).status
    const first = await open()
    const before = await openService(first, { limits: LIMITS, trustProxy: 1 })
    for (let times = 0; times < 10; times += 1) expect(await statusOf(before)).toBe(400)
    await first.close()
    const after = await openService(await open(), { limits: LIMITS, trustProxy: 1 })
    expect(await statusOf(after)).toBe(429)
    after.advanceClock(HOUR)
    expect(await statusOf(after)).toBe(400)
  })
})

test('ignores X-Forwarded-For if no proxy is trusted', async () => {
  const service = await openService(memoryStorage(), { limits: LIMITS })
  for (let times = 0; times < 20; times += 1)
    await sendRequest(service.app, 'POST', '/oauth/token', undefined, from(randomAddress()))
  expect(
    (await sendRequest(service.app, 'POST', '/oauth/token', undefined, from(randomAddress()))).status,
  ).toBe(429)
})

test('API calls and OAuth calls have separate rate limits', async () => {
  const service = await openService(memoryStorage(), { limits: { GET: 1, POST: 1, ...LIMITS } })
  const acme = await openWorkspace(service)
  expect((await authorize(service.app, authorizationParameters(acme))).status).toBe(303)
  expect((await authorize(service.app, authorizationParameters(acme))).status).toBe(303)
  expect((await acme.call('GET', '/v1/workspace')).status).toBe(200)
})

test('a limit of 0 disables the rate limit and its headers', async () => {
  const service = await openService(memoryStorage(), { limits: { OAUTH: 0, REGISTER: 0 } })
  const paths = [...ENDPOINTS, ...HOURLY.map((path) => ['POST', path] as const)]
  for (const [method, path] of paths) {
    const response = await sendRequest(service.app, method, path, method === 'POST' ? {} : undefined)
    expect([response.status, ...limitHeaders(response)]).toEqual([400, null, null, null])
  }
})

test('a browser above the limit gets a page with Retry-After', async () => {
  const { app } = await openService(memoryStorage(), { limits: { OAUTH: 1 } })
  const headers = { Accept: 'text/html' }
  await app.request('/oauth/authorize', { headers })
  const page = await app.request('/oauth/authorize', { headers })
  expect([page.status, page.headers.get('Retry-After'), page.headers.get('Content-Type')]).toEqual([
    429,
    '60',
    'text/html; charset=utf-8',
  ])
})

test('without the database, tokens are still rate-limited and registration fails', async () => {
  const failAsDown = async () => {
    throw new Error('connect ECONNREFUSED')
  }
  const storage: Storage = { ...memoryStorage(), transact: failAsDown, read: failAsDown }
  const gate = (): AccessGate => ({ count: failAsDown, authorize: failAsDown })
  const service = await openService(storage, { limits: { OAUTH: 2, REGISTER: 2 }, gate })
  const client = { client_id: '0199aaaa-0000-7000-8000-000000000000', client_secret: 'x' }
  const statuses = async (send: () => Promise<TestResponse>) =>
    [await send(), await send(), await send()].map(({ status }) => status)
  expect(await statuses(() => exchangeCode(service, client, 'x'))).toEqual([500, 500, 429])
  const register = () => sendRequest(service.app, 'POST', '/v1/auth/register-app', {})
  expect(await statuses(register)).toEqual([500, 500, 500])
  expect(errorOf(await register())).toEqual({
    code: 'internal_error',
    message: 'An unexpected error occurred.',
  })
})
