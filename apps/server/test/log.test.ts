import { memoryStorage } from '@sales-crm/core/memory'
import type { Storage } from '@sales-crm/core/ports'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { errorIn, openService, openWorkspace } from './harness.ts'

function recorder() {
  const lines: string[] = []
  const log = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(line) })
  return { log, lines, records: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) }
}

test('each request is one line, with the route and not the path', async () => {
  const { log, records } = recorder()
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

test('no token, body or text of a caller gets into the log', async () => {
  const { log, lines } = recorder()
  const acme = await openWorkspace(await openService(memoryStorage(), { log }))
  const headers = { 'User-Agent': 'canary', Cookie: 'canary=1', 'Idempotency-Key': 'canary' }
  await acme.call('POST', '/v1/tasks', { title: 'canary\n{"level":"error"}' }, { headers })
  await acme.call('POST', '/v1/tasks', '{"canary', { headers })
  await acme.call('GET', '/v1/tasks?canary=canary', undefined, { headers, token: 'canary' })
  expect(lines).toHaveLength(3)
  expect(lines.join('')).not.toMatch(/canary|eyJ/)
})

test('what fails unexpectedly is told to the operator and not to the caller', async () => {
  const { log, records } = recorder()
  const failure = Object.assign(new Error('connection terminated'), {
    code: '57P01',
    detail: 'Key (email)=(canary)',
    query: 'select canary',
  })
  const storage = memoryStorage()
  let broken = false
  const read: Storage['read'] = (work) => (broken ? Promise.reject(failure) : storage.read(work))
  const acme = await openWorkspace(await openService({ ...storage, read }, { log }))
  broken = true
  const answer = await acme.call('GET', '/v1/tasks')
  const request_id = answer.headers.get('X-Request-ID')
  expect([answer.status, errorIn(answer)]).toEqual([500, { code: 'internal_error', message: 'An unexpected error occurred.' }])
  expect(records()).toMatchObject([
    { level: 50, request_id, err: { name: 'Error', message: 'connection terminated', code: '57P01', stack: expect.any(String) } },
    { level: 30, request_id, status: 500 },
  ])
  expect(JSON.stringify(records())).not.toContain('canary')
})
