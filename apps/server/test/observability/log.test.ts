import { Writable } from 'node:stream'
import { memoryStorage } from '@sales-crm/core/memory'
import type { Storage } from '@sales-crm/core/ports'
import { pino } from 'pino'
import { build } from 'pino-pretty'
import { expect, test } from 'vitest'
import { PRETTY_OPTIONS, REDACTION_OPTIONS } from '../../src/observability/log.ts'
import { redact, serializeError } from '../../src/observability/redaction.ts'
import { errorOf, openService, openWorkspace } from '../support/test-service.ts'

function createLogRecorder() {
  const lines: string[] = []
  const log = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(line) })
  return { log, lines, records: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) }
}

test('logs each request in one line with the route instead of the path', async () => {
  const { log, records } = createLogRecorder()
  const acme = await openWorkspace(await openService(memoryStorage(), { log }))
  const { headers } = await acme.call('GET', '/v1/people/0199-secret?q=canary', undefined, {
    headers: { 'X-Request-ID': 'theirs {"level":60}' },
  })
  await acme.call('PUT', '/canary')
  expect(records()).toEqual([
    {
      level: 30,
      request_id: headers.get('X-Request-ID'),
      caller_request_id: 'theirs {"level":60}',
      method: 'GET',
      route: '/v1/people/:id',
      status: 422,
      ms: 0,
      client_id: acme.client_id,
      workspace_id: acme.id,
    },
    { level: 30, request_id: expect.any(String), method: 'PUT', status: 404, ms: 0 },
  ])
})

test('logs no token, body, query or header of a caller', async () => {
  const { log, lines } = createLogRecorder()
  const acme = await openWorkspace(await openService(memoryStorage(), { log }))
  const headers = { 'User-Agent': 'canary', Cookie: 'canary=1', 'Idempotency-Key': 'canary' }
  await acme.call('POST', '/v1/tasks', { title: 'canary\n{"level":"error"}' }, { headers })
  await acme.call('POST', '/v1/tasks', '{"canary', { headers })
  await acme.call('GET', '/v1/tasks?canary=canary', undefined, { headers, token: 'canary' })
  expect(lines).toHaveLength(3)
  expect(lines.join('')).not.toMatch(/canary|eyJ/)
})

test('logs an unexpected error with details that the response omits', async () => {
  const { log, records } = createLogRecorder()
  const failure = Object.assign(new Error('connection terminated'), {
    code: '57P01',
    detail: 'Key (email)=(canary)',
    query: 'select canary',
  })
  const storage = memoryStorage()
  let isFailing = false
  const read: Storage['read'] = (work) => (isFailing ? Promise.reject(failure) : storage.read(work))
  const acme = await openWorkspace(await openService({ ...storage, read }, { log }))
  isFailing = true
  const response = await acme.call('GET', '/v1/tasks')
  const request_id = response.headers.get('X-Request-ID')
  expect([response.status, errorOf(response)]).toEqual([
    500,
    { code: 'internal_error', message: 'An unexpected error occurred.' },
  ])
  expect(records()).toMatchObject([
    {
      level: 50,
      request_id,
      err: { name: 'Error', message: 'connection terminated', code: '57P01', stack: expect.any(String) },
    },
    { level: 30, request_id, status: 500 },
  ])
  expect(JSON.stringify(records())).not.toContain('canary')
})

test('prints each request in one short line on a terminal', async () => {
  const output: string[] = []
  const terminal = new Writable({ write: (chunk, _, done) => done(void output.push(String(chunk))) })
  const log = pino(
    { base: null },
    build({ ...PRETTY_OPTIONS, colorize: false, translateTime: 'UTC:"12:00"', destination: terminal }),
  )
  const acme = await openWorkspace(await openService(memoryStorage(), { log }))
  await acme.call('POST', '/v1/tasks', { title: 'Call' })
  await acme.call('PUT', '/nowhere')
  log.info('Listening on http://127.0.0.1:3000')
  log.error({ request_id: 'r-1', err: { name: 'Error', message: 'gone' } }, 'A request failed unexpectedly.')
  expect(output.map((line) => line.split('\n', 1)[0]?.trimEnd())).toEqual([
    '[12:00] INFO: POST /v1/tasks 201 0 ms',
    '[12:00] INFO: PUT 404 0 ms',
    '[12:00] INFO: Listening on http://127.0.0.1:3000',
    '[12:00] ERROR: A request failed unexpectedly. r-1',
  ])
  expect(output.slice(0, 3).map((text) => text.indexOf('\n') === text.length - 1)).toEqual([true, true, true])
})

test.each([
  ['Bearer abc.def-1 is over', 'Bearer … is over'],
  ['Basic YTpi was sent', 'Basic … was sent'],
  ['\neyJhbGciOi.eyJpc3Mi.x-_y', '\n…'],
  [`crm_rt_${'0f'.repeat(64)} crm_lnk_00 whsec_00`, '… … …'],
  [`secret ${'0f'.repeat(32)}.`, 'secret ….'],
  ['?client_secret=a%20b&code=c&state=d', '?client_secret=…&code=…&state=d'],
  [
    '{"password":"a \\" b","access_token": "b","token":"c","code":"d"}',
    '{"password":…,"access_token": …,"token":…,"code":…}',
  ],
  ["Set-Cookie: '__Host-session=abc'", 'Set-Cookie: …'],
  ['idempotency-key: k-1, authorization=x', 'idempotency-key: …, authorization=…'],
  ['550 <bo.b+x@mail.acme.example>: no such user', '550 <…>: no such user'],
  [
    'Unexpected token } in JSON at position 4, code: 57P01',
    'Unexpected token } in JSON at position 4, code: 57P01',
  ],
  [
    'at f (file:///srv/node_modules/@hono/node-server/password.ts:1:2)',
    'at f (file:///srv/node_modules/@hono/node-server/password.ts:1:2)',
  ],
])('%j is logged as %j', (text, redacted) => {
  expect(redact(text)).toBe(redacted)
})

test('redacts thrown values that are not errors', () => {
  expect(serializeError('whsec_00 is wrong')).toEqual({ message: '… is wrong' })
})

test('redacts fields with the name or the form of a secret, and keeps one line of JSON per entry', () => {
  const lines: string[] = []
  const log = pino(
    { ...REDACTION_OPTIONS, base: null, timestamp: false },
    { write: (line) => void lines.push(line) },
  )
  const secretFields = {
    Authorization: 'a',
    client_secret: 'b',
    code: 'c',
    refresh_token: 'd',
    access_token: 'e',
    webhook_secret: 'f',
    token: 'g',
  }
  const secretHeaders = { cookie: 'h', 'set-cookie': ['i'], 'idempotency-key': 'j', password: { k: 'l' } }
  log.info({ request_id: 'r', headers: { ...secretFields, ...secretHeaders }, ...secretFields }, 'Said')
  log.error(
    {
      err: { name: 'Error', code: '57P01', token: 'm' },
      text: 'a "\neyJhbGciOi.x\r\n{"level":60}\u2028whsec_00',
    },
    'crm_rt_00 is said',
  )
  const redactedFields = {
    ...Object.fromEntries(Object.keys({ ...secretFields, ...secretHeaders }).map((name) => [name, '…'])),
  }
  const {
    cookie: _,
    'set-cookie': __,
    'idempotency-key': ___,
    password: ____,
    ...redactedSecretFields
  } = redactedFields
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 30, request_id: 'r', headers: redactedFields, ...redactedSecretFields, msg: 'Said' },
    {
      level: 50,
      err: { name: 'Error', code: '57P01', token: '…' },
      text: 'a "\n…\r\n{"level":60}\u2028…',
      msg: '… is said',
    },
  ])
  expect(lines.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true)
})

test.each(['a', 'a.', 'a@', '.', '-', 'password', 'password=', 'code" ', 'eyJ', 'crm_ses_', 'Bearer '])(
  'redacts a text of two million characters that repeats %j in linear time',
  (part) => {
    const text = part.repeat(2_000_000 / part.length)
    expect(redact(`${text} ana@acme.example`)).not.toContain('ana@')
  },
)
