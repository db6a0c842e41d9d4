import { memoryStorage } from '@sales-crm/core/memory'
import { expect, onTestFinished, test } from 'vitest'
import { bodyBudget } from '../../src/http/request-body.ts'
import { openConnection, type RawResponse, serveOnSocket } from '../support/raw-http.ts'
import { errorOf, openService, openWorkspace } from '../support/test-service.ts'

const MIB = 1_048_576
const MAX_BODY = 32 * MIB
const HOST = 'Host: crm.example\r\n'
const JSON_TYPE = 'Content-Type: application/json\r\n'
const MAX_CONTENT_LENGTH = `Content-Length: ${MAX_BODY}\r\n\r\n`

async function openTestService() {
  const service = await openService(memoryStorage())
  const { token } = await openWorkspace(service)
  const { port } = await serveOnSocket(service)
  const requestHead = (path: string) =>
    `POST ${path} HTTP/1.1\r\n${HOST}Authorization: Bearer ${token}\r\n${JSON_TYPE}`

  async function startRequest(head: string, body: Uint8Array) {
    const connection = await openConnection(port)
    connection.send(`${requestHead('/v1/activities')}${head}`)
    connection.send(body)
    return connection
  }

  async function postBody(body: Uint8Array): Promise<RawResponse> {
    return (await startRequest(MAX_CONTENT_LENGTH, body)).readResponse()
  }

  async function postSmall(): Promise<number> {
    const connection = await openConnection(port)
    connection.send(`${requestHead('/v1/tasks')}Content-Length: 16\r\n\r\n{"title":"Call"}`)
    return (await connection.readResponse()).status
  }

  return { startRequest, postBody, postSmall }
}

const NOT_JSON = Buffer.alloc(MAX_BODY, 'x')
const padBody = (body: string) => Buffer.from(body.padEnd(MAX_BODY, ' '))
/** Waits until no large body is in memory. */
const waitForFreeBudget = () =>
  expect.poll(() => bodyBudget.usedBytes('authorized'), { timeout: 20_000 }).toBe(0)
const codeOf = ({ text }: RawResponse) => JSON.parse(text).error

test('limits unfinished large bodies with 429 and still serves small requests', {
  timeout: 60_000,
}, async () => {
  const { startRequest, postBody, postSmall } = await openTestService()
  const connections = await Promise.all(
    Array.from({ length: 8 }, () => startRequest(MAX_CONTENT_LENGTH, NOT_JSON.subarray(MIB))),
  )
  const pendingResponses = connections.map((connection) => connection.readResponse().catch(() => undefined))
  const errorResponses: RawResponse[] = []
  await new Promise<void>((resolve) => {
    for (const pending of pendingResponses)
      void pending.then((response) => response && errorResponses.push(response) === 7 && resolve())
  })
  expect(await postSmall()).toBe(201)
  errorResponses.push(await postBody(NOT_JSON))
  for (const response of errorResponses) {
    expect([response.status, codeOf(response)]).toMatchObject([
      429,
      { code: 'rate_limit_exceeded', message: 'Rate limit exceeded. Try again in 5 seconds.' },
    ])
    expect(response.headers).toMatchObject({
      'retry-after': '5',
      connection: 'close',
      'x-ratelimit-remaining': expect.stringMatching(/^9\d\d$/),
    })
  }
  for (const connection of connections) connection.destroy()
  await waitForFreeBudget()
  expect(await postBody(NOT_JSON)).toMatchObject({ status: 400 })
})

test.each<[string, number, (service: Awaited<ReturnType<typeof openTestService>>) => Promise<unknown>]>([
  ['created a record', 201, ({ postBody }) => postBody(padBody('{"content_html":"Hi"}'))],
  ['failed validation', 422, ({ postBody }) => postBody(padBody('{"x":1}'))],
  ['was not JSON', 400, ({ postBody }) => postBody(NOT_JSON)],
  [
    'exceeded the limit',
    400,
    async ({ startRequest }) => {
      const connection = await startRequest('Transfer-Encoding: chunked\r\n\r\n4000000\r\n', NOT_JSON)
      connection.send('x')
      return connection.readResponse()
    },
  ],
  [
    'had a malformed chunk',
    400,
    async ({ startRequest }) => {
      const connection = await startRequest(
        'Transfer-Encoding: chunked\r\n\r\n1f00000\r\n',
        NOT_JSON.subarray(MIB),
      )
      connection.send('\r\nzz\r\n')
      return connection.readResponse()
    },
  ],
])('a large body that %s releases its memory', { timeout: 60_000 }, async (_, status, work) => {
  const service = await openTestService()
  expect(await work(service)).toMatchObject({ status })
  await waitForFreeBudget()
})

test('a large body that stalls is refused after five seconds and releases its memory', {
  timeout: 60_000,
}, async () => {
  const { startRequest } = await openTestService()
  const connection = await startRequest(MAX_CONTENT_LENGTH, NOT_JSON.subarray(MIB))
  const response = await connection.readResponse()
  expect([response.status, codeOf(response), response.headers['connection']]).toMatchObject([
    400,
    { code: 'bad_request', message: 'Request did not arrive in time.' },
    'close',
  ])
  await waitForFreeBudget()
})

test('a large body whose client disconnected releases its memory', { timeout: 60_000 }, async () => {
  const { startRequest } = await openTestService()
  const connection = await startRequest(MAX_CONTENT_LENGTH, NOT_JSON.subarray(MIB))
  await expect.poll(() => bodyBudget.usedBytes('authorized')).toBeGreaterThan(16 * MIB)
  connection.destroy()
  await waitForFreeBudget()
})

test('a declared Content-Length reserves no memory before bytes arrive', async () => {
  const { startRequest, postSmall } = await openTestService()
  for (let count = 0; count < 20; count += 1) await startRequest(MAX_CONTENT_LENGTH, new Uint8Array())
  expect(await postSmall()).toBe(201)
  expect(bodyBudget.usedBytes('authorized')).toBe(0)
})

/** Uses up the shares of all callers until the test ends. */
function useUpShares(): void {
  for (const [key, bytes] of [
    ['authorized', 112 * MIB],
    ['anonymous', 16 * MIB],
  ] as const) {
    const other = {}
    expect(bodyBudget.reserve(other, bytes, [{ key, maxBytes: bytes }])).toBe(true)
    onTestFinished(() => bodyBudget.release(other))
  }
}

test('rejects a large body at its headers when its share is used up', async () => {
  const { startRequest } = await openTestService()
  useUpShares()
  const connection = await startRequest(MAX_CONTENT_LENGTH, new Uint8Array())
  expect(await connection.readResponse()).toMatchObject({ status: 429, headers: { connection: 'close' } })
})

test('serves a small body, whatever else is in memory', async () => {
  const { postSmall } = await openTestService()
  useUpShares()
  expect(await postSmall()).toBe(201)
})

test('without free memory each protocol returns its own error, and small requests succeed', async () => {
  const service = await openService(memoryStorage())
  const { token, call } = await openWorkspace(service)
  const large = 'x'.repeat(65_537)
  useUpShares()
  const taskResponse = await call('POST', '/v1/tasks', `{"title":"${large}"}`)
  expect([
    taskResponse.status,
    errorOf(taskResponse)['code'],
    taskResponse.headers.get('Retry-After'),
  ]).toEqual([429, 'rate_limit_exceeded', '5'])
  expect((await call('POST', '/v1/tasks', { title: 'x'.repeat(100) })).status).toBe(201)

  const postLarge = async (path: string, type: string, headers: object = {}) => {
    const response = await service.app.request(path, {
      method: 'POST',
      headers: { 'Content-Type': type, 'Content-Length': String(large.length), ...headers },
      body: large,
    })
    return [
      response.status,
      response.headers.get('Retry-After'),
      response.headers.get('Connection'),
      await response.text(),
    ]
  }
  const form = 'application/x-www-form-urlencoded'
  const message = 'Rate limit exceeded. Try again in 5 seconds.'
  for (const path of ['/mcp/token', '/mcp/revoke'])
    expect(await postLarge(path, form)).toEqual([
      429,
      '5',
      'close',
      JSON.stringify({ error: 'temporarily_unavailable', error_description: message }),
    ])
  expect(await postLarge('/v1/auth/register-app', 'application/json')).toMatchObject([
    429,
    '5',
    'close',
    expect.stringContaining(message),
  ])
  expect(await postLarge('/mcp', 'application/json', { Authorization: `Bearer ${token}` })).toEqual([
    429,
    '5',
    'close',
    JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message: message }, id: null }),
  ])
  expect(await postLarge('/sign-in', form, { Accept: 'text/html' })).toMatchObject([
    429,
    '5',
    'close',
    expect.stringContaining('<html'),
  ])
})
