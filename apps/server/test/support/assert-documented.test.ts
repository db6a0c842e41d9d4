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

interface ResponseOptions {
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
}

function assertResponse(
  method: string,
  path: string,
  status: number,
  body: object | string | null,
  { type = 'application/json', headers }: ResponseOptions = {},
) {
  const text = typeof body === 'object' && body ? JSON.stringify(body) : body
  const allHeaders = {
    'X-Request-ID': REQUEST_ID,
    ...(body !== null && { 'Content-Type': type }),
    ...headers,
  }
  return assertDocumented({ method, path }, new Response(text, { status, headers: allHeaders }))
}

describe('assertDocumented', () => {
  test.each([
    ['a created record', 'POST', '/v1/tags', 201, { data: TAG }],
    ['a list', 'GET', '/v1/tags?per_page=1', 200, { data: [TAG], meta: META }],
    ['an empty response', 'DELETE', PATH, 204, null],
    ['an error response', 'GET', PATH, 404, NOT_FOUND],
    ['a response to HEAD', 'HEAD', PATH, 200, null],
    ['a percent-encoded path', 'GET', `/v1/t%61gs/${TAG.id}`, 200, { data: TAG }],
    ['a page without an operation', 'GET', '/sign-in', 200, '<html>'],
    ['an error response without an operation', 'PUT', '/v1/tags', 404, NOT_FOUND],
    ['an error of another protocol', 'POST', '/mcp/token', 400, { error: 'invalid_grant' }],
  ])('accepts a documented response: %s', async (_, method, path, status, body) => {
    const options = path === '/sign-in' ? { type: 'text/html' } : { headers: { ETag: '"1"' } }
    await expect(assertResponse(method, path, status, body, options)).resolves.toBeUndefined()
  })

  test.each([
    ['an additional field', 'GET', PATH, 200, { data: { ...TAG, workspace_id: TAG.id } }, 'workspace_id'],
    ['a missing field', 'POST', '/v1/tags', 201, { data: { ...TAG, color: undefined } }, 'color'],
    ['a field of another type', 'PATCH', PATH, 200, { data: { ...TAG, updated_at: 'now' } }, 'updated_at'],
    [
      'an additional key next to data',
      'GET',
      '/v1/tags',
      200,
      { data: [TAG], meta: META, next: null },
      'next',
    ],
    ['a list in place of an object', 'GET', '/v1/workspace', 200, { data: [], meta: META }, '/data'],
    [
      'a delivery with its lease',
      'GET',
      `/v1/webhooks/${TAG.id}/deliveries`,
      200,
      { data: [{ lease: 1 }], meta: META },
      'lease',
    ],
    [
      'an unknown error code',
      'GET',
      PATH,
      404,
      { error: { ...NOT_FOUND.error, code: 'gone' } },
      '/error/code',
    ],
    [
      'an additional error field',
      'GET',
      '/v1/tags',
      500,
      { error: { ...NOT_FOUND.error, stack: 'z' } },
      'stack',
    ],
    ['an error of another shape without an operation', 'PUT', '/v1/tags', 404, { error: 'no' }, '/error'],
    [
      'an undocumented status',
      'GET',
      '/v1/tags',
      404,
      NOT_FOUND,
      'returned 404, and the document names 200, 401',
    ],
    ['another success status', 'POST', '/v1/tags', 200, { data: TAG }, 'returned 200'],
    [
      'a body of a response without content',
      'GET',
      '/oauth/authorize',
      303,
      {},
      'unexpected body of application/json',
    ],
    ['no body of a response with content', 'GET', PATH, 200, null, 'media type missing'],
  ])('rejects %s', async (_, method, path, status, body, message) => {
    await expect(assertResponse(method, path, status, body)).rejects.toThrow(message)
  })

  test('rejects another media type, and a missing or malformed header', async () => {
    const assertTag = (more: ResponseOptions) => assertResponse('GET', PATH, 200, { data: TAG }, more)
    await expect(assertTag({ type: 'text/html' })).rejects.toThrow(
      'media type text/html instead of application/json',
    )
    await expect(assertTag({ headers: { 'X-Request-ID': '1' } })).rejects.toThrow('X-Request-ID')
    await expect(assertTag({ headers: { 'X-RateLimit-Limit': 'many' } })).rejects.toThrow('X-RateLimit-Limit')
    await expect(assertResponse('GET', '/oauth/authorize', 303, null)).rejects.toThrow(
      'header Location missing',
    )
    const tooMany = { error: { ...NOT_FOUND.error, code: 'rate_limit_exceeded' } }
    await expect(assertResponse('GET', PATH, 429, tooMany)).rejects.toThrow('header Retry-After missing')
    await expect(
      assertResponse('GET', PATH, 429, tooMany, { headers: { 'Retry-After': '60' } }),
    ).resolves.toBeUndefined()
  })

  test('checks every request a test sends to the app', async () => {
    const service = await openService(memoryStorage())
    const { token } = await openWorkspace(service)
    const tags = service.crm.tags as { getVersioned: (...all: never[]) => Promise<object> }
    tags.getVersioned = async () => ({ data: { ...TAG, secret: 'x' }, version: '1' })
    await expect(sendRequest(service.app, 'GET', PATH, undefined, { token })).rejects.toThrow('secret')
    const headers = { Authorization: `Bearer ${token}` }
    await expect((async () => service.app.request(PATH, { headers }))()).rejects.toThrow('secret')
    await expect(
      (async () => service.app.request(new Request(`http://localhost${PATH}`, { headers })))(),
    ).rejects.toThrow('secret')
  })
})
