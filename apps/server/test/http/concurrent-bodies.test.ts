import { memoryStorage } from '@sales-crm/core/memory'
import { expect, onTestFinished, test } from 'vitest'
import { bodyBudget } from '../../src/http/request-body.ts'
import { openConnection, type RawResponse, serveOnSocket } from '../support/raw-http.ts'
import { errorOf, openService, openWorkspace } from '../support/test-service.ts'

const MIB = 1_048_576
const GREATEST = 32 * MIB
const HOST = 'Host: crm.example\r\n'
/** They wait for a caller less than the service does by itself. */
const SHORT = { headersTimeout: 200, requestTimeout: 200, connectionsCheckingInterval: 20 }
const JSON_TYPE = 'Content-Type: application/json\r\n'
const DECLARED = `Content-Length: ${GREATEST}\r\n\r\n`

async function openTestService(timeouts = {}) {
  const service = await openService(memoryStorage())
  const { token } = await openWorkspace(service)
  const { port } = await serveOnSocket(service, { timeouts })
  const to = (path: string) =>
    `POST ${path} HTTP/1.1\r\n${HOST}Authorization: Bearer ${token}\r\n${JSON_TYPE}`

  async function startRequest(head: string, body: Uint8Array) {
    const line = await openConnection(port)
    line.send(`${to('/v1/activities')}${head}`)
    line.send(body)
    return line
  }

  async function postBody(body: Uint8Array): Promise<RawResponse> {
    return (await startRequest(DECLARED, body)).readResponse()
  }

  async function postedSmall(): Promise<number> {
    const line = await openConnection(port)
    line.send(`${to('/v1/tasks')}Content-Length: 16\r\n\r\n{"title":"Call"}`)
    return (await line.readResponse()).status
  }

  return { begun: startRequest, posted: postBody, postedSmall }
}

const NOT_JSON = Buffer.alloc(GREATEST, 'x')
const padBody = (body: string) => Buffer.from(body.padEnd(GREATEST, ' '))
/** Whether all that large bodies may have is theirs to take again. */
const allIsFree = () =>
  expect.poll(() => bodyBudget.hasCapacity(2 * GREATEST), { timeout: 20_000 }).toBe(true)
const codeOf = ({ text }: RawResponse) => JSON.parse(text).error

test('of many who send large bodies and come to no end some are refused at once, and a small call is served', {
  timeout: 60_000,
}, async () => {
  const { begun: startRequest, posted: postBody, postedSmall } = await openTestService()
  const lines = await Promise.all(
    Array.from({ length: 8 }, () => startRequest(DECLARED, NOT_JSON.subarray(MIB))),
  )
  const answered = lines.map((line) => line.readResponse().catch(() => undefined))
  const refused: RawResponse[] = []
  await new Promise<void>((resolve) => {
    for (const each of answered) void each.then((answer) => answer && refused.push(answer) === 6 && resolve())
  })
  expect(await postedSmall()).toBe(201)
  refused.push(await postBody(NOT_JSON))
  for (const answer of refused) {
    expect([answer.status, codeOf(answer)]).toMatchObject([
      429,
      { code: 'rate_limit_exceeded', message: 'Rate limit exceeded. Try again in 5 seconds.' },
    ])
    expect(answer.headers).toMatchObject({
      'retry-after': '5',
      connection: 'close',
      'x-ratelimit-remaining': expect.stringMatching(/^9\d\d$/),
    })
  }
  for (const line of lines) line.destroy()
  await allIsFree()
  const both = await Promise.all([postBody(NOT_JSON), postBody(NOT_JSON)])
  expect(both.map(({ status }) => status)).toEqual([400, 400])
})

test.each<[string, number, (service: Awaited<ReturnType<typeof openTestService>>) => Promise<unknown>]>([
  ['was made into a record', 201, ({ posted: postBody }) => postBody(padBody('{"content_html":"Hi"}'))],
  ['was found wrong', 422, ({ posted: postBody }) => postBody(padBody('{"x":1}'))],
  ['was no JSON', 400, ({ posted: postBody }) => postBody(NOT_JSON)],
  [
    'grew too large',
    400,
    async ({ begun: startRequest }) => {
      const line = await startRequest('Transfer-Encoding: chunked\r\n\r\n4000000\r\n', NOT_JSON)
      line.send('x')
      return line.readResponse()
    },
  ],
  [
    'turned to nonsense',
    400,
    async ({ begun: startRequest }) => {
      const line = await startRequest('Transfer-Encoding: chunked\r\n\r\n1f00000\r\n', NOT_JSON.subarray(MIB))
      line.send('\r\nzz\r\n')
      return line.readResponse()
    },
  ],
])('a large body that %s leaves its room to others', { timeout: 60_000 }, async (_, status, work) => {
  const service = await openTestService()
  expect(await work(service)).toMatchObject({ status })
  await allIsFree()
})

test('a large body that does not come to its end in time leaves its room to others', {
  timeout: 60_000,
}, async () => {
  const { begun: startRequest } = await openTestService(SHORT)
  const line = await startRequest(DECLARED, NOT_JSON.subarray(MIB))
  expect(codeOf(await line.readResponse())).toMatchObject({ message: 'Request did not arrive in time.' })
  await allIsFree()
})

test('a large body whose sender is gone leaves its room to others', { timeout: 60_000 }, async () => {
  const { begun: startRequest } = await openTestService()
  const line = await startRequest(DECLARED, NOT_JSON.subarray(MIB))
  await expect.poll(() => bodyBudget.hasCapacity(2 * GREATEST)).toBe(false)
  line.destroy()
  await allIsFree()
})

test('whoever announces much and sends nothing takes no room from others', async () => {
  const { begun: startRequest, postedSmall } = await openTestService()
  for (let times = 0; times < 20; times += 1) await startRequest(DECLARED, new Uint8Array())
  expect(await postedSmall()).toBe(201)
  expect(bodyBudget.hasCapacity(2 * GREATEST)).toBe(true)
})

/** As if others held so many bytes in bodies of that size. */
function reserveBodyBytes(bytes: number, size: number): void {
  for (let held = 0; held < bytes; held += size) {
    const other = {}
    expect(bodyBudget.reserve(other, size)).toBe(true)
    onTestFinished(() => bodyBudget.release(other))
  }
}

test('a large body that would find no room is refused before it is sent', async () => {
  const { begun: startRequest } = await openTestService()
  reserveBodyBytes(GREATEST + MIB, GREATEST + MIB)
  const line = await startRequest(DECLARED, new Uint8Array())
  expect(await line.readResponse()).toMatchObject({ status: 429, headers: { connection: 'close' } })
})

test('small bodies are refused too when a thousand of them are held beside all that large ones may hold', async () => {
  const { postedSmall } = await openTestService()
  reserveBodyBytes(2 * GREATEST, GREATEST)
  expect(await postedSmall()).toBe(201)
  reserveBodyBytes(64 * MIB, 65_536)
  expect(await postedSmall()).toBe(429)
})

test('where there is no room, operations, OAuth, tools and pages each say so in their own way, and small calls go on', async () => {
  const service = await openService(memoryStorage())
  const { token, call } = await openWorkspace(service)
  const large = 'x'.repeat(65_537)
  reserveBodyBytes(2 * GREATEST, GREATEST)
  const asTask = await call('POST', '/v1/tasks', `{"title":"${large}"}`)
  expect([asTask.status, errorOf(asTask)['code'], asTask.headers.get('Retry-After')]).toEqual([
    429,
    'rate_limit_exceeded',
    '5',
  ])
  expect((await call('POST', '/v1/tasks', { title: 'x'.repeat(100) })).status).toBe(201)

  const asked = async (path: string, type: string, headers: object = {}) => {
    const answer = await service.app.request(path, {
      method: 'POST',
      headers: { 'Content-Type': type, 'Content-Length': String(large.length), ...headers },
      body: large,
    })
    return [
      answer.status,
      answer.headers.get('Retry-After'),
      answer.headers.get('Connection'),
      await answer.text(),
    ]
  }
  const form = 'application/x-www-form-urlencoded'
  const said = 'Rate limit exceeded. Try again in 5 seconds.'
  for (const path of ['/mcp/token', '/mcp/revoke'])
    expect(await asked(path, form)).toEqual([
      429,
      '5',
      'close',
      JSON.stringify({ error: 'temporarily_unavailable', error_description: said }),
    ])
  expect(await asked('/v1/auth/register-app', 'application/json')).toMatchObject([
    429,
    '5',
    'close',
    expect.stringContaining(said),
  ])
  expect(await asked('/mcp', 'application/json', { Authorization: `Bearer ${token}` })).toEqual([
    429,
    '5',
    'close',
    JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message: said }, id: null }),
  ])
  expect(await asked('/sign-in', form, { Accept: 'text/html' })).toMatchObject([
    429,
    '5',
    'close',
    expect.stringContaining('<html'),
  ])
})
