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

function expectRefusal(
  { status, headers, text }: RawResponse,
  wanted: { status: number; code: string; message: string },
): void {
  expect({ status, ...JSON.parse(text).error }).toEqual({ ...wanted, request_id: headers['x-request-id'] })
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
const NO_TOKEN = { status: 401, code: 'unauthorized', message: 'Missing or invalid Authorization header.' }

test.each([
  ['bytes that are no HTTP', '\x16\x03\x01\x02\x00\x01\x00\r\n\r\n', MALFORMED],
  ['another version of HTTP', `GET /v1/people HTTP/3.0\r\n${HOST}\r\n`, MALFORMED],
  [
    'a length and a transfer coding at once',
    `POST /v1/people HTTP/1.1\r\n${HOST}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    MALFORMED,
  ],
  [
    'two lengths',
    `POST /v1/people HTTP/1.1\r\n${HOST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
    MALFORMED,
  ],
  [
    'a length that is no number',
    `POST /v1/people HTTP/1.1\r\n${HOST}Content-Length: +2\r\n\r\n{}`,
    MALFORMED,
  ],
  [
    'a transfer coding that does not end chunked',
    `POST /v1/people HTTP/1.1\r\n${HOST}Transfer-Encoding: gzip\r\n\r\n`,
    MALFORMED,
  ],
  [
    'a body in a coding besides chunked',
    `POST /v1/people HTTP/1.1\r\n${HOST}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    MALFORMED,
  ],
  ['two hosts', `GET /v1/people HTTP/1.1\r\n${HOST}${HOST}\r\n`, MALFORMED],
  ['HTTP/2 without its framing', `GET /v1/people HTTP/2.0\r\n${HOST}\r\n`, MALFORMED],
  ['a folded header', `GET /v1/people HTTP/1.1\r\n${HOST}X-A: 1\r\n 2\r\n\r\n`, MALFORMED],
  ['a null in a header', `GET /v1/people HTTP/1.1\r\n${HOST}X-A: a\0b\r\n\r\n`, MALFORMED],
  ['a bad chunk', `POST /v1/people HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, MALFORMED],
  ['a preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', MALFORMED],
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
  ['no host', 'GET /v1/people HTTP/1.1\r\n\r\n', MALFORMED],
  ['an asterisk for a path', `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`, MALFORMED],
  ['a host for a path', `GET crm.example:80 HTTP/1.1\r\n${HOST}\r\n`, MALFORMED],
  ['a backslash in the path', `GET /v1\\people HTTP/1.1\r\n${HOST}\r\n`, MALFORMED],
  ['CONNECT', `CONNECT crm.example:80 HTTP/1.1\r\n${HOST}\r\n`, NO_ROUTE],
  ['TRACE', `TRACE /v1/people HTTP/1.1\r\n${HOST}\r\n`, NO_ROUTE],
  ['PUT', `PUT /v1/people HTTP/1.1\r\n${HOST}Content-Length: 2\r\n\r\n{}`, NO_ROUTE],
  ['a method nobody knows', `FOO /v1/people HTTP/1.1\r\n${HOST}\r\n`, NO_ROUTE],
  [
    'an upgrade',
    `GET /v1/people HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    NO_TOKEN,
  ],
  ['an expectation nobody knows', `GET /v1/people HTTP/1.1\r\n${HOST}Expect: miracles\r\n\r\n`, NO_TOKEN],
  ['a whole address for a path', `GET http://evil.example/v1/people HTTP/1.1\r\n${HOST}\r\n`, NO_TOKEN],
  ['a host that is none', 'GET /v1/people HTTP/1.1\r\nHost: a b@c:d/e\r\n\r\n', NO_TOKEN],
  ['a path that does not decode', `GET /v1/people/%zz%ff HTTP/1.1\r\n${HOST}\r\n`, NO_TOKEN],
])('%s is answered in the shape of every error', async (_, bytes, wanted) => {
  const { port } = await openTestService()
  const line = await openConnection(port)
  line.send(bytes)
  expectRefusal(await line.readResponse(), wanted)
})

test('a record id that does not decode is an id that does not exist', async () => {
  const { port, auth } = await openTestService()
  const line = await openConnection(port)
  for (const id of ['%zz', '%ff', '%00', '..%2f..', encodeURIComponent('ação')]) {
    line.send(`GET /v1/people/${id} HTTP/1.1\r\n${HOST}${auth}\r\n`)
    expectRefusal(await line.readResponse(), { status: 404, code: 'not_found', message: 'Person not found.' })
  }
})

test('HTTP/1.0 needs no host', async () => {
  const { port } = await openTestService()
  const line = await openConnection(port)
  line.send('GET /healthz HTTP/1.0\r\n\r\n')
  expect(await line.readResponse()).toMatchObject({ status: 200, text: '{"data":{"status":"ok"}}' })
})

test('HEAD is answered as GET without the body', async () => {
  const { port, auth } = await openTestService()
  const line = await openConnection(port)
  line.send(`HEAD /v1/people HTTP/1.1\r\n${HOST}${auth}\r\nGET /healthz HTTP/1.1\r\n${HOST}\r\n`)
  expect(await line.readResponse(true)).toMatchObject({
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
  })
  expect(await line.readResponse()).toMatchObject({ status: 200, text: '{"data":{"status":"ok"}}' })
})

test('a body in chunks is put together, and the connection serves on', async () => {
  const { port, auth } = await openTestService()
  const line = await openConnection(port)
  line.send(
    `POST /v1/tasks HTTP/1.1\r\n${HOST}${auth}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{"title":\r\n`,
  )
  line.send('8\r\n"Call ☎"\r\n'.replace('8', 'a'))
  line.send('1\r\n}\r\n0\r\n\r\n')
  expect(JSON.parse((await line.readResponse()).text)).toMatchObject({ data: { title: 'Call ☎' } })
  line.send(`GET /healthz HTTP/1.1\r\n${HOST}\r\n`)
  expect(await line.readResponse()).toMatchObject({ status: 200 })
})

test('a body that waits to be asked for is asked for', async () => {
  const { port, auth } = await openTestService()
  const line = await openConnection(port)
  line.send(
    `POST /v1/tasks HTTP/1.1\r\n${HOST}${auth}Content-Type: application/json\r\nContent-Length: 16\r\nExpect: 100-continue\r\n\r\n`,
  )
  expect(await line.readResponse()).toMatchObject({ status: 100 })
  line.send('{"title":"Call"}')
  expect(await line.readResponse()).toMatchObject({ status: 201 })
})

const TOO_LARGE = { status: 400, code: 'bad_request', message: 'Request body is too large.' }

test('a body that declares more than a mebibyte is refused before it is sent', async () => {
  const { port, auth } = await openTestService()
  const line = await openConnection(port)
  line.send(
    `POST /v1/tasks HTTP/1.1\r\n${HOST}${auth}Content-Type: application/json\r\nContent-Length: 1048577\r\n\r\n`,
  )
  const answer = await line.readResponse()
  expectRefusal(answer, TOO_LARGE)
  expect(answer.headers['connection']).toBe('close')
})

test('a body that grows over a mebibyte is refused while it streams in, and a caller still sending hears of it', async () => {
  const { port, auth } = await openTestService()
  for (const framing of [
    'Transfer-Encoding: chunked\r\n\r\n2000000\r\n',
    'Content-Length: 33554432\r\n\r\n',
  ]) {
    const line = await openConnection(port)
    line.send(`POST /v1/tasks HTTP/1.1\r\n${HOST}${auth}Content-Type: application/json\r\n${framing}`)
    line.send(Buffer.alloc(33_554_432, ' '))
    expectRefusal(await line.readResponse(), TOO_LARGE)
    expect(await line.waitForClose()).toBe('')
  }
})

test('a body that breaks off halfway, or turns to nonsense, is no failure of the service', async () => {
  const { port, auth } = await openTestService()
  const broken = await openConnection(port)
  broken.send(
    `POST /v1/tasks HTTP/1.1\r\n${HOST}${auth}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{"\r\nzz\r\n`,
  )
  expectRefusal(await broken.readResponse(), MALFORMED)
  const gone = await openConnection(port)
  gone.send(
    `POST /v1/tasks HTTP/1.1\r\n${HOST}${auth}Content-Type: application/json\r\nContent-Length: 99\r\n\r\n{"ti`,
  )
  gone.end()
  await gone.waitForClose()
})

test('nonsense behind a good request is answered once, and after it', async () => {
  const held = Promise.withResolvers<void>()
  const { port } = await serveOnSocket(await openService(memoryStorage(), { check: () => held.promise }))
  const line = await openConnection(port)
  line.send(`GET /readyz HTTP/1.1\r\n${HOST}\r\n\x00\x00\r\n\r\n`)
  const other = await openConnection(port)
  for (let turn = 0; turn < 3; turn += 1) {
    line.send('\x00\x00\r\n\r\n')
    other.send(`GET /healthz HTTP/1.1\r\n${HOST}\r\n`)
    await other.readResponse()
  }
  held.resolve()
  expect(await line.readResponse()).toMatchObject({ status: 200 })
  const refused = await line.readResponse()
  expectRefusal(refused, MALFORMED)
  expect([refused.headers['x-ratelimit-remaining'], await line.waitForClose()]).toEqual(['999', ''])

  const next = await openConnection(port)
  next.send('\x00\x00\r\n\r\n')
  expect((await next.readResponse()).headers['x-ratelimit-remaining']).toBe('998')
})

test('two tokens in one request are no token', async () => {
  const { port, auth } = await openTestService()
  const line = await openConnection(port)
  line.send(`GET /v1/people HTTP/1.1\r\n${HOST}${auth}Authorization: Bearer other\r\n\r\n`)
  expectRefusal(await line.readResponse(), NO_TOKEN)
})
