import { memoryStorage } from '@sales-crm/core/memory'
import { expect, test } from 'vitest'
import { errorOf, openService, openWorkspace } from '../support/test-service.ts'

const PADDING = ' '.repeat(200_000)
const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

test.each([
  ['valid', '{"title":"Call"}'],
  ['no JSON', '{"title":"Call"'],
  ['no UTF-8', Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)],
  ['no object', '["Call"]'],
  ['a repeated name', '{"title":"Call","title":"Mail"}'],
  ['a name of prototypes', '{"title":"Call","__proto__":{"notes":"x"},"constructor":1}'],
  ['a lone surrogate', '{"title":"\\ud800"}'],
  ['too many levels', deep(70)],
  ['as many levels as allowed', deep(60)],
  ['too many values', `{"title":[${'1,'.repeat(20_000)}1]}`],
])('a large body is judged like a small one: %s', async (_, body) => {
  const service = await openService(memoryStorage())
  const acme = await openWorkspace(service)
  const send = async (bytes: Uint8Array) => {
    const response = await acme.call('POST', '/v1/tasks', bytes)
    const { request_id: _id, ...error } = response.status === 201 ? {} : errorOf(response)
    return [response.status, error]
  }
  const small = Buffer.from(body as string)
  expect(await send(Buffer.concat([small, Buffer.from(PADDING)]))).toEqual(await send(small))
})
