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

async function place(parts: Parameters<typeof openService>[1] = {}) {
  const service = await openService(memoryStorage(), parts)
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

test('whoever has no token is told where to learn who gives one, and what to ask for', async () => {
  const { app } = await place({ issuer: 'https://crm.example' })
  const metadata = 'resource_metadata="https://crm.example/.well-known/oauth-protected-resource/mcp"'
  const none = await postMessage(app, LIST, {})
  expect([none.status, challengeOf(none)]).toEqual([401, `Bearer ${metadata}, scope="${ALL}"`])
  expect(none.json).toEqual({
    error: 'invalid_token',
    error_description: 'Missing or invalid Authorization header.',
  })
  const bad = await postMessage(app, LIST, { token: 'canary' })
  expect([bad.status, challengeOf(bad)]).toEqual([
    401,
    `Bearer error="invalid_token", ${metadata}, scope="${ALL}"`,
  ])
  const looking = await sendRequest(app, 'GET', '/mcp', undefined, { headers: ACCEPT })
  expect([looking.status, challengeOf(looking)]).toEqual([401, `Bearer ${metadata}, scope="${ALL}"`])
})

test('where the service has a path, the metadata is where RFC 9728 looks for it', async () => {
  const { app } = await place({ issuer: 'https://company.example/crm' })
  const url = 'https://company.example/.well-known/oauth-protected-resource/crm/mcp'
  expect(challengeOf(await postMessage(app, LIST, {}))).toContain(`resource_metadata="${url}"`)
})

test('a token that has expired is no token any more', async () => {
  const { app, token, advanceClock: pass } = await place()
  pass(3_600_000)
  const answer = await postMessage(app, LIST, { token })
  expect([answer.status, answer.json, challengeOf(answer)]).toMatchObject([
    401,
    { error_description: 'Access token expired. Refresh using the refresh token.' },
    expect.stringContaining('error="invalid_token"'),
  ])
})

test('a token for the tools opens nothing else, and one for the interface opens the tools too', async () => {
  const { app, acme, crm } = await place()
  const who = { workspace: acme.slug, client_id: acme.client_id, user_email: acme.owner.email }
  const forTools = await crm.operator.createToken({ ...who, audience: 'mcp' })
  const statusOf = async (token: string) => [
    (await postMessage(app, LIST, { token })).status,
    (await sendRequest(app, 'GET', '/v1/workspace', undefined, { token })).status,
  ]
  expect(await statusOf(forTools.access_token)).toEqual([200, 401])
  expect(await statusOf(acme.token)).toEqual([200, 200])
})

test('a token of another deployment under the same keys is refused', async () => {
  const [here, there] = [
    await place({ issuer: 'https://crm.example' }),
    await place({ issuer: 'https://other.example' }),
  ]
  expect((await postMessage(here.app, LIST, { token: there.token })).status).toBe(401)
})

test('what a token may not do is told with every scope the call takes', async () => {
  const { app, tokenOf } = await place({ issuer: 'https://crm.example' })
  const metadata = 'resource_metadata="https://crm.example/.well-known/oauth-protected-resource/mcp"'
  const refusal = async (scopes: string[], name: string, args: object) => {
    const answer = await sendLegacyRequest(app, await tokenOf(...scopes), 'tools/call', {
      name,
      arguments: args,
    })
    return [answer.status, challengeOf(answer), answer.json]
  }
  const said = (scopes: string) => [
    403,
    `Bearer error="insufficient_scope", scope="${scopes}", ${metadata}`,
    { error: 'insufficient_scope', error_description: `This call requires the scopes: ${scopes}.` },
  ]
  expect(await refusal(['people:read'], 'list_records', { entity: 'deals' })).toEqual(said('deals:read'))
  expect(await refusal(['deals:read'], 'move_deal', { id: 'x', stage: 'Won' })).toEqual(
    said('deals:read deals:write'),
  )
  const update = { entity: 'people', updates: [{ id: 'x', deals: [] }] }
  expect(await refusal(['people:write'], 'update_records', update)).toEqual(said('people:write deals:write'))
  const change = { entity: 'companies', ids: ['x'], add_tags: ['vip'] }
  expect(await refusal(['tags:read'], 'change_memberships', change)).toEqual(said('companies:write'))
  expect(await refusal(['tasks:read'], 'manage_task', {})).toEqual(said('tasks:write'))
  expect(await refusal(['people:read'], 'search', { query: 'a', entities: ['people', 'deals'] })).toEqual(
    said('people:read deals:read'),
  )
  expect(await refusal(['tasks:read'], 'search', { query: 'a' })).toEqual(
    said('people:read companies:read deals:read products:read'),
  )
  expect(await refusal(['tasks:read'], 'pipeline_report', {})).toEqual(said('deals:read'))
  expect(await refusal(['tasks:read'], 'get_timeline', { entity: 'people', id: 'x' })).toEqual(
    said('people:read'),
  )
  expect(await refusal(['tasks:read'], 'aggregate', { entity: 'products', metric: 'count' })).toEqual(
    said('products:read'),
  )
  expect(await refusal(['tasks:read'], 'describe_schema', { entity: 'products' })).toEqual(
    said('products:read'),
  )
  expect(await refusal(['tasks:read'], 'log_activity', {})).toEqual(said('activities:write'))
})

test('a scope that is enough is not asked for more', async () => {
  const { app, tokenOf } = await place()
  const call = createToolCaller(app, await tokenOf('people:write'))
  expect((await call('describe_schema', { entity: 'people' })).isError).toBe(false)
  expect(
    (await call('create_records', { entity: 'people', records: [{ full_name: 'Ana', deals: null }] }))
      .isError,
  ).toBe(false)
})

test('a call that does not say what it is about is told what it could be about', async () => {
  const { app, tokenOf } = await place()
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

const RECORDS = ['describe_schema', 'list_records', 'get_records']
const WRITES = ['describe_schema', 'create_records', 'update_records', 'change_memberships', 'delete_records']

test.each([
  [['webhooks:manage'], []],
  [['members:read'], []],
  [
    ['people:read'],
    ['describe_schema', 'search', 'list_records', 'get_records', 'get_timeline', 'aggregate'],
  ],
  [['people:write'], WRITES],
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
  [['tasks:read'], [...RECORDS, 'aggregate']],
  [['tasks:write'], ['describe_schema', 'create_records', 'update_records', 'manage_task', 'delete_records']],
  [
    ['activities:write'],
    ['describe_schema', 'create_records', 'update_records', 'log_activity', 'delete_records'],
  ],
  [['tags:read'], RECORDS],
  [
    ['companies:read', 'companies:write'],
    [
      ...['describe_schema', 'search', 'list_records', 'get_records', 'get_timeline', 'aggregate'],
      ...['create_records', 'update_records', 'change_memberships', 'delete_records'],
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
        'move_deal',
        'manage_task',
        'change_memberships',
        'delete_records',
      ],
    ],
  ],
])('a token with %j is shown what it opens', async (scopes, tools) => {
  const { app, tokenOf } = await place()
  const listed = await listTools(app, await tokenOf(...scopes))
  expect(listed.map(({ name }) => name)).toEqual(['get_context', ...tools])
})

test('of each tool only the kinds are shown that the token opens', async () => {
  const { app, tokenOf } = await place()
  const listed = await listTools(app, await tokenOf('deals:read', 'tags:write', 'products:read'))
  const kinds = Object.fromEntries(
    listed.map(({ name, inputSchema }) => [name, inputSchema.properties['entity']?.enum]),
  )
  expect(kinds).toMatchObject({
    describe_schema: ['deals', 'products', 'pipelines', 'tags'],
    list_records: ['deals', 'products', 'pipelines'],
    get_timeline: ['deals'],
    aggregate: ['deals', 'products'],
    create_records: ['tags'],
  })
})

test('a page of somebody else cannot make a browser call the tools', async () => {
  const { app, token } = await place({ issuer: 'https://crm.example' })
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
  const refused = await postMessage(app, LIST, { headers: { Origin: 'http://evil.example' } })
  expect([refused.status, rpcErrorOf(refused), refused.headers.get('X-Request-ID')]).toMatchObject([
    403,
    { code: -32000, message: 'Forbidden: the Origin header names another site.' },
    expect.any(String),
  ])
})

const [HERE, LOCAL, BEHIND] = [
  createOriginCheck('http://127.0.0.1:3000', undefined),
  createOriginCheck('http://localhost:3000', '127.0.0.1'),
  createOriginCheck('https://crm.example', '::1'),
]

test.each([
  [HERE, { Host: '127.0.0.1:3000' }, undefined],
  [HERE, { Host: 'localhost:3000' }, undefined],
  [HERE, { Host: '[::1]:3000' }, undefined],
  [HERE, { Host: 'evil.example' }, 'Host'],
  [HERE, { Host: 'localhost.evil.example:3000' }, 'Host'],
  [HERE, { Host: '127.0.0.1.evil.example' }, 'Host'],
  [HERE, { Host: 'evil.example:3000@localhost' }, 'Host'],
  [HERE, { Host: '' }, 'Host'],
  [HERE, { Host: 'localhost:3000', Origin: 'http://localhost:3000' }, undefined],
  [LOCAL, { Host: 'localhost:3000', Origin: 'http://127.0.0.1:3000' }, undefined],
  [LOCAL, { Host: 'localhost:3000', Origin: 'http://localhost:5173' }, 'Origin'],
  [LOCAL, { Host: 'localhost:3000', Origin: 'http://localhost:3000/' }, 'Origin'],
  [LOCAL, { Host: 'localhost:3000', Origin: 'https://localhost:3000' }, 'Origin'],
  [LOCAL, { Host: 'localhost:3000', Origin: 'null' }, 'Origin'],
  [BEHIND, { Host: 'crm.example' }, undefined],
  [BEHIND, { Host: '127.0.0.1:3000' }, undefined],
  [BEHIND, { Host: 'evil.example' }, 'Host'],
  [BEHIND, { Host: 'crm.example', Origin: 'http://localhost:3000' }, 'Origin'],
  [createOriginCheck('https://crm.example', '0.0.0.0'), { Host: 'anything.internal' }, undefined],
  [
    createOriginCheck('https://crm.example', undefined),
    { Host: 'anything.internal', Origin: 'https://crm.example' },
    undefined,
  ],
])('a browser is told by its headers: %# %j', (strangerBy, headers, by) => {
  expect(strangerBy((name) => (headers as Record<string, string>)[name])).toBe(by)
})

test('calls of tools have a window of their own for each app, as wide as that of POST', async () => {
  const { app, acme, token } = await place({ limits: { POST: 3 } })
  for (const left of ['2', '1', '0'])
    expect((await sendLegacyRequest(app, token, 'ping')).headers.get('X-RateLimit-Remaining')).toBe(left)
  const refused = await sendLegacyRequest(app, token, 'ping')
  expect([refused.status, rpcErrorOf(refused), refused.headers.get('Retry-After')]).toEqual([
    429,
    { code: -32000, message: 'Rate limit exceeded. Try again in 60 seconds.' },
    '60',
  ])
  expect((await sendRequest(app, 'GET', '/mcp', undefined, { token })).status).toBe(429)
  expect((await acme.call('POST', '/v1/tasks', { title: 'Call' })).status).toBe(201)
})

test('calls without a good token count for their address', async () => {
  const { app, token } = await place({ limits: { POST: 2 } })
  const statuses = [
    await postMessage(app, LIST, {}),
    await postMessage(app, LIST, { token: 'x' }),
    await postMessage(app, LIST, {}),
  ].map(({ status }) => status)
  expect(statuses).toEqual([401, 401, 429])
  expect((await sendLegacyRequest(app, token, 'ping')).status).toBe(200)
})

test('every answer carries the id of its request, and how much of the limit is left', async () => {
  const { app, token, tokenOf } = await place()
  const lacking = await sendLegacyRequest(app, await tokenOf('tags:read'), 'tools/call', {
    name: 'log_activity',
    arguments: {},
  })
  const answers = [
    await sendLegacyRequest(app, token, 'tools/list'),
    await postMessage(app, LIST, {}),
    await postMessage(app, '{', { token }),
    await postMessage(app, [LIST], { token }),
    await postMessage(app, { jsonrpc: '2.0', method: 'notifications/initialized' }, { token }),
    await sendRequest(app, 'GET', '/mcp', undefined, { token }),
    await postMessage(app, LIST, { token, headers: { Origin: 'http://evil.example' } }),
    lacking,
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 401, 400, 200, 202, 405, 403, 403])
  for (const { headers } of answers) {
    expect([
      headers.get('X-Request-ID'),
      headers.get('X-RateLimit-Limit'),
      headers.get('Cache-Control'),
    ]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), '1000', 'no-store'])
  }
})

test('calls of tools are counted in the usage of an app, as POST', async () => {
  const storage = memoryStorage()
  const service = await openService(storage)
  const acme = await openWorkspace(service)
  for (let calls = 0; calls < 2; calls += 1) await sendLegacyRequest(service.app, acme.token, 'ping')
  await postMessage(service.app, [LIST, LIST], { token: acme.token })
  await service.crm.usage.save()
  const logs = await storage.read((tx) => tx.usage_logs.find([]))
  expect(logs).toMatchObject([{ client_id: acme.client_id, requests: { POST: 4 } }])
})

function recorder() {
  const lines: string[] = []
  const log = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(line) })
  return { log, lines, records: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) }
}

test('a call is one line of the log, with the name of the tool and nothing of what it was sent', async () => {
  const { log, lines, records } = recorder()
  const { app, acme, token } = await place({ log })
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

test('what fails unexpectedly is told to the operator, and the caller is told that it did', async () => {
  const { log, records } = recorder()
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
  const made = await call('create_records', { entity: 'tasks', records: [{ title: 'Call' }] })
  expect(made).toMatchObject({
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
  const lost = await sendLegacyRequest(service.app, acme.token, 'ping')
  expect([lost.status, rpcErrorOf(lost)]).toEqual([
    500,
    { code: -32603, message: 'An unexpected error occurred.' },
  ])
})
