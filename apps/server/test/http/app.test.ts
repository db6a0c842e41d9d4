import { SCOPES } from '@sales-crm/core'
import { memoryStorage } from '@sales-crm/core/memory'
import { expect, test } from 'vitest'
import { apiRoutes, checkScopes } from '../../src/http/routes/api-routes.ts'
import { errorOf, openService, openWorkspace, sendRequest } from '../support/test-service.ts'

const FAMILIES = [
  ['/v1/people', 'people'],
  ['/v1/companies', 'companies'],
  ['/v1/deals', 'deals'],
  ['/v1/pipelines', 'deals'],
  ['/v1/tasks', 'tasks'],
  ['/v1/task-types', 'tasks'],
  ['/v1/activities', 'activities'],
  ['/v1/products', 'products'],
  ['/v1/tags', 'tags'],
  ['/v1/lists', 'lists'],
  ['/v1/custom-fields', 'custom_fields'],
] as const
const SCOPED = FAMILIES.flatMap(([path, family]) => [
  ['GET', path, `${family}:read`],
  ['GET', `${path}/:id`, `${family}:read`],
  ['POST', path, `${family}:write`],
  ['PATCH', `${path}/:id`, `${family}:write`],
  ['DELETE', `${path}/:id`, `${family}:write`],
])
const WEBHOOKS = [
  ['GET', ''],
  ['GET', '/:id'],
  ['POST', ''],
  ['PATCH', '/:id'],
  ['DELETE', '/:id'],
  ['GET', '/:id/deliveries'],
  ['GET', '/:id/deliveries/:delivery_id'],
  ['POST', '/:id/deliveries/:delivery_id/redeliver'],
  ['POST', '/:id/test'],
].map(([method, path]) => [method, `/v1/webhooks${path}`, 'webhooks:manage'])

test('the routes are these, each with its scope', async () => {
  const { crm } = await openService(memoryStorage())
  expect(apiRoutes(crm).map(({ method, path, scope }) => [method, path, scope])).toEqual([
    ...SCOPED,
    ...WEBHOOKS,
    ['GET', '/v1/members', 'members:read'],
    ['GET', '/v1/workspace', null],
  ])
})

test.each([...SCOPED, ['GET', '/v1/members', 'members:read']] as [string, string, string][])(
  '%s %s is closed to a token with every scope but %s',
  async (method, path, scope) => {
    const acme = await openWorkspace(await openService(memoryStorage()))
    const token = await acme.tokenFor(
      acme.owner.email,
      SCOPES.filter((each) => each !== scope),
    )
    const body = method === 'POST' || method === 'PATCH' ? '{' : undefined
    const answer = await acme.call(method, path.replace(':id', 'any'), body, { token })
    expect([answer.status, errorOf(answer)]).toEqual([
      403,
      { code: 'insufficient_scope', message: `This endpoint requires the '${scope}' scope.` },
    ])
    expect(answer.headers.get('WWW-Authenticate')).toBe(`Bearer error="insufficient_scope", scope="${scope}"`)
  },
)

test('any valid token reads the workspace', async () => {
  const acme = await openWorkspace(await openService(memoryStorage()))
  const token = await acme.tokenFor(acme.owner.email, ['tags:read'])
  expect((await acme.call('GET', '/v1/workspace', undefined, { token })).json).toEqual({
    data: { id: acme.id, name: 'Acme', slug: acme.slug, locale: 'en-US', currency: 'USD', time_zone: 'UTC' },
  })
})

test.each([
  ['no scope that was not meant to', { method: 'GET', path: '/v1/people', scope: null }],
  ['a scope there is not', { method: 'GET', path: '/v1/people', scope: 'people:raed' }],
] as const)('a route with %s stops the start', (_, route) => {
  expect(() => checkScopes([route])).toThrow('GET /v1/people has no scope')
})

test('a path or a method that is not there is a 404', async () => {
  const { app } = await openService(memoryStorage())
  for (const [method, path] of [
    ['GET', '/v1'],
    ['GET', '/v1/person'],
    ['GET', '/v1/people/'],
    ['GET', '/v1/people/a/b'],
    ['GET', '/V1/people'],
    ['GET', '/v2/people'],
    ['GET', '//v1/people'],
    ['PUT', '/v1/people'],
    ['DELETE', '/v1/people'],
    ['POST', '/v1/people/a'],
    ['OPTIONS', '/v1/people'],
    ['POST', '/v1/members'],
    ['POST', '/healthz'],
  ] as const) {
    const answer = await sendRequest(app, method, path)
    expect([method, path, answer.status, errorOf(answer)]).toEqual([
      method,
      path,
      404,
      { code: 'not_found', message: 'Route not found.' },
    ])
  }
})

test('every answer has a fresh request id and says how it may be read', async () => {
  const acme = await openWorkspace(await openService(memoryStorage()))
  const headers = { 'X-Request-ID': '00000000-0000-4000-8000-000000000000' }
  const answers = [
    await acme.call('POST', '/v1/tasks', { title: 'Call' }, { headers }),
    await acme.call('POST', '/v1/tasks', '{', { headers }),
    await acme.call('GET', '/v1/tasks', undefined, { headers }),
    await acme.call('GET', '/v1/tasks/unknown', undefined, { headers }),
    await acme.call('GET', '/healthz', undefined, { headers }),
    await acme.call('GET', '/readyz', undefined, { headers }),
    await acme.call('GET', '/nowhere', undefined, { headers }),
    await acme.call('GET', '/v1/tasks', undefined, { headers, token: 'x' }),
  ]
  const ids = new Set(answers.map((answer) => answer.headers.get('X-Request-ID')))
  expect([ids.size, ids.has(headers['X-Request-ID'])]).toEqual([answers.length, false])
  for (const answer of answers) {
    expect(answer.headers.get('Content-Type')).toBe('application/json; charset=utf-8')
    expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff')
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
    const { error } = answer.json as { error?: { request_id: string } }
    if (answer.status >= 400) expect(error?.request_id).toBe(answer.headers.get('X-Request-ID'))
    else expect(error).toBeUndefined()
  }
})

test('an answer that cannot be written is an unexpected error like any other', async () => {
  const told: object[] = []
  const log = { info: () => {}, error: (line: object) => told.push(line) }
  const service = await openService(memoryStorage(), { log: log as never })
  const acme = await openWorkspace(service)
  service.crm.workspace.get = async () => ({ id: 1n }) as never
  const answer = await acme.call('GET', '/v1/workspace')
  expect([answer.status, errorOf(answer)]).toEqual([
    500,
    { code: 'internal_error', message: 'An unexpected error occurred.' },
  ])
  expect(answer.headers.get('X-Request-ID')).toMatch(/^[0-9a-f-]{36}$/)
  expect(told).toMatchObject([{ err: { message: expect.stringContaining('BigInt') } }])
})

test('HEAD has the status and headers of GET, and no body', async () => {
  const { app } = await openService(memoryStorage())
  const [got, headed] = [await app.request('/healthz'), await app.request('/healthz', { method: 'HEAD' })]
  expect([headed.status, await headed.text(), headed.headers.get('Content-Type')]).toEqual([
    200,
    '',
    got.headers.get('Content-Type'),
  ])
})

test('the process lives, whatever its database does', async () => {
  const { app } = await openService(memoryStorage(), { check: () => Promise.reject(new Error('no')) })
  expect((await sendRequest(app, 'GET', '/healthz')).json).toEqual({ data: { status: 'ok' } })
  const answer = await sendRequest(app, 'GET', '/readyz?x=1')
  expect([answer.status, errorOf(answer)]).toEqual([
    503,
    { code: 'internal_error', message: 'An unexpected error occurred.' },
  ])
})

test('a service that is about to stop is not ready', async () => {
  const { app } = await openService(memoryStorage())
  expect((await app.request('/readyz', {}, { draining: true })).status).toBe(503)
  expect((await app.request('/readyz', {}, { draining: false })).status).toBe(200)
})
