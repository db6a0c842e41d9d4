import { memoryStorage } from '@sales-crm/core/memory'
import { expect, test } from 'vitest'
import { createToolCaller } from '../support/mcp-requests.ts'
import { openConnection, serveOnSocket } from '../support/raw-http.ts'
import { describeEachStore } from '../support/stores.ts'
import { errorOf, openService, openWorkspace } from '../support/test-service.ts'

/** The task types of a new workspace. */
const FIRST_RECORDS = 4
const FULL_OF_RECORDS = {
  code: 'forbidden',
  reason: 'workspace_full',
  message:
    'The workspace is full: it may hold 5 records. Delete some, or ask the operator of this service for more.',
}
const FULL_OF_BYTES = {
  code: 'forbidden',
  reason: 'workspace_full',
  message:
    'The workspace is full: it may hold 100000 bytes of files and long texts. ' +
    'Delete activities with attachments, or ask the operator of this service for more.',
}
const attachment = (bytes: number) => ({
  filename: 'a.txt',
  content: Buffer.alloc(bytes, 'a').toString('base64'),
})

describeEachStore('a quota', (open) => {
  test('of records refuses creations only, until one is deleted, and no other workspace', async () => {
    const service = await openService(await open(), { quota: { records: FIRST_RECORDS + 1, bytes: 1e9 } })
    const { call, createRecord } = await openWorkspace(service)
    const { id } = await createRecord('/v1/tags', { name: 'VIP' })
    const refusal = await call('POST', '/v1/people', { full_name: 'Ana' })
    expect([refusal.status, errorOf(refusal)]).toEqual([403, FULL_OF_RECORDS])
    expect(await call('GET', '/v1/workspace')).toMatchObject({
      json: { data: { storage: { records: 5, max_records: 5, bytes: 0, max_bytes: 1e9 } } },
    })
    expect((await call('PATCH', `/v1/tags/${id}`, { name: 'Gold' })).status).toBe(200)
    const other = await openWorkspace(service)
    expect((await other.call('POST', '/v1/people', { full_name: 'Ana' })).status).toBe(201)

    expect((await call('DELETE', `/v1/tags/${id}`)).status).toBe(204)
    service.advanceClock(1000)
    expect((await call('POST', '/v1/people', { full_name: 'Ana' })).status).toBe(201)
  })

  test('of bytes refuses creations and updates, until files are deleted', async () => {
    const service = await openService(await open(), { quota: { records: 1e9, bytes: 100_000 } })
    const { call, createRecord } = await openWorkspace(service)
    const { id } = await createRecord('/v1/activities', {
      content_html: 'Contract',
      attachments: [attachment(60_000)],
    })
    service.advanceClock(10_000)
    expect(await call('GET', '/v1/workspace')).toMatchObject({
      json: { data: { storage: { bytes: 80_000, max_bytes: 100_000 } } },
    })
    const body = { content_html: 'Contract', attachments: [attachment(30_000)] }
    const refusal = await call('POST', '/v1/activities', body, {
      headers: { 'Content-Length': String(JSON.stringify(body).length) },
    })
    expect([refusal.status, errorOf(refusal)]).toEqual([403, FULL_OF_BYTES])
    const patch = { content_html: 'x'.repeat(30_000) }
    const headers = { 'Content-Length': String(JSON.stringify(patch).length) }
    expect((await call('PATCH', `/v1/activities/${id}`, patch, { headers })).status).toBe(403)
    expect((await call('PATCH', `/v1/activities/${id}`, { content_html: 'Short' })).status).toBe(200)

    expect((await call('DELETE', `/v1/activities/${id}`)).status).toBe(204)
    service.advanceClock(1000)
    expect((await call('POST', '/v1/activities', body)).status).toBe(201)
  })

  test('refuses the tools that write', async () => {
    const service = await openService(await open(), { quota: { records: FIRST_RECORDS, bytes: 1e9 } })
    const { token } = await openWorkspace(service)
    const tool = createToolCaller(service.app, token)
    const { isError, text } = await tool('create_records', { entity: 'tags', records: [{ name: 'VIP' }] })
    expect([isError, text]).toEqual([true, expect.stringContaining('it may hold 4 records')])
    expect((await tool('get_context')).isError).toBeFalsy()
  })
})

test('a write to a full workspace is refused before its body arrives', async () => {
  const service = await openService(memoryStorage(), { quota: { records: 1, bytes: 1e9 } })
  const { token } = await openWorkspace(service)
  const { port } = await serveOnSocket(service)
  const connection = await openConnection(port)
  connection.send(
    `POST /v1/activities HTTP/1.1\r\nHost: crm.example\r\nAuthorization: Bearer ${token}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 20000000\r\nExpect: 100-continue\r\n\r\n',
  )
  expect(await connection.readResponse()).toMatchObject({ status: 403 })
})
