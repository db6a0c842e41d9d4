import { memoryStorage } from '@sales-crm/core/memory'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readJson } from '../../src/http/json-body.ts'
import { findRepeatedName } from '../../src/http/json-tokens.ts'
import { RequestBody } from '../../src/http/request-body.ts'
import { errorOf, openService, openWorkspace } from '../support/test-service.ts'

const NOT_JSON = 'Request body must be valid JSON.'
const NOT_AN_OBJECT = 'Request body must be a JSON object.'
const JSON_TYPE = { 'Content-Type': 'application/json' }
const nestedJson = (levels: number) => `{"title":"a","x":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)))

test.each([
  ['an empty body', '', NOT_JSON],
  ['half an object', '{"title":', NOT_JSON],
  ['two objects', '{}{}', NOT_JSON],
  ['a comment', '{/**/}', NOT_JSON],
  ['a trailing comma', '{"title":"a",}', NOT_JSON],
  ['single quotes', "{'title':'a'}", NOT_JSON],
  ['a raw line break in a string', '{"title":"a\nb"}', NOT_JSON],
  ['NaN', '{"title":NaN}', NOT_JSON],
  ['a form', 'title=a', NOT_JSON],
  ['bytes that are not UTF-8', bytes('{"title":"', [0xff, 0xfe], '"}'), NOT_JSON],
  ['truncated UTF-8', bytes('{"title":"', [0xe2, 0x82], '"}'), NOT_JSON],
  ['a surrogate in UTF-8', bytes('{"title":"', [0xed, 0xa0, 0x80], '"}'), NOT_JSON],
  ['UTF-16', Buffer.from('{"title":"a"}', 'utf16le'), NOT_JSON],
  ['an array', '[{"title":"a"}]', NOT_AN_OBJECT],
  ['null', 'null', NOT_AN_OBJECT],
  ['a number', '1', NOT_AN_OBJECT],
  ['a string', '"title"', NOT_AN_OBJECT],
  ['20 001 values', `{"title":[${'1,'.repeat(19_998)}1]}`, 'Request body holds too many values.'],
  ['20 001 fields', `{"title":"a"${',"":1'.repeat(19_999)}}`, 'Request body holds too many values.'],
  ['65 levels', nestedJson(65), 'Request body is nested too deeply.'],
  ['10 000 levels', '['.repeat(10_000), NOT_JSON],
  ['10 000 closed levels', '['.repeat(10_000) + ']'.repeat(10_000), 'Request body is nested too deeply.'],
])('rejects %s', async (_, body, message) => {
  const { call } = await openWorkspace(await openService(memoryStorage()))
  const response = await call('POST', '/v1/tasks', body)
  expect([response.status, errorOf(response)]).toEqual([400, { code: 'bad_request', message }])
})

test('accepts 64 levels', async () => {
  const { call } = await openWorkspace(await openService(memoryStorage()))
  const response = await call('POST', '/v1/tasks', nestedJson(64))
  expect([response.status, errorOf(response)['fields']]).toEqual([422, { x: 'Unknown field.' }])
})

test('ignores structural characters within strings', async () => {
  const { call } = await openWorkspace(await openService(memoryStorage()))
  const notes = `${',[{'.repeat(900)}\\"${',[{'.repeat(90)}\\\\`
  const body = { title: '\\"', notes, x: Array.from({ length: 80 }, () => ',[{"\\'.repeat(1000)) }
  const response = await call('POST', '/v1/tasks', body)
  expect([response.status, errorOf(response)['fields']]).toEqual([422, { x: 'Unknown field.' }])
})

test.each([
  ['application/json', 201],
  ['application/json; charset=utf-8', 201],
  ['Application/JSON;Charset="UTF-8"', 201],
  ['application/json-patch+json', 400],
  ['application/merge-patch+json', 400],
  ['application/vnd.api+json', 400],
  ['', 201],
  ['text/plain', 400],
  ['text/json', 400],
  ['application/jsonx', 400],
  ['application/x-www-form-urlencoded', 400],
  ['multipart/form-data; boundary=x', 400],
  ['application/json; charset=utf-16', 400],
  ['application/json; charset=iso-8859-1', 400],
])('a body of type %j returns %i', async (type, status) => {
  const { call } = await openWorkspace(await openService(memoryStorage()))
  const response = await call('POST', '/v1/tasks', '{"title":"a"}', { headers: { 'Content-Type': type } })
  expect(response.status).toBe(status)
  if (status === 400) expect(errorOf(response)).toMatchObject({ code: 'bad_request', message: NOT_JSON })
})

test('treats a missing type as JSON and skips a byte order mark', async () => {
  const { app, ...service } = await openService(memoryStorage())
  const { token } = await openWorkspace({ app, ...service })
  const body = bytes([0xef, 0xbb, 0xbf], '{"title":"a"}')
  const response = await app.request('/v1/tasks', {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    body,
  })
  expect(response.status).toBe(201)
})

test.each([
  ['{"title":"a","title":"b"}', 'title'],
  ['{"title":"a","t\\u0069tle":"b"}', 'title'],
  ['{"title":"a" , "notes" :"x:\\"", "notes"\n: null}', 'notes'],
  ['{"title":"a","custom_fields":{"size":"L","size":"M"}}', 'custom_fields.size'],
  ['{"emails":[{"email":"a@b.example"},{"email":"x","type":"work","email":"y"}]}', 'emails[1].email'],
  ['{"a":{"a":1},"b":[{"a":1},{"a":[2,{"__proto__":1,"__proto__":2}]}]}', 'b[1].a[1].__proto__'],
  ['{"":1,"":2}', ''],
])('refuses a repeated name: %s', async (body, name) => {
  const { call } = await openWorkspace(await openService(memoryStorage()))
  const response = await call('POST', '/v1/tasks', body)
  expect([response.status, errorOf(response)]).toEqual([
    400,
    { code: 'bad_request', message: NOT_JSON, fields: { [name]: 'Must be sent only once.' } },
  ])
})

test.each([
  '{"title":"title\\":\\"title","notes":"title: title"}',
  '{"title":"a","notes":{"title":"a"}}',
  '{"title":"a","notes":["title","title"]}',
])('accepts a name that only occurs elsewhere again: %s', async (body) => {
  const { call } = await openWorkspace(await openService(memoryStorage()))
  expect((await call('POST', '/v1/tasks', body)).status).not.toBe(400)
})

test('refuses an object of more than a thousand names, and no list of as many values', async () => {
  const { call } = await openWorkspace(await openService(memoryStorage()))
  const named = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, nth) => [`n${nth}`, 1]))
  expect((await call('POST', '/v1/tasks', named(1000))).status).toBe(422)
  expect((await call('POST', '/v1/tasks', { title: 'a', x: Array(1001).fill(1) })).status).toBe(422)
  for (const body of [named(1001), { title: 'a', x: [named(1001)] }]) {
    const response = await call('POST', '/v1/tasks', body)
    expect([response.status, errorOf(response)]).toEqual([
      400,
      { code: 'bad_request', message: 'Request body holds too many values.' },
    ])
  }
})

test('finds a repeated name in any JSON, at its first path', () => {
  const value = fc.json({ maxDepth: 4 }).map((text) => JSON.parse(text) as unknown)
  fc.assert(
    fc.property(value, fc.string(), (inner, name) => {
      const text = JSON.stringify({ before: inner, [`${name}x`]: 1 })
      expect(findRepeatedName(Buffer.from(text))).toBeUndefined()
      const key = JSON.stringify(`${name}y`)
      const repeated = `[${JSON.stringify(inner)},{${key}:${JSON.stringify(inner)},"z":2,${key}:1}]`
      expect(findRepeatedName(Buffer.from(repeated))).toBe(`[1].${name}y`)
    }),
  )
})

test.each([
  [
    { 'Content-Type': 'application/x-www-form-urlencoded' },
    { 'Content-Type': 'Must be application/json, in UTF-8.' },
  ],
  [
    { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
    { 'Content-Encoding': 'Must be absent: a compressed body is not supported.' },
  ],
])('says which header of %o is wrong', async (headers, fields) => {
  const { call } = await openWorkspace(await openService(memoryStorage()))
  const response = await call('POST', '/v1/tasks', '{"title":"a"}', { headers })
  expect([response.status, errorOf(response)]).toEqual([
    400,
    { code: 'bad_request', message: NOT_JSON, fields },
  ])
})

test('reads a body up to its limit, and not one byte more', async () => {
  const body = '{"title":"a"}'
  const bodyWith = (more: Record<string, string>) => {
    const init = { method: 'POST', headers: { ...JSON_TYPE, ...more }, body }
    return new RequestBody(new Request('http://crm.example', init), {
      sender: () => ({ address: '192.0.2.1' }),
    })
  }
  for (const headers of [{}, { 'Content-Length': String(body.length) }]) {
    expect(await readJson(bodyWith(headers), body.length)).toEqual({ title: 'a' })
    await expect(readJson(bodyWith(headers), body.length - 1)).rejects.toThrow('Request body is too large.')
  }
})

test('closes the connection after a body that is too large', async () => {
  const { call } = await openWorkspace(await openService(memoryStorage()))
  const response = await call('POST', '/v1/tasks', ' '.repeat(1_048_577))
  expect([response.status, errorOf(response)['message'], response.headers.get('connection')]).toEqual([
    400,
    'Request body is too large.',
    'close',
  ])
  expect((await call('POST', '/v1/tasks', `{"title":"a"}${' '.repeat(1_048_576 - 13)}`)).status).toBe(201)
})
