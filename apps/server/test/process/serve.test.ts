import { memoryStorage } from '@sales-crm/core/memory'
import { expect, test } from 'vitest'
import { openConnection, type RawResponse, serveOnSocket } from '../support/raw-http.ts'
import { openService, openWorkspace } from '../support/test-service.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const HOST = 'Host: crm.example\r\n'

async function openTestService() {
  const service = await openService(memoryStorage())
  const acme = await openWorkspace(service)
  return { port: (await serveOnSocket(service)).port, auth: `Authorization: Bearer ${acme.token}\r\n` }
}

function expectErrorResponse(
  { status, headers, text }: RawResponse,
  expected: { status: number; code: string; message: string; fields?: object },
): void {
  expect({ status, ...JSON.parse(text).error }).toEqual({ ...expected, request_id: headers['x-request-id'] })
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'x-request-id': expect.stringMatching(UUID),
    'x-ratelimit-limit': '1000',
    'x-ratelimit-remaining': expect.stringMatching(/^\d+$/),
    'x-ratelimit-reset': expect.stringMatching(/^\d+$/),
  })
}

const MALFORMED = { status: 400, code: 'bad_request', message: 'Malformed HTTP request.' }
const NO_ROUTE = { status: 404, code: 'not_found', message: 'Route not found.' }
const NO_METHOD = { ...NO_ROUTE, fields: { method: 'Must be one of: GET, HEAD, POST.' } }
const NO_TOKEN = { status: 401, code: 'unauthorized', message: 'Missing or invalid Authorization header.' }

test.each([
  ['bytes that are not HTTP', '\x16\x03\x01\x02\x00\x01\x00\r\n\r\n', MALFORMED],
  ['an unsupported HTTP version', `GET /v1/people HTTP/3.0\r\n${HOST}\r\n`, MALFORMED],
  [
    'Content-Length with Transfer-Encoding',
    `POST /v1/people HTTP/1.1\r\n${HOST}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    MALFORMED,
  ],
  [
    'two Content-Length headers',
    `POST /v1/people HTTP/1.1\r\n${HOST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
    MALFORMED,
  ],
  [
    'a Content-Length that is not a number',
    `POST /v1/people HTTP/1.1\r\n${HOST}Content-Length: +2\r\n\r\n{}`,
    MALFORMED,
  ],
  [
    'a Transfer-Encoding that does not end with chunked',
    `POST /v1/people HTTP/1.1\r\n${HOST}Transfer-Encoding: gzip\r\n\r\n`,
    MALFORMED,
  ],
  [
    'a Transfer-Encoding other than chunked',
    `POST /v1/people HTTP/1.1\r\n${HOST}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    MALFORMED,
  ],
  ['two Host headers', `GET /v1/people HTTP/1.1\r\n${HOST}${HOST}\r\n`, MALFORMED],
  ['HTTP/2 in HTTP/1 framing', `GET /v1/people HTTP/2.0\r\n${HOST}\r\n`, MALFORMED],
  ['a folded header', `GET /v1/people HTTP/1.1\r\n${HOST}X-A: 1\r\n 2\r\n\r\n`, MALFORMED],
  ['a NUL byte in a header', `GET /v1/people HTTP/1.1\r\n${HOST}X-A: a\0b\r\n\r\n`, MALFORMED],
  [
    'a malformed chunk',
    `POST /v1/people HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
    MALFORMED,
  ],
  ['an HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', MALFORMED],
  [
    'headers over 16 KiB',
    `GET /v1/people HTTP/1.1\r\n${HOST}X-A: ${'a'.repeat(20_000)}\r\n\r\n`,
    { ...MALFORMED, message: 'Request headers are too large.' },
  ],
  [
    'a path over 16 KiB',
    `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${HOST}\r\n`,
    { ...MALFORMED, message: 'Request headers are too large.' },
  ],
  ['a missing Host header', 'GET /v1/people HTTP/1.1\r\n\r\n', MALFORMED],
  ['an asterisk path', `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`, MALFORMED],
  ['an authority path', `GET crm.example:80 HTTP/1.1\r\n${HOST}\r\n`, MALFORMED],
  ['a backslash in the path', `GET /v1\\people HTTP/1.1\r\n${HOST}\r\n`, MALFORMED],
  ['CONNECT', `CONNECT crm.example:80 HTTP/1.1\r\n${HOST}\r\n`, NO_ROUTE],
  ['TRACE', `TRACE /v1/people HTTP/1.1\r\n${HOST}\r\n`, NO_METHOD],
  ['PUT', `PUT /v1/people HTTP/1.1\r\n${HOST}Content-Length: 2\r\n\r\n{}`, NO_METHOD],
  ['an unknown method', `FOO /v1/people HTTP/1.1\r\n${HOST}\r\n`, NO_ROUTE],
  [
    'an upgrade request',
    `GET /v1/people HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    NO_TOKEN,
  ],
  ['an absolute-form target', `GET http://evil.example/v1/people HTTP/1.1\r\n${HOST}\r\n`, NO_TOKEN],
  ['a Host header with a space', 'GET /v1/people HTTP/1.1\r\nHost: a b\r\n\r\n', MALFORMED],
  ['a Host header with a path', 'GET /v1/people HTTP/1.1\r\nHost: a@c:d/e\r\n\r\n', MALFORMED],
  ['a Host header with a port', 'GET /v1/people HTTP/1.1\r\nHost: crm.example:8080\r\n\r\n', NO_TOKEN],
  ['a Host header with an address', 'GET /v1/people HTTP/1.1\r\nHost: [::1]:80\r\n\r\n', NO_TOKEN],
  ['an empty Host header', 'GET /v1/people HTTP/1.1\r\nHost: \r\n\r\n', NO_TOKEN],
  ['a path that cannot be decoded', `GET /v1/people/%zz%ff HTTP/1.1\r\n${HOST}\r\n`, NO_TOKEN],
])('returns a regular error response for %s', async (_, bytes, expected) => {
  const { port } = await openTestService()
  const connection = await openConnection(port)
  connection.send(bytes)
  expectErrorResponse(await connection.readResponse(), expected)
})

test('returns 404 for an id that cannot be decoded', async () => {
  const { port, auth } = await openTestService()
  const connection = await openConnection(port)
  for (const id of ['%zz', '%ff', '%00', '..%2f..', encodeURIComponent('ação')]) {
    connection.send(`GET /v1/people/${id} HTTP/1.1\r\n${HOST}${auth}\r\n`)
    expectErrorResponse(await connection.readResponse(), {
      status: 404,
      code: 'not_found',
      message: 'Person not found.',
    })
  }
})

test('serves HTTP/1.0 without a Host header', async () => {
  const { port } = await openTestService()
  const connection = await openConnection(port)
  connection.send('GET /healthz HTTP/1.0\r\n\r\n')
  expect(await connection.readResponse()).toMatchObject({ status: 200, text: '{"data":{"status":"ok"}}' })
})

test('answers HEAD like GET without the body', async () => {
  const { port, auth } = await openTestService()
  const connection = await openConnection(port)
  connection.send(`HEAD /v1/people HTTP/1.1\r\n${HOST}${auth}\r\nGET /healthz HTTP/1.1\r\n${HOST}\r\n`)
  expect(await connection.readResponse(true)).toMatchObject({
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
  })
  expect(await connection.readResponse()).toMatchObject({ status: 200, text: '{"data":{"status":"ok"}}' })
})

test('assembles a chunked body, and keeps the connection open', async () => {
  const { port, auth } = await openTestService()
  const connection = await openConnection(port)
  connection.send(
    `POST /v1/tasks HTTP/1.1\r\n${HOST}${auth}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{"title":\r\n`,
  )
  connection.send('8\r\n"Call ☎"\r\n'.replace('8', 'a'))
  connection.send('1\r\n}\r\n0\r\n\r\n')
  expect(JSON.parse((await connection.readResponse()).text)).toMatchObject({ data: { title: 'Call ☎' } })
  connection.send(`GET /healthz HTTP/1.1\r\n${HOST}\r\n`)
  expect(await connection.readResponse()).toMatchObject({ status: 200 })
})

test('answers Expect: 100-continue', async () => {
  const { port, auth } = await openTestService()
  const connection = await openConnection(port)
  connection.send(
    `POST /v1/tasks HTTP/1.1\r\n${HOST}${auth}Content-Type: application/json\r\nContent-Length: 16\r\nExpect: 100-continue\r\n\r\n`,
  )
  expect(await connection.readResponse()).toMatchObject({ status: 100 })
  connection.send('{"title":"Call"}')
  expect(await connection.readResponse()).toMatchObject({ status: 201 })
})

test('judges token and size before it tells a client to continue', async () => {
  const { port, auth } = await openTestService()
  const head = `POST /v1/tasks HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nExpect: 100-continue\r\n`
  for (const [lines, error] of [
    ['Content-Length: 16\r\n\r\n', NO_TOKEN],
    [`${auth}Content-Length: 1048577\r\n\r\n`, TOO_LARGE],
  ] as const) {
    const connection = await openConnection(port)
    connection.send(head + lines)
    expectErrorResponse(await connection.readResponse(), error)
  }
})

test('answers 417 to an expectation other than 100-continue', async () => {
  const { port, auth } = await openTestService()
  const connection = await openConnection(port)
  connection.send(`GET /v1/people HTTP/1.1\r\n${HOST}${auth}Expect: miracles\r\n\r\n`)
  const response = await connection.readResponse()
  expect([response.status, JSON.parse(response.text)]).toMatchObject([
    417,
    {
      error: {
        code: 'bad_request',
        message: 'Expectation failed.',
        fields: { Expect: 'Must be 100-continue.' },
      },
    },
  ])
})

const TOO_LARGE = { status: 400, code: 'bad_request', message: 'Request body is too large.' }

test('rejects a Content-Length above 1 MiB before the body is sent', async () => {
  const { port, auth } = await openTestService()
  const connection = await openConnection(port)
  connection.send(
    `POST /v1/tasks HTTP/1.1\r\n${HOST}${auth}Content-Type: application/json\r\nContent-Length: 1048577\r\n\r\n`,
  )
  const response = await connection.readResponse()
  expectErrorResponse(response, TOO_LARGE)
  expect(response.headers['connection']).toBe('close')
})

test('rejects a body above 1 MiB while it arrives, and the sending client gets the response', async () => {
  const { port, auth } = await openTestService()
  for (const framing of [
    'Transfer-Encoding: chunked\r\n\r\n2000000\r\n',
    'Content-Length: 33554432\r\n\r\n',
  ]) {
    const connection = await openConnection(port)
    connection.send(`POST /v1/tasks HTTP/1.1\r\n${HOST}${auth}Content-Type: application/json\r\n${framing}`)
    connection.send(Buffer.alloc(33_554_432, ' '))
    expectErrorResponse(await connection.readResponse(), TOO_LARGE)
    expect(await connection.waitForClose()).toBe('')
  }
})

test('survives a truncated body and a malformed chunk', async () => {
  const { port, auth } = await openTestService()
  const malformedConnection = await openConnection(port)
  malformedConnection.send(
    `POST /v1/tasks HTTP/1.1\r\n${HOST}${auth}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{"\r\nzz\r\n`,
  )
  expectErrorResponse(await malformedConnection.readResponse(), MALFORMED)
  const truncatedConnection = await openConnection(port)
  truncatedConnection.send(
    `POST /v1/tasks HTTP/1.1\r\n${HOST}${auth}Content-Type: application/json\r\nContent-Length: 99\r\n\r\n{"ti`,
  )
  truncatedConnection.end()
  await truncatedConnection.waitForClose()
})

test('rejects malformed bytes after a valid request once, after its response', async () => {
  const checkHold = Promise.withResolvers<void>()
  const { port } = await serveOnSocket(await openService(memoryStorage(), { check: () => checkHold.promise }))
  const connection = await openConnection(port)
  connection.send(`GET /readyz HTTP/1.1\r\n${HOST}\r\n\x00\x00\r\n\r\n`)
  const otherConnection = await openConnection(port)
  for (let count = 0; count < 3; count += 1) {
    connection.send('\x00\x00\r\n\r\n')
    otherConnection.send(`GET /healthz HTTP/1.1\r\n${HOST}\r\n`)
    await otherConnection.readResponse()
  }
  checkHold.resolve()
  expect(await connection.readResponse()).toMatchObject({ status: 200 })
  const errorResponse = await connection.readResponse()
  expectErrorResponse(errorResponse, MALFORMED)
  expect([errorResponse.headers['x-ratelimit-remaining'], await connection.waitForClose()]).toEqual([
    '999',
    '',
  ])

  const nextConnection = await openConnection(port)
  nextConnection.send('\x00\x00\r\n\r\n')
  expect((await nextConnection.readResponse()).headers['x-ratelimit-remaining']).toBe('998')
})

test('rejects two Authorization headers', async () => {
  const { port, auth } = await openTestService()
  const connection = await openConnection(port)
  connection.send(`GET /v1/people HTTP/1.1\r\n${HOST}${auth}Authorization: Bearer other\r\n\r\n`)
  expectErrorResponse(await connection.readResponse(), NO_TOKEN)
})
