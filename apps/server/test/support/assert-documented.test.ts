import { memoryStorage } from '@sales-crm/core/memory'
import { describe, expect, test } from 'vitest'
import { assertDocumented } from './assert-documented.ts'
import { openService, openWorkspace, sendRequest } from './test-service.ts'

const TAG = {
  id: '0198c0de-0000-7000-8000-000000000001',
  key: 'hot',
  name: 'Hot',
  color: '#6b7280',
  created_at: '2026-03-01T12:00:00.000Z',
  updated_at: '2026-03-01T12:00:00.000Z',
}
const META = { total: 1, page: 1, per_page: 30, has_more: false }
const REQUEST_ID = '0198c0de-0000-7000-8000-000000000002'
const NOT_FOUND = { error: { code: 'not_found', message: 'Tag not found.', request_id: REQUEST_ID } }
const PATH = `/v1/tags/${TAG.id}`

interface More {
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
}

function assertResponse(
  method: string,
  path: string,
  status: number,
  body: object | string | null,
  { type = 'application/json', headers }: More = {},
) {
  const text = typeof body === 'object' && body ? JSON.stringify(body) : body
  const all = { 'X-Request-ID': REQUEST_ID, ...(body !== null && { 'Content-Type': type }), ...headers }
  return assertDocumented({ method, path }, new Response(text, { status, headers: all }))
}

describe('an answer', () => {
  test.each([
    ['one that is made', 'POST', '/v1/tags', 201, { data: TAG }],
    ['a list', 'GET', '/v1/tags?per_page=1', 200, { data: [TAG], meta: META }],
    ['nothing', 'DELETE', PATH, 204, null],
    ['a refusal', 'GET', PATH, 404, NOT_FOUND],
    ['one to HEAD', 'HEAD', PATH, 200, null],
    ['one to a path that is written otherwise', 'GET', `/v1/t%61gs/${TAG.id}`, 200, { data: TAG }],
    ['a page that no operation tells of', 'GET', '/sign-in', 200, '<html>'],
    ['a refusal where there is no operation', 'PUT', '/v1/tags', 404, NOT_FOUND],
    ['an error of another protocol', 'POST', '/mcp/token', 400, { error: 'invalid_grant' }],
  ])('is as the document tells: %s', async (_, method, path, status, body) => {
    await expect(
      assertResponse(method, path, status, body, path === '/sign-in' ? { type: 'text/html' } : {}),
    ).resolves.toBeUndefined()
  })

  test.each([
    ['a field more', 'GET', PATH, 200, { data: { ...TAG, workspace_id: TAG.id } }, 'workspace_id'],
    ['a field less', 'POST', '/v1/tags', 201, { data: { ...TAG, color: undefined } }, 'color'],
    ['a field of another type', 'PATCH', PATH, 200, { data: { ...TAG, updated_at: 'now' } }, 'updated_at'],
    ['something beside the data', 'GET', '/v1/tags', 200, { data: [TAG], meta: META, next: null }, 'next'],
    ['a list where one is asked for', 'GET', '/v1/workspace', 200, { data: [], meta: META }, '/data'],
    [
      'a delivery that says its lease',
      'GET',
      `/v1/webhooks/${TAG.id}/deliveries`,
      200,
      { data: [{ lease: 1 }], meta: META },
      'lease',
    ],
    [
      'an error of no known code',
      'GET',
      PATH,
      404,
      { error: { ...NOT_FOUND.error, code: 'gone' } },
      '/error/code',
    ],
    [
      'an error that says more',
      'GET',
      '/v1/tags',
      500,
      { error: { ...NOT_FOUND.error, stack: 'z' } },
      'stack',
    ],
    [
      'an error of another shape where there is no operation',
      'PUT',
      '/v1/tags',
      404,
      { error: 'no' },
      '/error',
    ],
    [
      'a status that the operation does not name',
      'GET',
      '/v1/tags',
      404,
      NOT_FOUND,
      'answered with 404, and tells of 200, 401',
    ],
    ['another status of success', 'POST', '/v1/tags', 200, { data: TAG }, 'answered with 200'],
    ['a body where there is none', 'GET', '/oauth/authorize', 303, {}, 'it has a body of application/json'],
    ['no body where there is one', 'GET', PATH, 200, null, 'media type is left out'],
  ])('is refused with %s', async (_, method, path, status, body, where) => {
    await expect(assertResponse(method, path, status, body)).rejects.toThrow(where)
  })

  test('is refused with another media type, and with headers left out or malformed', async () => {
    const tag = (more: More) => assertResponse('GET', PATH, 200, { data: TAG }, more)
    await expect(tag({ type: 'text/html' })).rejects.toThrow(
      'its media type is text/html, and not application/json',
    )
    await expect(tag({ headers: { 'X-Request-ID': '1' } })).rejects.toThrow('X-Request-ID')
    await expect(tag({ headers: { 'X-RateLimit-Limit': 'many' } })).rejects.toThrow('X-RateLimit-Limit')
    await expect(assertResponse('GET', '/oauth/authorize', 303, null)).rejects.toThrow(
      'the header Location is left out',
    )
    const tooMany = { error: { ...NOT_FOUND.error, code: 'rate_limit_exceeded' } }
    await expect(assertResponse('GET', PATH, 429, tooMany)).rejects.toThrow(
      'the header Retry-After is left out',
    )
    await expect(
      assertResponse('GET', PATH, 429, tooMany, { headers: { 'Retry-After': '60' } }),
    ).resolves.toBeUndefined()
  })

  test('of the service is held to that wherever a test makes a call', async () => {
    const service = await openService(memoryStorage())
    const { token } = await openWorkspace(service)
    const tags = service.crm.tags as { get: (...all: never[]) => Promise<object> }
    tags.get = async () => ({ ...TAG, secret: 'x' })
    await expect(sendRequest(service.app, 'GET', PATH, undefined, { token })).rejects.toThrow('secret')
    const headers = { Authorization: `Bearer ${token}` }
    await expect((async () => service.app.request(PATH, { headers }))()).rejects.toThrow('secret')
    await expect(
      (async () => service.app.request(new Request(`http://localhost${PATH}`, { headers })))(),
    ).rejects.toThrow('secret')
  })
})
