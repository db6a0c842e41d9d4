import { expect, test } from 'vitest'
import { serializeBody } from '../../src/http/response.ts'

const textOf = (body: object) => Buffer.from(serializeBody({ status: 200, body }).raw!).toString()

test.each([
  ['an empty page', { data: [], meta: { total: 0 } }],
  ['one record', { data: [{ id: 'a' }], meta: { total: 1 } }],
  ['several, beyond ASCII', { data: [{ id: 'ã' }, { id: '😀' }, { id: '\ud800' }], meta: { total: 3 } }],
  ['a list without pages', { data: [{ id: 'a' }] }],
  ['a record', { data: { id: 'a' } }],
])('the text of %s is its JSON', (_, body) => {
  expect(textOf(body)).toBe(JSON.stringify(body))
})
