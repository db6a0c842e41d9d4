import { memoryStorage } from '@sales-crm/core/memory'
import type { AccessGate } from '@sales-crm/core/ports'
import { expect, test } from 'vitest'
import { describeEachStore } from '../support/stores.ts'
import {
  errorOf,
  openService,
  openWorkspace,
  sendRequest,
  type TestResponse,
} from '../support/test-service.ts'

const LIMITS = { GET: 5, POST: 4, PATCH: 3, DELETE: 2 }
/** A minute after noon on 1 March 2026, when the tests' clock starts. */
const RESET = String(Date.parse('2026-03-01T12:01:00Z') / 1000)
const BUSY = { code: 'rate_limit_exceeded', message: 'Rate limit exceeded. Try again in 60 seconds.' }

function limitHeaders({ headers }: Pick<TestResponse, 'headers'>): (string | null)[] {
  return ['Limit', 'Remaining', 'Reset'].map((name) => headers.get(`X-RateLimit-${name}`))
}

/** Counts by the test's clock. */
const byTestClock = (local: AccessGate) => local

describeEachStore('an app', (open) => {
  test("is limited by its store's gate", async () => {
    const service = await openService(await open(), { limits: LIMITS })
    const acme = await openWorkspace(service)
    const statuses = await Promise.all(
      Array.from({ length: 8 }, () => acme.call('GET', '/v1/people').then(({ status }) => status)),
    )
    expect(statuses.sort()).toEqual([200, 200, 200, 200, 200, 429, 429, 429])
    const errorResponse = await acme.call('GET', '/v1/people')
    const retryAfter = errorResponse.headers.get('Retry-After')
    expect(Number(retryAfter)).toBeGreaterThan(50)
    expect([errorResponse.status, errorOf(errorResponse)['message']]).toEqual([
      429,
      `Rate limit exceeded. Try again in ${retryAfter} seconds.`,
    ])
    expect((await acme.call('POST', '/v1/tasks', { title: 'Call' })).status).toBe(201)
  })

  test('gets 401 from the first request after its member was removed', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const bob = await acme.addMember('bob', 'member')
    expect((await acme.call('GET', '/v1/people', undefined, { token: bob.token })).status).toBe(200)
    await service.crm.operator.removeMember({ workspace: acme.slug, email: bob.email })
    const errorResponse = await acme.call('GET', '/v1/people', undefined, { token: bob.token })
    expect([errorResponse.status, errorOf(errorResponse)['message']]).toEqual([
      401,
      'Invalid or malformed token.',
    ])
    expect((await acme.call('GET', '/v1/people')).status).toBe(200)
  })

  test('may send exactly the limit of each method per minute', async () => {
    const service = await openService(await open(), { limits: { ...LIMITS, POST: 20 }, gate: byTestClock })
    const acme = await openWorkspace(service)
    const { id } = await acme.createRecord('/v1/tasks', { title: 'Call' })
    const path = `/v1/tasks/${id}`
    for (const [method, limit, body] of [
      ['GET', 5],
      ['PATCH', 3, { notes: 'n' }],
      ['DELETE', 2],
    ] as const) {
      for (let used = 1; used <= limit; used += 1) {
        const response = await acme.call(method, method === 'DELETE' ? '/v1/tasks/unknown' : path, body)
        expect([method, response.status === 429, ...limitHeaders(response)]).toEqual([
          method,
          false,
          String(limit),
          String(limit - used),
          RESET,
        ])
      }
      const errorResponse = await acme.call(method, path, body)
      expect([
        errorResponse.status,
        errorOf(errorResponse),
        errorResponse.headers.get('Retry-After'),
        ...limitHeaders(errorResponse),
      ]).toEqual([429, BUSY, '60', String(limit), '0', RESET])
    }
    service.advanceClock(59_999)
    const lateResponse = await acme.call('GET', path)
    expect([
      lateResponse.status,
      lateResponse.headers.get('Retry-After'),
      errorOf(lateResponse)['message'],
    ]).toEqual([429, '1', 'Rate limit exceeded. Try again in 1 seconds.'])
    service.advanceClock(1)
    const nextWindow = await acme.call('GET', path)
    expect([nextWindow.status, ...limitHeaders(nextWindow)]).toEqual([
      200,
      '5',
      '4',
      String(Number(RESET) + 60),
    ])
  })

  test('above its limit changes nothing', async () => {
    const service = await openService(await open(), { limits: LIMITS })
    const acme = await openWorkspace(service)
    for (let count = 1; count <= LIMITS.POST; count += 1)
      await acme.createRecord('/v1/tasks', { title: 'Call' })
    expect((await acme.call('POST', '/v1/tasks', { title: 'Call' })).status).toBe(429)
    expect((await acme.call('GET', '/v1/tasks')).json).toMatchObject({ meta: { total: LIMITS.POST } })
  })
})

test('counts requests without a valid token for their address: 401 up to the limit, then 429', async () => {
  const service = await openService(memoryStorage(), { limits: LIMITS })
  const acme = await openWorkspace(service)
  for (let remaining = 4; remaining >= 0; remaining -= 1) {
    const response = await sendRequest(service.app, 'GET', '/v1/people')
    expect([response.status, ...limitHeaders(response)]).toEqual([401, '5', String(remaining), RESET])
  }
  expect(errorOf(await sendRequest(service.app, 'GET', '/v1/people'))).toEqual(BUSY)
  expect((await acme.call('GET', '/v1/people')).status).toBe(200)
})

test('counts an unknown path for its address and still returns 404', async () => {
  const { app } = await openService(memoryStorage(), { limits: LIMITS })
  for (const remaining of ['2', '1', '0', '0']) {
    const response = await sendRequest(app, 'PATCH', '/v1/nothing')
    expect([response.status, errorOf(response), ...limitHeaders(response)]).toEqual([
      404,
      { code: 'not_found', message: 'Route not found.' },
      '3',
      remaining,
      RESET,
    ])
  }
})

test('an unknown path beyond the limit gets no hint, and has to connect again', async () => {
  const { app } = await openService(memoryStorage(), { limits: LIMITS })
  const outcomes = []
  for (let call = 0; call < 4; call += 1) {
    const response = await sendRequest(app, 'PATCH', '/v1/peple/1')
    outcomes.push([errorOf(response)['fields'], response.headers.get('Connection')])
  }
  const hint = [{ path: 'Did you mean /v1/people/1?' }, null]
  expect(outcomes).toEqual([hint, hint, hint, [undefined, 'close']])
})

test('a call beyond a limit has to connect again', async () => {
  const { call } = await openWorkspace(await openService(memoryStorage(), { limits: LIMITS }))
  const responses = []
  for (let index = 0; index < 6; index += 1) responses.push(await call('GET', '/v1/workspace'))
  expect(responses.map(({ status, headers }) => [status, headers.get('Connection')])).toEqual([
    ...Array(5).fill([200, null]),
    [429, 'close'],
  ])
})

test('counts unknown paths and missing tokens together', async () => {
  const { app } = await openService(memoryStorage(), { limits: LIMITS })
  await sendRequest(app, 'GET', '/v1/nothing')
  expect(limitHeaders(await sendRequest(app, 'GET', '/v1/people'))).toEqual(['5', '3', RESET])
})

test('HEAD counts as GET', async () => {
  const { app } = await openService(memoryStorage(), { limits: LIMITS })
  await app.request('/v1/people', { method: 'HEAD' })
  expect(limitHeaders(await sendRequest(app, 'GET', '/v1/people'))).toEqual(['5', '3', RESET])
})

test('counts each app and each address separately', async () => {
  const service = await openService(memoryStorage(), { limits: LIMITS, trustProxy: 1 })
  const [acme, rival] = [await openWorkspace(service), await openWorkspace(service)]
  await acme.call('GET', '/v1/people')
  expect(limitHeaders(await rival.call('GET', '/v1/people'))).toEqual(['5', '4', RESET])
  const requestFrom = (forwarded: string) =>
    sendRequest(service.app, 'GET', '/v1/people', undefined, { headers: { 'X-Forwarded-For': forwarded } })
  expect(limitHeaders(await requestFrom('10.0.0.1'))).toEqual(['5', '4', RESET])
  expect(limitHeaders(await requestFrom('10.9.9.9, 10.0.0.1'))).toEqual(['5', '3', RESET])
  expect(limitHeaders(await requestFrom('10.0.0.2'))).toEqual(['5', '4', RESET])
})

test('ignores X-Forwarded-For without a trusted proxy', async () => {
  const { app } = await openService(memoryStorage(), { limits: LIMITS })
  const requestFrom = (forwarded: string) =>
    sendRequest(app, 'GET', '/v1/people', undefined, { headers: { 'X-Forwarded-For': forwarded } })
  await requestFrom('10.0.0.1')
  expect(limitHeaders(await requestFrom('10.0.0.2'))).toEqual(['5', '3', RESET])
})

test('a limit of 0 means unlimited and sends no headers', async () => {
  const service = await openService(memoryStorage(), { limits: { GET: 0, POST: 0, PATCH: 0, DELETE: 0 } })
  const acme = await openWorkspace(service)
  const responses = [
    await acme.call('GET', '/v1/people'),
    await sendRequest(service.app, 'GET', '/v1/people'),
    await sendRequest(service.app, 'GET', '/x'),
    await sendRequest(service.app, 'GET', '/healthz'),
  ]
  expect(responses.map((response) => [response.status, ...limitHeaders(response)])).toEqual(
    [200, 401, 404, 200].map((status) => [status, null, null, null]),
  )
})

test('does not limit health checks', async () => {
  const { app } = await openService(memoryStorage(), { limits: LIMITS })
  for (let count = 0; count < 20; count += 1)
    expect((await sendRequest(app, 'GET', '/healthz')).status).toBe(200)
  expect(limitHeaders(await sendRequest(app, 'GET', '/readyz'))).toEqual(['5', '0', RESET])
  expect(limitHeaders(await sendRequest(app, 'GET', '/v1/people'))).toEqual(['5', '4', RESET])
})

test('counts in this process while the database is down, and authorizes nobody', async () => {
  const failToConnect = async () => {
    throw new Error('connect ECONNREFUSED')
  }
  const gate = (): AccessGate => ({ count: failToConnect, authorize: failToConnect })
  const service = await openService(memoryStorage(), { limits: LIMITS, gate })
  const acme = await openWorkspace(service)
  const errorResponse = await acme.call('GET', '/v1/people')
  expect([errorResponse.status, errorOf(errorResponse), ...limitHeaders(errorResponse)]).toEqual([
    500,
    { code: 'internal_error', message: 'An unexpected error occurred.' },
    '5',
    '4',
    RESET,
  ])
  for (let used = 0; used < LIMITS.GET; used += 1)
    expect((await sendRequest(service.app, 'GET', '/v1/people')).status).toBe(401)
  expect(errorOf(await sendRequest(service.app, 'GET', '/v1/people'))).toEqual(BUSY)
})
