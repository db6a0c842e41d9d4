import { memoryStorage } from '@sales-crm/core/memory'
import { describe, expect, test } from 'vitest'
import { mustBeAnswered } from './answered-as.ts'
import { call, openService, openWorkspace } from './harness.ts'

const TAG = {
  id: '0198c0de-0000-7000-8000-000000000001',
  key: 'hot',
  name: 'Hot',
  color: '#6b7280',
  created_at: '2026-03-01T12:00:00.000Z',
  updated_at: '2026-03-01T12:00:00.000Z',
}
const META = { total: 1, page: 1, per_page: 30, has_more: false }
const judge = (method: string, path: string, status: number, json: unknown) => () => mustBeAnswered({ method, path }, status, json)

describe('an answer', () => {
  test('is as the core says of its kind, alone or in a list', () => {
    expect(judge('POST', '/v1/tags', 201, { data: TAG })).not.toThrow()
    expect(judge('GET', '/v1/tags?per_page=1', 200, { data: [TAG], meta: META })).not.toThrow()
  })

  test.each([
    ['a field more', 'GET', `/v1/tags/${TAG.id}`, 200, { data: { ...TAG, workspace_id: TAG.id } }, 'data.workspace_id'],
    ['a field less', 'POST', '/v1/tags', 201, { data: { ...TAG, color: undefined } }, 'data.color'],
    ['a field of another type', 'PATCH', `/v1/tags/${TAG.id}`, 200, { data: { ...TAG, updated_at: 'now' } }, 'data.updated_at'],
    ['something beside the data', 'GET', '/v1/tags', 200, { data: [TAG], meta: META, next: null }, 'next'],
    ['a list where one is asked for', 'GET', '/v1/workspace', 200, { data: [], meta: META }, 'data'],
    ['a delivery that says its lease', 'GET', `/v1/webhooks/${TAG.id}/deliveries`, 200, { data: [{ lease: 1 }], meta: META }, 'data.0'],
    ['an error of no known code', 'GET', '/v1/tags', 404, { error: { code: 'gone', message: 'x', request_id: 'y' } }, 'error.code'],
    [
      'an error that says more',
      'GET',
      '/v1/tags',
      500,
      { error: { code: 'internal_error', message: 'x', request_id: 'y', stack: 'z' } },
      'stack',
    ],
  ])('is refused with %s', (_, method, path, status, json, where) => {
    expect(judge(method, path, status, json)).toThrow(where)
  })

  test('of the service is held to that wherever a test makes a call', async () => {
    const service = await openService(memoryStorage())
    const { token } = await openWorkspace(service)
    const tags = service.crm.tags as { get: (...all: never[]) => Promise<object> }
    tags.get = async () => ({ ...TAG, secret: 'x' })
    await expect(call(service.app, 'GET', `/v1/tags/${TAG.id}`, undefined, { token })).rejects.toThrow('data.secret')
  })
})
