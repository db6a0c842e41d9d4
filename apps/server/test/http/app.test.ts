import { SCOPES } from '@sales-crm/core'
import { memoryStorage } from '@sales-crm/core/memory'
import { expect, test } from 'vitest'
import { createAuthenticateCall, createAuthorize } from '../../src/http/middleware/authorize.ts'
import { isApiRoute } from '../../src/http/routes/route.ts'
import { listDocumentedRoutes } from '../support/openapi-document.ts'
import { errorOf, openService, openWorkspace, sendRequest } from '../support/test-service.ts'

const FAMILIES = [
  ['/v1/people', 'people'],
  ['/v1/companies', 'companies'],
  ['/v1/deals', 'deals'],
  ['/v1/pipelines', 'deals'],
  ['/v1/lost-reasons', 'deals'],
  ['/v1/targets', 'deals'],
  ['/v1/tasks', 'tasks'],
  ['/v1/task-types', 'tasks'],
  ['/v1/activities', 'activities'],
  ['/v1/products', 'products'],
  ['/v1/tags', 'tags'],
  ['/v1/lists', 'lists'],
  ['/v1/custom-fields', 'custom_fields'],
  ['/v1/views', 'views'],
] as const
const WITH_ASSOCIATIONS = ['/v1/people', '/v1/companies', '/v1/deals']
const WITH_UPSERT = [...WITH_ASSOCIATIONS, '/v1/products']
const WITH_EXPORT = [...WITH_UPSERT, '/v1/tasks', '/v1/activities']
const WITH_QUERY = [...WITH_UPSERT, '/v1/tasks']
const WITH_BATCH = [...WITH_EXPORT, '/v1/tags', '/v1/lists']
const SCOPED = FAMILIES.flatMap(([path, kind]) => [
  ['GET', path, `${kind}:read`],
  ['GET', `${path}/:id`, `${kind}:read`],
  ['POST', path, `${kind}:write`],
  ['PATCH', `${path}/:id`, `${kind}:write`],
  ['DELETE', `${path}/:id`, `${kind}:write`],
  ...(path === '/v1/pipelines' ? [['GET', `${path}/:id/board`, `${kind}:read`]] : []),
  ...(WITH_EXPORT.includes(path) ? [['GET', `${path}/export`, `${kind}:read`]] : []),
  ...(WITH_BATCH.includes(path) ? [['POST', `${path}/batch`, `${kind}:write`]] : []),
  ...(path === '/v1/views' ? [['GET', `${path}/counts`, `${kind}:read`]] : []),
  ...(WITH_QUERY.includes(path)
    ? [
        ['POST', `${path}/query`, `${kind}:read`],
        ['POST', `${path}/bulk`, `${kind}:write`],
      ]
    : []),
  ...(WITH_UPSERT.includes(path) ? [['POST', `${path}/upsert`, `${kind}:write`]] : []),
  ...(WITH_ASSOCIATIONS.includes(path)
    ? [
        ['GET', `${path}/:id/timeline`, `${kind}:read`],
        ['POST', `${path}/:id/memberships`, `${kind}:write`],
      ]
    : []),
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
  ['POST', '/:id/take-over'],
  ['POST', '/:id/test'],
].map(([method, path]) => [method, `/v1/webhooks${path}`, 'webhooks:manage'])

const LINE_ITEMS = [
  ['GET', '', 'deals:read'],
  ['POST', '', 'deals:write'],
  ['PUT', '', 'deals:write'],
  ['PATCH', '/:item_id', 'deals:write'],
  ['DELETE', '/:item_id', 'deals:write'],
].map(([method, path, scope]) => [method, `/v1/deals/:id/items${path}`, scope])
const OFFERS = [
  ['GET', '', 'deals:read'],
  ['POST', '', 'deals:write'],
  ['GET', '/:offer_id', 'deals:read'],
  ['GET', '/:offer_id/pdf', 'deals:read'],
  ['POST', '/:offer_id/link', 'deals:write'],
  ['DELETE', '/:offer_id/link', 'deals:write'],
].map(([method, path, scope]) => [method, `/v1/deals/:id/offers${path}`, scope])
const FUNNEL = ['GET', '/v1/reports/funnel', 'deals:read']
const NOTIFICATIONS = [
  ['GET', '/v1/following', null],
  ['GET', '/v1/notifications', null],
  ['PATCH', '/v1/notifications', null],
  ['PATCH', '/v1/notifications/:id', null],
  ...['people', 'companies', 'deals', 'tasks'].flatMap((kind) =>
    ['PUT', 'DELETE'].map((method) => [method, `/v1/${kind}/:id/following`, `${kind}:read`]),
  ),
]
const LOST_REASONS = ['GET', '/v1/reports/lost-reasons', 'deals:read']
const COMPLETED_TASKS = ['GET', '/v1/reports/completed-tasks', 'tasks:read']
const TARGETS_REPORT = ['GET', '/v1/reports/targets', 'deals:read']
const PIPELINE_REPORT = ['GET', '/v1/reports/pipeline', 'deals:read']
const MEMBERS = [
  ['GET', '/v1/members/invitations', 'members:manage'],
  ['POST', '/v1/members/invitations', 'members:manage'],
  ['POST', '/v1/members/invitations/:id/resend', 'members:manage'],
  ['DELETE', '/v1/members/invitations/:id', 'members:manage'],
  ['GET', '/v1/members', 'members:read'],
  ['GET', '/v1/members/:id', 'members:read'],
  ['PATCH', '/v1/members/:id', 'members:manage'],
  ['DELETE', '/v1/members/:id', 'members:manage'],
]
const TEAMS = [
  ['GET', '', 'members:read'],
  ['POST', '', 'members:manage'],
  ['GET', '/:id', 'members:read'],
  ['PATCH', '/:id', 'members:manage'],
  ['DELETE', '/:id', 'members:manage'],
].map(([method, path, scope]) => [method, `/v1/teams${path}`, scope])
const SHARES = ['people', 'companies', 'deals', 'tasks'].flatMap((kind) => [
  ['GET', `/v1/${kind}/:id/shares`, `${kind}:read`],
  ['PUT', `/v1/${kind}/:id/shares`, `${kind}:write`],
  ['GET', `/v1/${kind}/:id/viewers`, `${kind}:read`],
])
const WORKSPACE = [
  ['PATCH', '/v1/workspace', 'workspace:manage'],
  ['POST', '/v1/workspace/archive-link', 'workspace:manage'],
  ['POST', '/v1/workspace/examples', 'workspace:manage'],
  ['DELETE', '/v1/workspace/examples', 'workspace:manage'],
]
const IMPORTS = [
  ['GET', '', 'imports:read'],
  ['POST', '', 'imports:write'],
  ['GET', '/:id', 'imports:read'],
  ['PATCH', '/:id', 'imports:write'],
  ['DELETE', '/:id', 'imports:write'],
  ['PUT', '/:id/file', 'imports:write'],
  ['GET', '/:id/failed-rows', 'imports:read'],
  ['GET', '/:id/kept', 'imports:read'],
  ...['check', 'run', 'pause', 'resume', 'cancel', 'revert', 'decisions'].map((step) => [
    'POST',
    `/:id/${step}`,
    'imports:write',
  ]),
].map(([method, path, scope]) => [method, `/v1/imports${path}`, scope])
const BULK = [
  ['GET', ''],
  ['GET', '/:id'],
  ['GET', '/:id/failures'],
  ['POST', '/:id/stop'],
  ['POST', '/:id/revert'],
].map(([method, path]) => [method, `/v1/bulk-changes${path}`, null])
const OTHERS = [
  ...BULK,
  ...LINE_ITEMS,
  ...OFFERS,
  FUNNEL,
  LOST_REASONS,
  COMPLETED_TASKS,
  TARGETS_REPORT,
  PIPELINE_REPORT,
  ['GET', '/v1/reports/aggregate', null],
  ['GET', '/v1/search', null],
  ['GET', '/v1/me', null],
  ['PATCH', '/v1/me', null],
  ['POST', '/v1/me/calendar-feed', null],
  ['DELETE', '/v1/me/calendar-feed', null],
  ...NOTIFICATIONS,
  ...IMPORTS,
  ...MEMBERS,
  ...TEAMS,
  ...SHARES,
  ['GET', '/v1/workspace', null],
  ...WORKSPACE,
]

test('serves exactly these routes of the API, with these scopes', async () => {
  const { app } = await openService(memoryStorage())
  const documented = listDocumentedRoutes()
  const scopes = documented.flatMap((route) =>
    isApiRoute(route) ? [[route.method, route.path, route.access.scope].join(' ')] : [],
  )
  expect(scopes.toSorted()).toEqual(
    [...SCOPED, ...WEBHOOKS, ...OTHERS].map((each) => each.join(' ')).toSorted(),
  )
  const served = app.routes.filter(({ path }) => path.startsWith('/v1/'))
  expect([...new Set(served.map(({ method, path }) => `${method} ${path}`))].toSorted()).toEqual(
    documented
      .filter(({ path }) => path.startsWith('/v1/'))
      .map(({ method, path }) => `${method} ${path}`)
      .toSorted(),
  )
})

test.each([
  ...SCOPED,
  ...LINE_ITEMS,
  ...OFFERS,
  FUNNEL,
  LOST_REASONS,
  COMPLETED_TASKS,
  TARGETS_REPORT,
  PIPELINE_REPORT,
  ...MEMBERS,
  ...WORKSPACE,
] as [string, string, string][])(
  '%s %s requires its scope: a token with every scope but %s gets 403',
  async (method, path, scope) => {
    const acme = await openWorkspace(await openService(memoryStorage()))
    const token = await acme.tokenFor(
      acme.owner.email,
      SCOPES.filter((granted) => granted !== scope),
    )
    const body = method === 'POST' || method === 'PATCH' ? '{' : undefined
    const response = await acme.call(method, path.replace(':id', 'any'), body, { token })
    expect([response.status, errorOf(response)]).toEqual([
      403,
      { code: 'insufficient_scope', message: `This endpoint requires the '${scope}' scope.` },
    ])
    expect(response.headers.get('WWW-Authenticate')).toBe(
      `Bearer error="insufficient_scope", scope="${scope}"`,
    )
  },
)

test('GET /v1/workspace accepts a token with any scope', async () => {
  const acme = await openWorkspace(await openService(memoryStorage()))
  const token = await acme.tokenFor(acme.owner.email, ['tags:read'])
  expect((await acme.call('GET', '/v1/workspace', undefined, { token })).json).toEqual({
    data: {
      id: acme.id,
      name: 'Acme',
      slug: acme.slug,
      country: null,
      locale: 'en-US',
      currency: 'USD',
      time_zone: 'UTC',
      examples: 0,
      time_zone_change: null,
      visibility: { people: 'everyone', companies: 'everyone', deals: 'everyone', tasks: 'everyone' },
      sender: null,
      storage: { records: 4, max_records: null, bytes: 0, max_bytes: null },
    },
  })
})

test('a route with an unknown scope fails the start', async () => {
  const { crm, rateLimits } = await openService(memoryStorage())
  const authorize = createAuthorize(createAuthenticateCall(crm, rateLimits), rateLimits)
  expect(() => authorize({ scope: 'webhooks:manage', alternativeScope: 'webhooks:read' })).not.toThrow()
  expect(() => authorize({ scope: 'people:raed' })).toThrow('There is no scope people:raed.')
  expect(() => authorize({ scope: 'webhooks:manage', alternativeScope: 'webhooks:raed' })).toThrow(
    'There is no scope webhooks:raed.',
  )
})

test('every route below /v1 requires a token, except those of apps', async () => {
  const { app } = await openService(memoryStorage())
  const served = app.routes.filter(({ path }) => path.startsWith('/v1/'))
  for (const { method, path } of served.filter(({ path }) => !path.startsWith('/v1/auth/'))) {
    const response = await sendRequest(app, method, path)
    expect([method, path, response.status]).toEqual([method, path, 401])
  }
})

test.each([
  ['GET', '/v1', undefined],
  ['GET', '/v1/person', undefined],
  ['GET', '/v1/peple', { path: 'Did you mean /v1/people?' }],
  ['GET', '/v1/people/', { path: 'Did you mean /v1/people?' }],
  ['GET', '/v1/people/a/b', undefined],
  ['GET', '/V1/people', { path: 'Did you mean /v1/people?' }],
  ['GET', '/v2/people', { path: 'Did you mean /v1/people?' }],
  ['GET', '//v1/people', { path: 'Did you mean /v1/people?' }],
  ['PUT', '/v1/people', { method: 'Must be one of: GET, HEAD, POST.' }],
  ['DELETE', '/v1/people', { method: 'Must be one of: GET, HEAD, POST.' }],
  ['PUT', '/v1/people/a', { method: 'Must be one of: GET, HEAD, PATCH, DELETE.' }],
  ['POST', '/v1/people/a', { method: 'Must be one of: GET, HEAD, PATCH, DELETE.' }],
  ['OPTIONS', '/v1/people', { method: 'Must be one of: GET, HEAD, POST.' }],
  ['POST', '/v1/members', { method: 'Must be one of: GET, HEAD.' }],
  ['GET', '/oauth/token', { method: 'Must be one of: POST.' }],
  ['POST', '/healthz', undefined],
  ['GET', `/v1/${'people/'.repeat(2000)}`, undefined],
] as const)('returns 404 for %s %.40s, and what the caller may have meant', async (method, path, fields) => {
  const { app } = await openService(memoryStorage())
  const response = await sendRequest(app, method, path)
  expect([response.status, errorOf(response)]).toEqual([
    404,
    { code: 'not_found', message: 'Route not found.', ...(fields && { fields }) },
  ])
  const allow = fields && 'method' in fields ? fields.method.slice('Must be one of: '.length, -1) : null
  expect(response.headers.get('Allow')).toBe(allow)
})

test('responses of an https service have a Strict-Transport-Security header, others none', async () => {
  for (const [issuer, expected] of [
    ['https://crm.example', 'max-age=31536000'],
    ['http://localhost:3000', null],
  ] as const) {
    const acme = await openWorkspace(await openService(memoryStorage(), { issuer }))
    for (const path of ['/v1/tasks', '/nowhere', '/sign-in', '/healthz'])
      expect((await acme.call('GET', path)).headers.get('Strict-Transport-Security'), path).toBe(expected)
  }
})

test('every response has a new request id, nosniff, no-store and a charset', async () => {
  const acme = await openWorkspace(await openService(memoryStorage()))
  const headers = { 'X-Request-ID': '00000000-0000-4000-8000-000000000000' }
  const responses = [
    await acme.call('POST', '/v1/tasks', { title: 'Call' }, { headers }),
    await acme.call('POST', '/v1/tasks', '{', { headers }),
    await acme.call('GET', '/v1/tasks', undefined, { headers }),
    await acme.call('GET', '/v1/tasks/unknown', undefined, { headers }),
    await acme.call('GET', '/healthz', undefined, { headers }),
    await acme.call('GET', '/readyz', undefined, { headers }),
    await acme.call('GET', '/nowhere', undefined, { headers }),
    await acme.call('GET', '/v1/tasks', undefined, { headers, token: 'x' }),
  ]
  const ids = new Set(responses.map((response) => response.headers.get('X-Request-ID')))
  expect([ids.size, ids.has(headers['X-Request-ID'])]).toEqual([responses.length, false])
  for (const response of responses) {
    expect(response.headers.get('Content-Type')).toBe('application/json; charset=utf-8')
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff')
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    const { error } = response.json as { error?: { request_id: string } }
    if (response.status >= 400) expect(error?.request_id).toBe(response.headers.get('X-Request-ID'))
    else expect(error).toBeUndefined()
  }
})

test('returns 500 and logs the error for a response that cannot be serialized', async () => {
  const logged: object[] = []
  const log = { info: () => {}, error: (line: object) => logged.push(line) }
  const service = await openService(memoryStorage(), { log: log as never })
  const acme = await openWorkspace(service)
  service.crm.workspace.getVersioned = async () => ({ data: { id: 1n } }) as never
  const response = await acme.call('GET', '/v1/workspace')
  expect([response.status, errorOf(response)]).toEqual([
    500,
    { code: 'internal_error', message: 'An unexpected error occurred.' },
  ])
  expect(response.headers.get('X-Request-ID')).toMatch(/^[0-9a-f-]{36}$/)
  expect(logged).toMatchObject([{ err: { message: expect.stringContaining('BigInt') } }])
})

test('HEAD returns the status and headers of GET without a body', async () => {
  const { app } = await openService(memoryStorage())
  const [getResponse, headResponse] = [
    await app.request('/healthz'),
    await app.request('/healthz', { method: 'HEAD' }),
  ]
  expect([headResponse.status, await headResponse.text(), headResponse.headers.get('Content-Type')]).toEqual([
    200,
    '',
    getResponse.headers.get('Content-Type'),
  ])
})

test('/healthz returns 200 and /readyz 503 while the database fails', async () => {
  const { app } = await openService(memoryStorage(), { check: () => Promise.reject(new Error('no')) })
  expect((await sendRequest(app, 'GET', '/healthz')).json).toEqual({ data: { status: 'ok' } })
  const response = await sendRequest(app, 'GET', '/readyz?x=1')
  expect([response.status, errorOf(response)]).toEqual([
    503,
    { code: 'internal_error', message: 'An unexpected error occurred.' },
  ])
})

test('/readyz returns 503 while the service drains', async () => {
  const { app } = await openService(memoryStorage())
  expect((await app.request('/readyz', {}, { isDraining: true })).status).toBe(503)
  expect((await app.request('/readyz', {}, { isDraining: false })).status).toBe(200)
})
