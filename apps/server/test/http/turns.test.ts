import { memoryStorage } from '@sales-crm/core/memory'
import { RetryLaterError } from '@sales-crm/core/ports'
import { expect, test } from 'vitest'
import { type CallKind, FairQueue } from '../../src/http/limits/fair-queue.ts'
import { errorOf, openService, openWorkspace, sendRequest } from '../support/test-service.ts'

/** A queue in which no long call ever gets a turn. */
class ClosedQueue extends FairQueue {
  /** Who was refused last. */
  caller: string | undefined

  override run<T>(caller: string, kind: CallKind, work: () => Promise<T>): Promise<T> {
    if (kind === 'long') this.caller = caller
    return kind === 'short' ? work() : Promise.reject(new RetryLaterError(5, 'No turns.'))
  }
}

const TOO_LONG = {
  code: 'rate_limit_exceeded',
  message: 'Rate limit exceeded. Try again in 5 seconds.',
}

async function openTestWorkspace() {
  const service = await openService(memoryStorage(), { fairQueue: new ClosedQueue({ concurrency: 1 }) })
  return openWorkspace(service)
}

test.each([
  '/v1/people',
  '/v1/companies',
  '/v1/deals',
  '/v1/pipelines',
  '/v1/tasks',
  '/v1/task-types',
  '/v1/activities',
  '/v1/products',
  '/v1/tags',
  '/v1/lists',
  '/v1/custom-fields',
  '/v1/webhooks',
  '/v1/members',
])('a list of %s takes a turn', async (path) => {
  const { call } = await openTestWorkspace()
  const response = await call('GET', path)
  expect([response.status, errorOf(response), response.headers.get('Retry-After')]).toMatchObject([
    429,
    TOO_LONG,
    '5',
  ])
  expect(response.headers.get('Connection')).toBeNull()
})

test('an export takes a turn for each part after the first', async () => {
  const { call } = await openTestWorkspace()
  // The first one leaves no export behind, which would be another reason.
  for (let count = 0; count < 2; count += 1) {
    const response = await call('GET', '/v1/people/export')
    expect([response.status, errorOf(response)]).toMatchObject([429, TOO_LONG])
  }
})

test('an archive takes a turn of its workspace for each part after the first', async () => {
  const fairQueue = new ClosedQueue({ concurrency: 1 })
  const service = await openService(memoryStorage(), { fairQueue })
  const { id, call } = await openWorkspace(service)
  const { json } = await call('POST', '/v1/workspace/archive-link')
  const { pathname } = new URL((json as { data: { url: string } }).data.url)
  for (let count = 0; count < 2; count += 1) {
    const response = await sendRequest(service.app, 'GET', pathname)
    expect([response.status, errorOf(response), fairQueue.caller]).toMatchObject([429, TOO_LONG, id])
  }
})

test.each(['/openapi.json', '/files/0191d2f0-0000-7000-8000-000000000001/key'])(
  '%s takes a turn of the address',
  async (path) => {
    const { call } = await openTestWorkspace()
    const response = await call('GET', path)
    expect([response.status, errorOf(response)]).toMatchObject([429, TOO_LONG])
  },
)

test('a large body takes a turn, and without one nothing is stored; a small one does not wait', async () => {
  const { call, createRecord } = await openTestWorkspace()
  const { id } = await createRecord('/v1/tasks', { title: 'Call' })
  for (const [method, path] of [
    ['POST', '/v1/tasks'],
    ['PATCH', `/v1/tasks/${id}`],
  ] as const) {
    const response = await call(method, path, `{"title":"Late"${' '.repeat(16_384)}}`)
    expect([response.status, errorOf(response)]).toMatchObject([429, TOO_LONG])
  }
  expect((await call('GET', `/v1/tasks/${id}`)).json).toMatchObject({ data: { title: 'Call' } })
})

test('tools take a turn', async () => {
  const { call } = await openTestWorkspace()
  const response = await call('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' })
  expect([response.status, response.json]).toMatchObject([429, { error: { message: TOO_LONG.message } }])
})

test('a change of a custom field takes a turn', async () => {
  const { call, createRecord } = await openTestWorkspace()
  const { id } = await createRecord('/v1/custom-fields', { label: 'Size', key: 'size', type: 'text' })
  const response = await call('PATCH', `/v1/custom-fields/${id}`, { label: 'Large' })
  expect([response.status, errorOf(response)]).toMatchObject([429, TOO_LONG])
})
