import { memoryStorage } from '@sales-crm/core/memory'
import type { Storage } from '@sales-crm/core/ports'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createOriginCheck } from '../../src/mcp/origin-check.ts'
import {
  ACCEPT,
  createToolCaller,
  listTools,
  postMessage,
  rpcErrorOf,
  sendLegacyRequest,
} from '../support/mcp-requests.ts'
import { openService, openWorkspace, sendRequest, type TestResponse } from '../support/test-service.ts'

const ALL =
  'people:read people:write companies:read companies:write deals:read deals:write tasks:read tasks:write activities:read activities:write products:read products:write tags:read tags:write lists:read lists:write custom_fields:read custom_fields:write members:read'
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

async function openTestService(options: Parameters<typeof openService>[1] = {}) {
  const service = await openService(memoryStorage(), options)
  const acme = await openWorkspace(service)
  return {
    ...service,
    acme,
    token: acme.token,
    tokenOf: (...scopes: string[]) => acme.tokenFor(acme.owner.email, scopes),
  }
}

function challengeOf({ headers }: Pick<TestResponse, 'headers'>): string | null {
  return headers.get('WWW-Authenticate')
}

test('a call without a token gets 401 with the resource metadata URL and the scopes to request', async () => {
  const { app } = await openTestService({ issuer: 'https://crm.example' })
  const metadata = 'resource_metadata="https://crm.example/.well-known/oauth-protected-resource/mcp"'
  const withoutToken = await postMessage(app, LIST, {})
  expect([withoutToken.status, challengeOf(withoutToken)]).toEqual([
    401,
    `Bearer ${metadata}, scope="${ALL}"`,
  ])
  expect(withoutToken.json).toEqual({
    error: 'invalid_token',
    error_description: 'Missing or invalid Authorization header.',
  })
  const withInvalidToken = await postMessage(app, LIST, { token: 'canary' })
  expect([withInvalidToken.status, challengeOf(withInvalidToken)]).toEqual([
    401,
    `Bearer error="invalid_token", ${metadata}, scope="${ALL}"`,
  ])
  const streamRequest = await sendRequest(app, 'GET', '/mcp', undefined, { headers: ACCEPT })
  expect([streamRequest.status, challengeOf(streamRequest)]).toEqual([
    401,
    `Bearer ${metadata}, scope="${ALL}"`,
  ])
})

test('the metadata URL of a service with a path follows RFC 9728', async () => {
  const { app } = await openTestService({ issuer: 'https://company.example/crm' })
  const url = 'https://company.example/.well-known/oauth-protected-resource/crm/mcp'
  expect(challengeOf(await postMessage(app, LIST, {}))).toContain(`resource_metadata="${url}"`)
})

test('rejects an expired token', async () => {
  const { app, token, advanceClock } = await openTestService()
  advanceClock(3_600_000)
  const response = await postMessage(app, LIST, { token })
  expect([response.status, response.json, challengeOf(response)]).toMatchObject([
    401,
    { error_description: 'Access token expired. Refresh using the refresh token.' },
    expect.stringContaining('error="invalid_token"'),
  ])
})

test('a token for MCP works for nothing else, and one for the API also works for MCP', async () => {
  const { app, acme, crm } = await openTestService()
  const parameters = { workspace: acme.slug, client_id: acme.client_id, user_email: acme.owner.email }
  const mcpToken = await crm.operator.createToken({ ...parameters, audience: 'mcp' })
  const statusOf = async (token: string) => [
    (await postMessage(app, LIST, { token })).status,
    (await sendRequest(app, 'GET', '/v1/workspace', undefined, { token })).status,
  ]
  expect(await statusOf(mcpToken.access_token)).toEqual([200, 401])
  expect(await statusOf(acme.token)).toEqual([200, 200])
})

test('rejects a token of another deployment with the same keys', async () => {
  const [service, other] = [
    await openTestService({ issuer: 'https://crm.example' }),
    await openTestService({ issuer: 'https://other.example' }),
  ]
  expect((await postMessage(service.app, LIST, { token: other.token })).status).toBe(401)
})

test('a call beyond the scopes of the token gets 403 with all scopes of the call', async () => {
  const { app, tokenOf } = await openTestService({ issuer: 'https://crm.example' })
  const metadata = 'resource_metadata="https://crm.example/.well-known/oauth-protected-resource/mcp"'
  const callWithScopes = async (scopes: string[], name: string, args: object) => {
    const response = await sendLegacyRequest(app, await tokenOf(...scopes), 'tools/call', {
      name,
      arguments: args,
    })
    return [response.status, challengeOf(response), response.json]
  }
  const insufficientScope = (scopes: string) => [
    403,
    `Bearer error="insufficient_scope", scope="${scopes}", ${metadata}`,
    { error: 'insufficient_scope', error_description: `This call requires the scopes: ${scopes}.` },
  ]
  expect(await callWithScopes(['people:read'], 'list_records', { entity: 'deals' })).toEqual(
    insufficientScope('deals:read'),
  )
  expect(await callWithScopes(['deals:read'], 'move_deal', { id: 'x', stage: 'Won' })).toEqual(
    insufficientScope('deals:read deals:write'),
  )
  const update = { entity: 'people', updates: [{ id: 'x', deals: [] }] }
  expect(await callWithScopes(['people:write'], 'update_records', update)).toEqual(
    insufficientScope('people:write deals:write'),
  )
  const change = { entity: 'companies', ids: ['x'], add_tags: ['vip'] }
  expect(await callWithScopes(['tags:read'], 'change_memberships', change)).toEqual(
    insufficientScope('companies:write'),
  )
  expect(await callWithScopes(['tasks:read'], 'manage_task', {})).toEqual(insufficientScope('tasks:write'))
  expect(
    await callWithScopes(['people:read'], 'search', { query: 'a', entities: ['people', 'deals'] }),
  ).toEqual(insufficientScope('people:read deals:read'))
  expect(await callWithScopes(['tasks:read'], 'search', { query: 'a' })).toEqual(
    insufficientScope('people:read companies:read deals:read products:read'),
  )
  expect(await callWithScopes(['tasks:read'], 'pipeline_report', {})).toEqual(insufficientScope('deals:read'))
  expect(await callWithScopes(['tasks:read'], 'get_timeline', { entity: 'people', id: 'x' })).toEqual(
    insufficientScope('people:read'),
  )
  expect(await callWithScopes(['tasks:read'], 'aggregate', { entity: 'products', metric: 'count' })).toEqual(
    insufficientScope('products:read'),
  )
  expect(await callWithScopes(['tasks:read'], 'describe_schema', { entity: 'products' })).toEqual(
    insufficientScope('products:read'),
  )
  expect(await callWithScopes(['tasks:read'], 'log_activity', {})).toEqual(
    insufficientScope('activities:write'),
  )
})

test('a call needs no more than its own scopes', async () => {
  const { app, tokenOf } = await openTestService()
  const call = createToolCaller(app, await tokenOf('people:write'))
  expect((await call('describe_schema', { entity: 'people' })).isError).toBe(false)
  expect(
    (await call('create_records', { entity: 'people', records: [{ full_name: 'Ana', deals: null }] }))
      .isError,
  ).toBe(false)
})

test('a call with an unknown entity lists the valid ones', async () => {
  const { app, tokenOf } = await openTestService()
  const call = createToolCaller(app, await tokenOf('tasks:write'))
  expect(await call('list_records', { entity: 'persons' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('people, companies'),
  })
  expect(await call('create_records', { entity: 'persons', records: [{}] })).toMatchObject({
    isError: true,
    text: 'Validation failed.\n- entity: Must be one of: tasks, task_types.',
  })
})

const RECORD_TOOLS = ['describe_schema', 'list_records', 'get_records']
const WRITE_TOOLS = [
  'describe_schema',
  'create_records',
  'update_records',
  'upsert_records',
  'change_memberships',
  'delete_records',
]

test.each([
  [['webhooks:manage'], []],
  [['members:read'], []],
  [
    ['people:read'],
    ['describe_schema', 'search', 'list_records', 'get_records', 'get_timeline', 'aggregate'],
  ],
  [['people:write'], WRITE_TOOLS],
  [
    ['deals:read'],
    [
      'describe_schema',
      'search',
      'list_records',
      'get_records',
      'get_timeline',
      'aggregate',
      'pipeline_report',
    ],
  ],
  [['tasks:read'], ['describe_schema', 'search', 'list_records', 'get_records', 'aggregate']],
  [['tasks:write'], ['describe_schema', 'create_records', 'update_records', 'manage_task', 'delete_records']],
  [
    ['activities:write'],
    ['describe_schema', 'create_records', 'update_records', 'log_activity', 'delete_records'],
  ],
  [['tags:read'], RECORD_TOOLS],
  [
    ['companies:read', 'companies:write'],
    [
      ...['describe_schema', 'search', 'list_records', 'get_records', 'get_timeline', 'aggregate'],
      ...['create_records', 'update_records', 'upsert_records', 'change_memberships', 'delete_records'],
    ],
  ],
  [
    ['deals:read', 'deals:write', 'tasks:write'],
    [
      ...[
        'describe_schema',
        'search',
        'list_records',
        'get_records',
        'get_timeline',
        'aggregate',
        'pipeline_report',
      ],
      ...[
        'create_records',
        'update_records',
        'upsert_records',
        'move_deal',
        'manage_task',
        'change_memberships',
        'delete_records',
      ],
    ],
  ],
])('lists the tools that a token with %j may call', async (scopes, tools) => {
  const { app, tokenOf } = await openTestService()
  const listed = await listTools(app, await tokenOf(...scopes))
  expect(listed.map(({ name }) => name)).toEqual(['get_context', ...tools])
})

test('tool schemas list only the entities that the token may use', async () => {
  const { app, tokenOf } = await openTestService()
  const listed = await listTools(app, await tokenOf('deals:read', 'tags:write', 'products:read'))
  const entities = Object.fromEntries(
    listed.map(({ name, inputSchema }) => [name, inputSchema.properties['entity']?.enum]),
  )
  expect(entities).toMatchObject({
    describe_schema: ['deals', 'pipelines', 'lost_reasons', 'targets', 'products', 'tags'],
    list_records: ['deals', 'pipelines', 'lost_reasons', 'targets', 'products'],
    get_timeline: ['deals'],
    aggregate: ['deals', 'products'],
    create_records: ['tags'],
  })
})

test('rejects browser requests from another origin', async () => {
  const { app, token } = await openTestService({ issuer: 'https://crm.example' })
  const statusFrom = async (Origin: string) =>
    (await postMessage(app, LIST, { token, headers: { Origin } })).status
  for (const origin of [
    'http://evil.example',
    'https://crm.example.evil.example',
    'http://crm.example',
    'https://crm.example:8443',
    'null',
  ]) {
    expect([origin, await statusFrom(origin)]).toEqual([origin, 403])
  }
  expect(await statusFrom('https://crm.example')).toBe(200)
  const rejected = await postMessage(app, LIST, { headers: { Origin: 'http://evil.example' } })
  expect([rejected.status, rpcErrorOf(rejected), rejected.headers.get('X-Request-ID')]).toMatchObject([
    403,
    { code: -32000, message: 'Forbidden: the Origin header names another site.' },
    expect.any(String),
  ])
})

const [LOOPBACK_BASE, LOOPBACK_HOST, BEHIND_PROXY] = [
  createOriginCheck('http://127.0.0.1:3000', undefined),
  createOriginCheck('http://localhost:3000', '127.0.0.1'),
  createOriginCheck('https://crm.example', '::1'),
]

test.each([
  [LOOPBACK_BASE, { Host: '127.0.0.1:3000' }, undefined],
  [LOOPBACK_BASE, { Host: 'localhost:3000' }, undefined],
  [LOOPBACK_BASE, { Host: '[::1]:3000' }, undefined],
  [LOOPBACK_BASE, { Host: 'evil.example' }, 'Host'],
  [LOOPBACK_BASE, { Host: 'localhost.evil.example:3000' }, 'Host'],
  [LOOPBACK_BASE, { Host: '127.0.0.1.evil.example' }, 'Host'],
  [LOOPBACK_BASE, { Host: 'evil.example:3000@localhost' }, 'Host'],
  [LOOPBACK_BASE, { Host: '' }, 'Host'],
  [LOOPBACK_BASE, { Host: 'localhost:3000', Origin: 'http://localhost:3000' }, undefined],
  [LOOPBACK_HOST, { Host: 'localhost:3000', Origin: 'http://127.0.0.1:3000' }, undefined],
  [LOOPBACK_HOST, { Host: 'localhost:3000', Origin: 'http://localhost:5173' }, 'Origin'],
  [LOOPBACK_HOST, { Host: 'localhost:3000', Origin: 'http://localhost:3000/' }, 'Origin'],
  [LOOPBACK_HOST, { Host: 'localhost:3000', Origin: 'https://localhost:3000' }, 'Origin'],
  [LOOPBACK_HOST, { Host: 'localhost:3000', Origin: 'null' }, 'Origin'],
  [BEHIND_PROXY, { Host: 'crm.example' }, undefined],
  [BEHIND_PROXY, { Host: '127.0.0.1:3000' }, undefined],
  [BEHIND_PROXY, { Host: 'evil.example' }, 'Host'],
  [BEHIND_PROXY, { Host: 'crm.example', Origin: 'http://localhost:3000' }, 'Origin'],
  [createOriginCheck('https://crm.example', '0.0.0.0'), { Host: 'anything.internal' }, undefined],
  [
    createOriginCheck('https://crm.example', undefined),
    { Host: 'anything.internal', Origin: 'https://crm.example' },
    undefined,
  ],
])('checks the Host and Origin headers: %# %j', (findMismatch, headers, header) => {
  expect(findMismatch((name) => (headers as Record<string, string>)[name])).toBe(header)
})

test('MCP calls have their own rate limit per app, with the limit of POST', async () => {
  const { app, acme, token } = await openTestService({ limits: { POST: 3 } })
  for (const remaining of ['2', '1', '0'])
    expect((await sendLegacyRequest(app, token, 'ping')).headers.get('X-RateLimit-Remaining')).toBe(remaining)
  const rejected = await sendLegacyRequest(app, token, 'ping')
  expect([rejected.status, rpcErrorOf(rejected), rejected.headers.get('Retry-After')]).toEqual([
    429,
    { code: -32000, message: 'Rate limit exceeded. Try again in 60 seconds.' },
    '60',
  ])
  expect((await sendRequest(app, 'GET', '/mcp', undefined, { token })).status).toBe(429)
  expect((await acme.call('POST', '/v1/tasks', { title: 'Call' })).status).toBe(201)
})

test('calls without a valid token count against their address', async () => {
  const { app, token } = await openTestService({ limits: { POST: 2 } })
  const statuses = [
    await postMessage(app, LIST, {}),
    await postMessage(app, LIST, { token: 'x' }),
    await postMessage(app, LIST, {}),
  ].map(({ status }) => status)
  expect(statuses).toEqual([401, 401, 429])
  expect((await sendLegacyRequest(app, token, 'ping')).status).toBe(200)
})

test('every response has a request id and rate limit headers', async () => {
  const { app, token, tokenOf } = await openTestService()
  const insufficientScope = await sendLegacyRequest(app, await tokenOf('tags:read'), 'tools/call', {
    name: 'log_activity',
    arguments: {},
  })
  const responses = [
    await sendLegacyRequest(app, token, 'tools/list'),
    await postMessage(app, LIST, {}),
    await postMessage(app, '{', { token }),
    await postMessage(app, [LIST], { token }),
    await postMessage(app, { jsonrpc: '2.0', method: 'notifications/initialized' }, { token }),
    await sendRequest(app, 'GET', '/mcp', undefined, { token }),
    await postMessage(app, LIST, { token, headers: { Origin: 'http://evil.example' } }),
    insufficientScope,
  ]
  expect(responses.map(({ status }) => status)).toEqual([200, 401, 400, 200, 202, 405, 403, 403])
  for (const { headers } of responses) {
    expect([
      headers.get('X-Request-ID'),
      headers.get('X-RateLimit-Limit'),
      headers.get('Cache-Control'),
    ]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), '1000', 'no-store'])
  }
})

test('MCP calls count as POST in the usage of an app', async () => {
  const storage = memoryStorage()
  const service = await openService(storage)
  const acme = await openWorkspace(service)
  for (let calls = 0; calls < 2; calls += 1) await sendLegacyRequest(service.app, acme.token, 'ping')
  await postMessage(service.app, [LIST, LIST], { token: acme.token })
  await service.crm.usage.save()
  const logs = await storage.read((tx) => tx.usage_logs.find([]))
  expect(logs).toMatchObject([{ client_id: acme.client_id, requests: { POST: 4 } }])
})

function createLogRecorder() {
  const lines: string[] = []
  const log = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(line) })
  return { log, lines, records: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) }
}

test('logs a call in one line with the tool name and without its arguments', async () => {
  const { log, lines, records } = createLogRecorder()
  const { app, acme, token } = await openTestService({ log })
  const { headers } = await sendLegacyRequest(app, token, 'tools/call', {
    name: 'search',
    arguments: { query: 'canary' },
  })
  await sendLegacyRequest(app, token, 'tools/call', { name: 'canary', arguments: { canary: 'canary' } })
  await sendLegacyRequest(app, token, 'canary', { canary: 'canary' })
  await postMessage(app, '{"canary"', { token, headers: { 'Mcp-Name': 'canary', 'User-Agent': 'canary' } })
  expect(records()[0]).toEqual({
    level: 30,
    request_id: headers.get('X-Request-ID'),
    method: 'POST',
    route: '/mcp',
    status: 200,
    ms: 0,
    client_id: acme.client_id,
    workspace_id: acme.id,
    tool: 'search',
  })
  expect([lines.length, lines.join('').includes('canary'), lines.join('').includes('eyJ')]).toEqual([
    4,
    false,
    false,
  ])
})

test('logs an unexpected failure and reports it to the caller without details', async () => {
  const { log, records } = createLogRecorder()
  const failure = Object.assign(new Error('connection terminated'), { detail: 'Key (email)=(canary)' })
  const storage = memoryStorage()
  const broken = new Set<'read' | 'transact'>()
  const read: Storage['read'] = (work) => (broken.has('read') ? Promise.reject(failure) : storage.read(work))
  const transact: Storage['transact'] = (work) =>
    broken.has('transact') ? Promise.reject(failure) : storage.transact(work)
  const service = await openService({ ...storage, read, transact }, { log })
  const acme = await openWorkspace(service)
  const call = createToolCaller(service.app, acme.token)
  broken.add('transact')
  const created = await call('create_records', { entity: 'tasks', records: [{ title: 'Call' }] })
  expect(created).toMatchObject({
    isError: true,
    result: {
      succeeded: 0,
      results: [{ ok: false, error: { code: 'internal_error', message: 'An unexpected error occurred.' } }],
    },
  })
  const task = await call('manage_task', { action: 'create', fields: { title: 'Call' } })
  expect(task).toEqual({ isError: true, text: 'An unexpected error occurred.', result: {} })
  const failures = records().filter(({ level }) => level === 50)
  expect(failures).toMatchObject(
    Array(2).fill({
      msg: 'A tool failed unexpectedly.',
      request_id: expect.any(String),
      err: { message: 'connection terminated' },
    }),
  )
  expect(JSON.stringify(failures)).not.toContain('canary')
  broken.add('read')
  const failed = await sendLegacyRequest(service.app, acme.token, 'ping')
  expect([failed.status, rpcErrorOf(failed)]).toEqual([
    500,
    { code: -32603, message: 'An unexpected error occurred.' },
  ])
})
