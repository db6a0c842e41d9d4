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
/** Noon on 1 March 2026, when the tests' clock starts, and a minute. */
const RESET = String(Date.parse('2026-03-01T12:01:00Z') / 1000)
const BUSY = { code: 'rate_limit_exceeded', message: 'Rate limit exceeded. Try again in 60 seconds.' }

function limitHeaders({ headers }: Pick<TestResponse, 'headers'>): (string | null)[] {
  return ['Limit', 'Remaining', 'Reset'].map((name) => headers.get(`X-RateLimit-${name}`))
}

/** The clock of the test decides. */
const byTestClock = (local: AccessGate) => local

describeEachStore('an app', (open) => {
  test('is held to its limits by the gate of its store', async () => {
    const service = await openService(await open(), { limits: LIMITS })
    const acme = await openWorkspace(service)
    const statuses = await Promise.all(
      Array.from({ length: 8 }, () => acme.call('GET', '/v1/people').then(({ status }) => status)),
    )
    expect(statuses.sort()).toEqual([200, 200, 200, 200, 200, 429, 429, 429])
    const refused = await acme.call('GET', '/v1/people')
    const wait = refused.headers.get('Retry-After')
    expect(Number(wait)).toBeGreaterThan(50)
    expect([refused.status, errorOf(refused)['message']]).toEqual([
      429,
      `Rate limit exceeded. Try again in ${wait} seconds.`,
    ])
    expect((await acme.call('POST', '/v1/tasks', { title: 'Call' })).status).toBe(201)
  })

  test('is out with the next call once its member is removed', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const bob = await acme.addMember('bob', 'member')
    expect((await acme.call('GET', '/v1/people', undefined, { token: bob.token })).status).toBe(200)
    await service.crm.operator.removeMember({ workspace: acme.slug, email: bob.email })
    const refused = await acme.call('GET', '/v1/people', undefined, { token: bob.token })
    expect([refused.status, errorOf(refused)['message']]).toEqual([401, 'Invalid or malformed token.'])
    expect((await acme.call('GET', '/v1/people')).status).toBe(200)
  })

  test('may make exactly as many calls of each method as the limit, a minute at a time', async () => {
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
        const answer = await acme.call(method, method === 'DELETE' ? '/v1/tasks/unknown' : path, body)
        expect([method, answer.status === 429, ...limitHeaders(answer)]).toEqual([
          method,
          false,
          String(limit),
          String(limit - used),
          RESET,
        ])
      }
      const refused = await acme.call(method, path, body)
      expect([
        refused.status,
        errorOf(refused),
        refused.headers.get('Retry-After'),
        ...limitHeaders(refused),
      ]).toEqual([429, BUSY, '60', String(limit), '0', RESET])
    }
    service.advanceClock(59_999)
    const late = await acme.call('GET', path)
    expect([late.status, late.headers.get('Retry-After'), errorOf(late)['message']]).toEqual([
      429,
      '1',
      'Rate limit exceeded. Try again in 1 seconds.',
    ])
    service.advanceClock(1)
    const again = await acme.call('GET', path)
    expect([again.status, ...limitHeaders(again)]).toEqual([200, '5', '4', String(Number(RESET) + 60)])
  })

  test('that is refused changes nothing', async () => {
    const service = await openService(await open(), { limits: LIMITS })
    const acme = await openWorkspace(service)
    for (let made = 1; made <= LIMITS.POST; made += 1) await acme.createRecord('/v1/tasks', { title: 'Call' })
    expect((await acme.call('POST', '/v1/tasks', { title: 'Call' })).status).toBe(429)
    expect((await acme.call('GET', '/v1/tasks')).json).toMatchObject({ meta: { total: LIMITS.POST } })
  })
})

test('calls without a good token count for their address, and are told 401 until it has had enough', async () => {
  const service = await openService(memoryStorage(), { limits: LIMITS })
  const acme = await openWorkspace(service)
  for (let left = 4; left >= 0; left -= 1) {
    const answer = await sendRequest(service.app, 'GET', '/v1/people')
    expect([answer.status, ...limitHeaders(answer)]).toEqual([401, '5', String(left), RESET])
  }
  expect(errorOf(await sendRequest(service.app, 'GET', '/v1/people'))).toEqual(BUSY)
  expect((await acme.call('GET', '/v1/people')).status).toBe(200)
})

test('an unknown path counts for its address and stays a 404', async () => {
  const { app } = await openService(memoryStorage(), { limits: LIMITS })
  for (const left of ['2', '1', '0', '0']) {
    const answer = await sendRequest(app, 'PUT', '/v1/people')
    expect([answer.status, errorOf(answer), ...limitHeaders(answer)]).toEqual([
      404,
      { code: 'not_found', message: 'Route not found.' },
      '3',
      left,
      RESET,
    ])
  }
})

test('an unknown path and a missing token count together', async () => {
  const { app } = await openService(memoryStorage(), { limits: LIMITS })
  await sendRequest(app, 'GET', '/v1/nothing')
  expect(limitHeaders(await sendRequest(app, 'GET', '/v1/people'))).toEqual(['5', '3', RESET])
})

test('HEAD counts as GET', async () => {
  const { app } = await openService(memoryStorage(), { limits: LIMITS })
  await app.request('/v1/people', { method: 'HEAD' })
  expect(limitHeaders(await sendRequest(app, 'GET', '/v1/people'))).toEqual(['5', '3', RESET])
})

test('each app and each address has windows of its own', async () => {
  const service = await openService(memoryStorage(), { limits: LIMITS, trustProxy: 1 })
  const [acme, rival] = [await openWorkspace(service), await openWorkspace(service)]
  await acme.call('GET', '/v1/people')
  expect(limitHeaders(await rival.call('GET', '/v1/people'))).toEqual(['5', '4', RESET])
  const from = (forwarded: string) =>
    sendRequest(service.app, 'GET', '/v1/people', undefined, { headers: { 'X-Forwarded-For': forwarded } })
  expect(limitHeaders(await from('10.0.0.1'))).toEqual(['5', '4', RESET])
  expect(limitHeaders(await from('10.9.9.9, 10.0.0.1'))).toEqual(['5', '3', RESET])
  expect(limitHeaders(await from('10.0.0.2'))).toEqual(['5', '4', RESET])
})

test('a caller cannot choose its address where no proxy is trusted', async () => {
  const { app } = await openService(memoryStorage(), { limits: LIMITS })
  const from = (forwarded: string) =>
    sendRequest(app, 'GET', '/v1/people', undefined, { headers: { 'X-Forwarded-For': forwarded } })
  await from('10.0.0.1')
  expect(limitHeaders(await from('10.0.0.2'))).toEqual(['5', '3', RESET])
})

test('a limit of 0 is none, and says nothing', async () => {
  const service = await openService(memoryStorage(), { limits: { GET: 0, POST: 0, PATCH: 0, DELETE: 0 } })
  const acme = await openWorkspace(service)
  const answers = [
    await acme.call('GET', '/v1/people'),
    await sendRequest(service.app, 'GET', '/v1/people'),
    await sendRequest(service.app, 'GET', '/x'),
    await sendRequest(service.app, 'GET', '/healthz'),
  ]
  expect(answers.map((answer) => [answer.status, ...limitHeaders(answer)])).toEqual(
    [200, 401, 404, 200].map((status) => [status, null, null, null]),
  )
})

test('the health of the service can be asked without end', async () => {
  const { app } = await openService(memoryStorage(), { limits: LIMITS })
  for (let asked = 0; asked < 20; asked += 1)
    expect((await sendRequest(app, 'GET', '/healthz')).status).toBe(200)
  expect(limitHeaders(await sendRequest(app, 'GET', '/readyz'))).toEqual(['5', '0', RESET])
  expect(limitHeaders(await sendRequest(app, 'GET', '/v1/people'))).toEqual(['5', '4', RESET])
})

test('while the database is down, limits go on in this process and nothing is let in', async () => {
  const down = async () => {
    throw new Error('connect ECONNREFUSED')
  }
  const gate = (): AccessGate => ({ count: down, authorize: down })
  const service = await openService(memoryStorage(), { limits: LIMITS, gate })
  const acme = await openWorkspace(service)
  const failed = await acme.call('GET', '/v1/people')
  expect([failed.status, errorOf(failed), ...limitHeaders(failed)]).toEqual([
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
