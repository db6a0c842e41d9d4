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
import { openService, openWorkspace } from '../support/test-service.ts'

async function place() {
  const service = await openService(memoryStorage())
  const acme = await openWorkspace(service)
  return { ...service, acme, token: acme.token }
}

const hello = (protocolVersion: string) => ({
  protocolVersion,
  capabilities: {},
  clientInfo: { name: 'test', version: '1.0.0' },
})

test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
  'a program of revision %s is greeted in it',
  async (version) => {
    const { app, token } = await place()
    const { status, json, headers } = await sendLegacyRequest(app, token, 'initialize', hello(version))
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

test('the current revision finds out what is served, and that it is nothing but tools', async () => {
  const { app, token } = await place()
  const { status, json } = await sendCurrentRequest(app, token, 'server/discover')
  expect([status, json]).toMatchObject([
    200,
    { result: { resultType: 'complete', supportedVersions: expect.arrayContaining([CURRENT_VERSION]) } },
  ])
  expect((json as { result: { capabilities: object } }).result.capabilities).toEqual({
    tools: { listChanged: false },
  })
})

test('the list of tools may be kept for a while, by whom it was given alone', async () => {
  const { app, token } = await place()
  const { json } = await sendCurrentRequest(app, token, 'tools/list')
  expect(json).toMatchObject({ result: { resultType: 'complete', ttlMs: 300_000, cacheScope: 'private' } })
})

test('both kinds of programs are shown the same tools in the same order, in few bytes', async () => {
  const { app, token } = await place()
  const { json, text } = await sendCurrentRequest(app, token, 'tools/list')
  const { tools } = (json as { result: { tools: unknown } }).result
  expect(tools).toEqual(await listTools(app, token))
  expect(tools).toEqual(await listTools(app, token))
  expect(text.length).toBeLessThan(15_000)
})

test('every tool says what it may do, and takes an object of known arguments', async () => {
  const { app, token } = await place()
  const hints = ({
    readOnlyHint,
    destructiveHint,
    idempotentHint,
    openWorldHint,
  }: Readonly<Record<string, boolean>>) =>
    [
      readOnlyHint && 'reads',
      destructiveHint && 'destroys',
      idempotentHint && 'again',
      openWorldHint && 'open',
    ]
      .filter(Boolean)
      .join(' ')
  const tools = await listTools(app, token)
  expect(Object.fromEntries(tools.map(({ name, annotations }) => [name, hints(annotations)]))).toEqual({
    get_context: 'reads again',
    describe_schema: 'reads again',
    search: 'reads again',
    list_records: 'reads again',
    get_records: 'reads again',
    get_timeline: 'reads again',
    aggregate: 'reads again',
    pipeline_report: 'reads again',
    create_records: '',
    update_records: 'destroys again',
    move_deal: 'again',
    log_activity: '',
    manage_task: 'destroys',
    change_memberships: 'again',
    delete_records: 'destroys again',
  })
  for (const { title, description, inputSchema } of tools) {
    expect([title.length, description.length].every((length) => length > 5)).toBe(true)
    expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
    expect(JSON.stringify(inputSchema)).not.toContain('propertyNames')
  }
})

test('what a header says must be what the message says', async () => {
  const { app, token } = await place()
  const wrong = { code: -32020 }
  const method = await sendCurrentRequest(app, token, 'tools/list', {}, { 'Mcp-Method': 'tools/call' })
  expect([method.status, rpcErrorOf(method)]).toMatchObject([400, wrong])
  const name = await sendCurrentRequest(
    app,
    token,
    'tools/call',
    { name: 'get_context' },
    { 'Mcp-Name': 'delete_records' },
  )
  expect([name.status, rpcErrorOf(name)]).toMatchObject([400, wrong])
  const version = await sendCurrentRequest(
    app,
    token,
    'tools/list',
    {},
    { 'MCP-Protocol-Version': OLDER_VERSION },
  )
  expect([version.status, rpcErrorOf(version)]).toMatchObject([400, wrong])
})

test('a revision that is not known is refused with those that are', async () => {
  const { app, token } = await place()
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2099-01-01',
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const answer = await sendCurrentRequest(
    app,
    token,
    'tools/list',
    { _meta },
    { 'MCP-Protocol-Version': '2099-01-01' },
  )
  expect([answer.status, rpcErrorOf(answer)]).toMatchObject([
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

test('an unknown method is a 404 of the current revision, and an error of the older ones', async () => {
  const { app, token } = await place()
  for (const method of ['resources/list', 'prompts/list', 'ping', 'constructor']) {
    const answer = await sendCurrentRequest(app, token, method)
    expect([method, answer.status, rpcErrorOf(answer).code]).toEqual([method, 404, -32601])
  }
  const older = await sendLegacyRequest(app, token, 'resources/list')
  expect([older.status, rpcErrorOf(older).code]).toEqual([200, -32601])
  expect((await sendLegacyRequest(app, token, 'ping')).json).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
})

test('an unknown tool is an error of the protocol', async () => {
  const { app, token } = await place()
  for (const name of ['drop_tables', 'constructor', '__proto__', 'Get_Context', '\ud800', '']) {
    const answer = await sendLegacyRequest(app, token, 'tools/call', { name, arguments: {} })
    expect([name, answer.status, rpcErrorOf(answer).code]).toEqual([name, 200, -32602])
  }
  expect(rpcErrorOf(await sendLegacyRequest(app, token, 'tools/call', {})).code).toBe(-32602)
  const answer = await sendCurrentRequest(app, token, 'tools/call', { name: 'drop_tables', arguments: {} })
  expect([answer.status, rpcErrorOf(answer).code]).toEqual([200, -32602])
})

test('arguments that are no object are an error of the protocol', async () => {
  const { app, token } = await place()
  for (const args of [[], 'x', 1, true]) {
    const answer = await sendLegacyRequest(app, token, 'tools/call', {
      name: 'list_records',
      arguments: args,
    })
    expect([args, rpcErrorOf(answer).code]).toEqual([args, -32602])
  }
})

test('a notification is accepted without an answer', async () => {
  const { app, token } = await place()
  const notification = { jsonrpc: '2.0', method: 'notifications/initialized' }
  const answer = await postMessage(app, notification, { token })
  expect([answer.status, answer.text, answer.headers.get('Content-Type')]).toEqual([202, '', null])
  expect(answer.headers.get('X-Request-ID')).toMatch(/^[0-9a-f-]{36}$/)
})

test('there are no streams to open and no sessions to end', async () => {
  const { app, token } = await place()
  for (const method of ['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS', 'HEAD']) {
    const { status, headers } = await app.request('/mcp', {
      method,
      headers: { Authorization: `Bearer ${token}`, ...ACCEPT },
    })
    expect([method, status, headers.get('Allow')]).toEqual([method, 405, 'POST'])
  }
})

test('what a program says of a session or of a stream it lost changes nothing', async () => {
  const { app, token } = await place()
  const headers = { 'Mcp-Session-Id': 'canary', 'Last-Event-ID': '7', 'MCP-Protocol-Version': OLDER_VERSION }
  const { status, text } = await postMessage(
    app,
    { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    { token, headers },
  )
  expect([status, text.includes('get_context'), text.includes('canary')]).toEqual([200, true, false])
})

test('a subscription ends at once, since there is nothing to tell', async () => {
  const { app, token } = await place()
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
  ['no JSON', '{"jsonrpc": "2.0",', 400, -32700],
  ['nothing', '', 400, -32700],
  ['text that is no UTF-8', new Uint8Array([0x22, 0xff, 0x22]), 400, -32700],
  ['too deep', `${'['.repeat(70)}${']'.repeat(70)}`, 400, -32700],
  ['too many values', `[${'1,'.repeat(20_001)}1]`, 400, -32700],
  ['a megabyte and a byte', `"${'x'.repeat(1_048_575)}"`, 413, -32000],
  ['no message', '{"hello": "world"}', 400, -32600],
  ['null', 'null', 400, -32600],
  ['a number', '7', 400, -32600],
])('a body that is %s is refused as the protocol has it', async (_, body, status, code) => {
  const { app, token } = await place()
  const answer = await postMessage(app, body, { token })
  expect([answer.status, answer.json]).toMatchObject([
    status,
    { jsonrpc: '2.0', id: null, error: { code, message: expect.any(String) } },
  ])
  expect(answer.headers.get('Connection')).toBe(status === 413 ? 'close' : null)
})

test('another media type is refused', async () => {
  const { app, token } = await place()
  const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
  ]) {
    const answer = await postMessage(app, message, { token, headers: { 'Content-Type': type } })
    expect([type, answer.status, rpcErrorOf(answer).code]).toEqual([type, 415, -32000])
  }
})

test('a program of an older revision that accepts no JSON and no stream is told so', async () => {
  const { app, token } = await place()
  const { status, json } = await postMessage(
    app,
    { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    { token, headers: { Accept: 'text/html' } },
  )
  expect([status, json]).toMatchObject([406, { error: { code: -32000 } }])
})

test('a batch is answered in order, and its notifications not at all', async () => {
  const { app, token } = await place()
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
  const silent = await postMessage(app, [{ jsonrpc: '2.0', method: 'notifications/initialized' }], { token })
  expect([silent.status, silent.text]).toEqual([202, ''])
})

test('batches are for the one revision that has them, and are small', async () => {
  const { app, token } = await place()
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  const refused = [
    await postMessage(app, [], { token }),
    await postMessage(app, Array(21).fill(ping), { token }),
    await postMessage(app, [ping], { token, headers: { 'MCP-Protocol-Version': '2025-06-18' } }),
    await postMessage(app, [ping], { token, headers: { 'MCP-Protocol-Version': CURRENT_VERSION } }),
    await postMessage(app, [ping, [ping]], { token }),
    await postMessage(app, [[]], { token }),
  ]
  expect(refused.map((answer) => [answer.status, rpcErrorOf(answer).code])).toEqual(
    Array(6).fill([400, -32600]),
  )
  const served = await postMessage(app, Array(20).fill(ping), {
    token,
    headers: { 'MCP-Protocol-Version': '2025-03-26' },
  })
  expect([served.status, (served.json as unknown[]).length]).toEqual([200, 20])
})

test('each message of a batch counts as a call, and one too many is refused whole', async () => {
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

test('what the users of a program in one workspace call is not counted for those of another', async () => {
  const service = await openService(memoryStorage(), { limits: { POST: 2 } })
  const [acme, rival] = [await openWorkspace(service), await openWorkspace(service)]
  const who = { workspace: rival.slug, client_id: acme.client_id, user_email: rival.owner.email }
  const { access_token } = await service.crm.operator.createToken(who)
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

test('a tool is called alike by programs of both kinds', async () => {
  const { app, token } = await place()
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

test('the page on the tools names each of them, in the order of the list', async () => {
  const { app, token } = await place()
  const page = await readFile(new URL('../../../../docs/mcp.md', import.meta.url), 'utf8')
  const told = Array.from(page.matchAll(/^\| `(\w+)` \|/gm), ([, name]) => name)
  expect(told).toEqual((await listTools(app, token)).map(({ name }) => name))
})
