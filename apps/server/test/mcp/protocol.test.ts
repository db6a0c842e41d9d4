import { readFile } from 'node:fs/promises'
import { memoryStorage } from '@sales-crm/core/memory'
import { expect, test } from 'vitest'
import {
  ACCEPT,
  CURRENT_VERSION,
  createToolCaller,
  listTools,
  OLDER_VERSION,
  postMessage,
  rpcErrorOf,
  sendCurrentRequest,
  sendLegacyRequest,
} from '../support/mcp-requests.ts'
import { openService, openWorkspace, sendRequest } from '../support/test-service.ts'

async function openTestService() {
  const service = await openService(memoryStorage())
  const acme = await openWorkspace(service)
  return { ...service, acme, token: acme.token }
}

const initializeParams = (protocolVersion: string) => ({
  protocolVersion,
  capabilities: {},
  clientInfo: { name: 'test', version: '1.0.0' },
})

test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
  'negotiates revision %s with a client',
  async (version) => {
    const { app, token } = await openTestService()
    const { status, json, headers } = await sendLegacyRequest(
      app,
      token,
      'initialize',
      initializeParams(version),
    )
    expect([status, json]).toMatchObject([
      200,
      {
        id: 1,
        result: {
          protocolVersion: version,
          capabilities: { tools: { listChanged: false } },
          serverInfo: { name: 'sales-crm' },
        },
      },
    ])
    expect((json as { result: { capabilities: object } }).result.capabilities).toEqual({
      tools: { listChanged: false },
    })
    expect(headers.get('Mcp-Session-Id')).toBeNull()
  },
)

test('the current revision discovers that only tools are served', async () => {
  const { app, token } = await openTestService()
  const { status, json } = await sendCurrentRequest(app, token, 'server/discover')
  expect([status, json]).toMatchObject([
    200,
    { result: { resultType: 'complete', supportedVersions: expect.arrayContaining([CURRENT_VERSION]) } },
  ])
  expect((json as { result: { capabilities: object } }).result.capabilities).toEqual({
    tools: { listChanged: false },
  })
})

test('the tool list is cacheable privately for five minutes', async () => {
  const { app, token } = await openTestService()
  const { json } = await sendCurrentRequest(app, token, 'tools/list')
  expect(json).toMatchObject({ result: { resultType: 'complete', ttlMs: 300_000, cacheScope: 'private' } })
})

test('clients of both eras get the same tools in the same order within 15,000 characters', async () => {
  const { app, token } = await openTestService()
  const { json, text } = await sendCurrentRequest(app, token, 'tools/list')
  const { tools } = (json as { result: { tools: unknown } }).result
  expect(tools).toEqual(await listTools(app, token))
  expect(tools).toEqual(await listTools(app, token))
  expect(text.length).toBeLessThan(15_000)
})

test('every tool has hints and accepts an object of known arguments', async () => {
  const { app, token } = await openTestService()
  const hints = ({
    readOnlyHint,
    destructiveHint,
    idempotentHint,
    openWorldHint,
  }: Readonly<Record<string, boolean>>) =>
    [
      readOnlyHint && 'read-only',
      destructiveHint && 'destructive',
      idempotentHint && 'idempotent',
      openWorldHint && 'open-world',
    ]
      .filter(Boolean)
      .join(' ')
  const tools = await listTools(app, token)
  expect(Object.fromEntries(tools.map(({ name, annotations }) => [name, hints(annotations)]))).toEqual({
    get_context: 'read-only idempotent',
    describe_schema: 'read-only idempotent',
    search: 'read-only idempotent',
    list_records: 'read-only idempotent',
    get_records: 'read-only idempotent',
    get_timeline: 'read-only idempotent',
    aggregate: 'read-only idempotent',
    pipeline_report: 'read-only idempotent',
    create_records: '',
    update_records: 'destructive idempotent',
    upsert_records: 'destructive idempotent',
    move_deal: 'idempotent',
    log_activity: '',
    manage_task: 'destructive',
    change_memberships: 'idempotent',
    delete_records: 'destructive idempotent',
  })
  for (const { title, description, inputSchema } of tools) {
    expect([title.length, description.length].every((length) => length > 5)).toBe(true)
    expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
    expect(JSON.stringify(inputSchema)).not.toContain('propertyNames')
  }
})

test('rejects headers that differ from the message', async () => {
  const { app, token } = await openTestService()
  const headerMismatch = { code: -32020 }
  const method = await sendCurrentRequest(app, token, 'tools/list', {}, { 'Mcp-Method': 'tools/call' })
  expect([method.status, rpcErrorOf(method)]).toMatchObject([400, headerMismatch])
  const name = await sendCurrentRequest(
    app,
    token,
    'tools/call',
    { name: 'get_context' },
    { 'Mcp-Name': 'delete_records' },
  )
  expect([name.status, rpcErrorOf(name)]).toMatchObject([400, headerMismatch])
  const version = await sendCurrentRequest(
    app,
    token,
    'tools/list',
    {},
    { 'MCP-Protocol-Version': OLDER_VERSION },
  )
  expect([version.status, rpcErrorOf(version)]).toMatchObject([400, headerMismatch])
})

test('rejects an unknown revision and lists the supported ones', async () => {
  const { app, token } = await openTestService()
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2099-01-01',
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const response = await sendCurrentRequest(
    app,
    token,
    'tools/list',
    { _meta },
    { 'MCP-Protocol-Version': '2099-01-01' },
  )
  expect([response.status, rpcErrorOf(response)]).toMatchObject([
    400,
    { code: -32022, data: { supported: [CURRENT_VERSION], requested: '2099-01-01' } },
  ])
  const older = await postMessage(
    app,
    { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    { token, headers: { 'MCP-Protocol-Version': '1999-01-01' } },
  )
  expect([older.status, rpcErrorOf(older).message]).toMatchObject([
    400,
    expect.stringContaining('2025-11-25'),
  ])
})

test('an unknown method is a 404 in the current revision and an error in older ones', async () => {
  const { app, token } = await openTestService()
  for (const method of ['resources/list', 'prompts/list', 'ping', 'constructor']) {
    const response = await sendCurrentRequest(app, token, method)
    expect([method, response.status, rpcErrorOf(response).code]).toEqual([method, 404, -32601])
  }
  const older = await sendLegacyRequest(app, token, 'resources/list')
  expect([older.status, rpcErrorOf(older).code]).toEqual([200, -32601])
  expect((await sendLegacyRequest(app, token, 'ping')).json).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
})

test('an unknown tool is a protocol error', async () => {
  const { app, token } = await openTestService()
  for (const name of ['drop_tables', 'constructor', '__proto__', 'Get_Context', '\ud800', '']) {
    const response = await sendLegacyRequest(app, token, 'tools/call', { name, arguments: {} })
    expect([name, response.status, rpcErrorOf(response).code]).toEqual([name, 200, -32602])
  }
  expect(rpcErrorOf(await sendLegacyRequest(app, token, 'tools/call', {})).code).toBe(-32602)
  const response = await sendCurrentRequest(app, token, 'tools/call', { name: 'drop_tables', arguments: {} })
  expect([response.status, rpcErrorOf(response).code]).toEqual([200, -32602])
})

test('arguments that are not an object are a protocol error', async () => {
  const { app, token } = await openTestService()
  for (const args of [[], 'x', 1, true]) {
    const response = await sendLegacyRequest(app, token, 'tools/call', {
      name: 'list_records',
      arguments: args,
    })
    expect([args, rpcErrorOf(response).code]).toEqual([args, -32602])
  }
})

test.each([
  ['initialize', undefined, 'Invalid params. params: Required.'],
  [
    'initialize',
    {},
    'Invalid params. params.protocolVersion: Required. params.capabilities: Required. params.clientInfo: Required.',
  ],
  [
    'initialize',
    { ...initializeParams(OLDER_VERSION), protocolVersion: 5, clientInfo: 'test' },
    'Invalid params. params.protocolVersion: Must be a string. params.clientInfo: Must be an object.',
  ],
  [
    'initialize',
    { ...initializeParams(OLDER_VERSION), clientInfo: { name: 'test', version: '1', icons: [{}] } },
    'Invalid params. params.clientInfo.icons[0].src: Required.',
  ],
  ['tools/call', undefined, 'Invalid params. params: Required.'],
  ['tools/call', { name: 5 }, 'Invalid params. params.name: Must be a string.'],
  [
    'tools/call',
    { name: 'get_context', arguments: [] },
    'Invalid params. params.arguments: Must be an object.',
  ],
  ['tools/list', { cursor: 5 }, 'Invalid params. params.cursor: Must be a string.'],
])('%s with the params %j names what is wrong', async (method, params, message) => {
  const { app, token } = await openTestService()
  const request = { jsonrpc: '2.0', id: 1, method, ...(params && { params }) }
  const error = { code: -32602, message }
  const response = await postMessage(app, request, { token })
  expect([response.status, response.json]).toEqual([200, { jsonrpc: '2.0', id: 1, error }])
  const batch = await postMessage(app, [request, { jsonrpc: '2.0', id: 2, method: 'ping' }], { token })
  expect(batch.json).toEqual([
    { jsonrpc: '2.0', id: 1, error },
    { jsonrpc: '2.0', id: 2, result: {} },
  ])
})

test('invalid params are named in the current revision too', async () => {
  const { app, token } = await openTestService()
  const response = await sendCurrentRequest(app, token, 'tools/list', { cursor: 5 })
  expect(rpcErrorOf(response)).toEqual({
    code: -32602,
    message: 'Invalid params. params.cursor: Must be a string.',
  })
})

test('accepts a notification with an empty response', async () => {
  const { app, token } = await openTestService()
  const notification = { jsonrpc: '2.0', method: 'notifications/initialized' }
  const response = await postMessage(app, notification, { token })
  expect([response.status, response.text, response.headers.get('Content-Type')]).toEqual([202, '', null])
  expect(response.headers.get('X-Request-ID')).toMatch(/^[0-9a-f-]{36}$/)
})

test('answers 405 to requests for streams and sessions', async () => {
  const { app, token } = await openTestService()
  for (const method of ['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS', 'HEAD']) {
    const { status, headers } = await app.request('/mcp', {
      method,
      headers: { Authorization: `Bearer ${token}`, ...ACCEPT },
    })
    expect([method, status, headers.get('Allow')]).toEqual([method, 405, 'POST'])
  }
})

test('ignores session and event ids', async () => {
  const { app, token } = await openTestService()
  const headers = { 'Mcp-Session-Id': 'canary', 'Last-Event-ID': '7', 'MCP-Protocol-Version': OLDER_VERSION }
  const { status, text } = await postMessage(
    app,
    { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    { token, headers },
  )
  expect([status, text.includes('get_context'), text.includes('canary')]).toEqual([200, true, false])
})

test('a subscription completes immediately, as there are no notifications', async () => {
  const { app, token } = await openTestService()
  const { status, text } = await sendCurrentRequest(app, token, 'subscriptions/listen', {
    notifications: { toolsListChanged: true },
  })
  expect([
    status,
    text.includes('notifications/subscriptions/acknowledged'),
    text.includes('"resultType":"complete"'),
  ]).toEqual([200, true, true])
})

test.each([
  ['invalid JSON', '{"jsonrpc": "2.0",', 400, -32700],
  ['empty', '', 400, -32700],
  ['invalid UTF-8', new Uint8Array([0x22, 0xff, 0x22]), 400, -32700],
  ['nested too deeply', `${'['.repeat(70)}${']'.repeat(70)}`, 400, -32700],
  ['an array of too many values', `[${'1,'.repeat(20_001)}1]`, 400, -32700],
  ['one byte above a megabyte', `"${'x'.repeat(1_048_575)}"`, 413, -32000],
  ['no JSON-RPC message', '{"hello": "world"}', 400, -32600],
  ['null', 'null', 400, -32600],
  ['a number', '7', 400, -32600],
])('rejects a body that is %s with the error of the protocol', async (_, body, status, code) => {
  const { app, token } = await openTestService()
  const response = await postMessage(app, body, { token })
  expect([response.status, response.json]).toMatchObject([
    status,
    { jsonrpc: '2.0', id: null, error: { code, message: expect.any(String) } },
  ])
  expect(response.headers.get('Connection')).toBe(status === 413 ? 'close' : null)
})

test('rejects other media types', async () => {
  const { app, token } = await openTestService()
  const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
  ]) {
    const response = await postMessage(app, message, { token, headers: { 'Content-Type': type } })
    expect([type, response.status, rpcErrorOf(response).code]).toEqual([type, 415, -32000])
  }
})

test('rejects an older client that accepts neither JSON nor a stream', async () => {
  const { app, token } = await openTestService()
  const { status, json } = await postMessage(
    app,
    { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    { token, headers: { Accept: 'text/html' } },
  )
  expect([status, json]).toMatchObject([406, { error: { code: -32000 } }])
})

test.each(['*/*', 'application/json, */*;q=0.1'])(
  'serves an older client that accepts anything: %s',
  async (Accept) => {
    const { app, token } = await openTestService()
    const { status, json } = await postMessage(
      app,
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      { token, headers: { Accept } },
    )
    expect([status, json]).toMatchObject([200, { result: { tools: expect.any(Array) } }])
  },
)

test('serves /mcp/, and challenges a call without a token there', async () => {
  const { app, token } = await openTestService()
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const accepted = await sendRequest(app, 'POST', '/mcp/', message, { token, headers: ACCEPT })
  expect([accepted.status, accepted.json]).toMatchObject([200, { result: { tools: expect.any(Array) } }])
  const { status, headers } = await sendRequest(app, 'POST', '/mcp/', message, { headers: ACCEPT })
  expect([status, headers.get('WWW-Authenticate')]).toEqual([
    401,
    expect.stringContaining('/.well-known/oauth-protected-resource/mcp'),
  ])
})

test('takes arguments that are null for none', async () => {
  const { app, token } = await openTestService()
  const params = { name: 'get_context', arguments: null }
  for (const { json } of [
    await sendLegacyRequest(app, token, 'tools/call', params),
    await sendCurrentRequest(app, token, 'tools/call', params),
  ]) {
    expect(json).toMatchObject({ result: { content: [{ type: 'text' }] } })
    expect(json).not.toHaveProperty('result.isError', true)
  }
})

test('answers a batch in order and ignores its notifications', async () => {
  const { app, token } = await openTestService()
  const batch = [
    { jsonrpc: '2.0', id: 'a', method: 'ping' },
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'b' } },
    { jsonrpc: '2.0', id: 'b', method: 'tools/call', params: { name: 'get_context' } },
    { jsonrpc: '2.0', id: 'c', method: 'nothing' },
    { not: 'a message' },
  ]
  const { status, json } = await postMessage(app, batch, { token })
  expect([status, json]).toMatchObject([
    200,
    [
      { id: 'a', result: {} },
      { id: 'b', result: { content: [{ type: 'text' }] } },
      { id: 'c', error: { code: -32601 } },
      { id: null, error: { code: -32600 } },
    ],
  ])
  const notificationsOnly = await postMessage(
    app,
    [{ jsonrpc: '2.0', method: 'notifications/initialized' }],
    { token },
  )
  expect([notificationsOnly.status, notificationsOnly.text]).toEqual([202, ''])
})

test('accepts batches only in revision 2025-03-26 and up to the maximum size', async () => {
  const { app, token } = await openTestService()
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  const rejected = [
    await postMessage(app, [], { token }),
    await postMessage(app, Array(21).fill(ping), { token }),
    await postMessage(app, [ping], { token, headers: { 'MCP-Protocol-Version': '2025-06-18' } }),
    await postMessage(app, [ping], { token, headers: { 'MCP-Protocol-Version': CURRENT_VERSION } }),
    await postMessage(app, [ping, [ping]], { token }),
    await postMessage(app, [[]], { token }),
  ]
  expect(rejected.map((response) => [response.status, rpcErrorOf(response).code])).toEqual(
    Array(6).fill([400, -32600]),
  )
  const served = await postMessage(app, Array(20).fill(ping), {
    token,
    headers: { 'MCP-Protocol-Version': '2025-03-26' },
  })
  expect([served.status, (served.json as unknown[]).length]).toEqual([200, 20])
})

test('each message of a batch counts as a call, and a batch above the limit is rejected whole', async () => {
  const service = await openService(memoryStorage(), { limits: { POST: 6 } })
  const acme = await openWorkspace(service)
  const create = (id: number) => {
    const args = { entity: 'tags', records: [{ name: `Tag ${id}` }] }
    return { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'create_records', arguments: args } }
  }
  const first = await postMessage(service.app, [create(1), create(2), create(3), create(4)], {
    token: acme.token,
  })
  expect([first.status, first.headers.get('X-RateLimit-Remaining')]).toEqual([200, '2'])
  const second = await postMessage(service.app, [create(5), create(6), create(7)], { token: acme.token })
  expect([
    second.status,
    second.headers.get('Retry-After'),
    second.headers.get('X-RateLimit-Remaining'),
  ]).toEqual([429, '60', '0'])
  expect((await acme.call('GET', '/v1/tags')).json).toMatchObject({ meta: { total: 4 } })
})

test('rate limits of an app are separate per workspace', async () => {
  const service = await openService(memoryStorage(), { limits: { POST: 2 } })
  const [acme, other] = [await openWorkspace(service), await openWorkspace(service)]
  const parameters = { workspace: other.slug, client_id: acme.client_id, user_email: other.owner.email }
  const { access_token } = await service.crm.operator.createToken(parameters)
  const statuses = async (token: string) => [
    (await sendLegacyRequest(service.app, token, 'ping')).status,
    (await sendLegacyRequest(service.app, token, 'ping')).status,
  ]
  expect([
    await statuses(acme.token),
    (await sendLegacyRequest(service.app, acme.token, 'ping')).status,
  ]).toEqual([[200, 200], 429])
  expect(await statuses(access_token)).toEqual([200, 200])
})

test('both eras return the same tool result', async () => {
  const { app, token } = await openTestService()
  const older = await createToolCaller(app, token)('get_context')
  const { json } = await sendCurrentRequest(app, token, 'tools/call', { name: 'get_context', arguments: {} })
  expect(json).toMatchObject({
    result: {
      resultType: 'complete',
      structuredContent: older.result,
      content: [{ type: 'text', text: older.text }],
    },
  })
  expect(JSON.parse(older.text)).toEqual(older.result)
})

test('docs/mcp.md lists the tools in order', async () => {
  const { app, token } = await openTestService()
  const page = await readFile(new URL('../../../../docs/mcp.md', import.meta.url), 'utf8')
  const documentedTools = Array.from(page.matchAll(/^\| `(\w+)` \|/gm), ([, name]) => name)
  expect(documentedTools).toEqual((await listTools(app, token)).map(({ name }) => name))
})
