import { memoryStorage } from '@sales-crm/core/memory'
import type { Storage } from '@sales-crm/core/ports'
import { expect, test, vi } from 'vitest'
import { bodyBudget } from '../../src/http/request-body.ts'
import { openConnection, serveOnSocket } from '../support/raw-http.ts'
import { openService, openWorkspace } from '../support/test-service.ts'

type ReadArguments = Parameters<Storage['read']>

/** A store whose reads, once `isLong`, last until their caller has gone, like those that run in a thread. */
function createLongReads() {
  const memory = memoryStorage()
  const state = { isLong: false, reads: 0, ended: 0 }
  const read = async (...[work, options]: ReadArguments) => {
    const signal = options?.caller?.signal
    if (!state.isLong || !signal) return memory.read(work, options)
    state.reads += 1
    await new Promise<void>((resolve) => signal.addEventListener('abort', resolve))
    state.ended += 1
    return signal.throwIfAborted()
  }
  return { storage: { ...memory, read: read as Storage['read'] }, state }
}

test.each([
  // An invalid field is compared with the record's, which is read.
  ['PATCH', '/v1/people/ID', { full_name: '' }],
  ['POST', '/mcp', callOf('get_records', { entity: 'people', ids: ['ID'] })],
])(
  'a call of %s %s whose client has gone frees its body, and is logged as no failure',
  async (method, path, message) => {
    const { storage, state } = createLongReads()
    const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() }
    const service = await openService(storage, { log })
    const acme = await openWorkspace(service)
    const { id } = await acme.createRecord('/v1/people', { full_name: 'Ana' })
    const body = ' '.repeat(100_000) + JSON.stringify(message).replace('ID', String(id))
    const server = await serveOnSocket(service)
    state.isLong = true
    const connection = await openConnection(server.port)
    connection.send(
      [
        `${method} ${path.replace('ID', String(id))} HTTP/1.1`,
        'Host: 127.0.0.1',
        `Authorization: Bearer ${acme.token}`,
        'Accept: application/json, text/event-stream',
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        '',
        body,
      ].join('\r\n'),
    )
    await vi.waitFor(() => expect(state.reads).toBe(1), 5000)
    expect(bodyBudget.usedBytes('authorized')).toBeGreaterThan(80_000)
    connection.destroy()
    await vi.waitFor(() => expect(state.ended).toBe(1), 5000)
    await vi.waitFor(() => expect(bodyBudget.usedBytes('authorized')).toBe(0), 5000)
    await vi.waitFor(() => expect(log.info.mock.calls.concat(log.warn.mock.calls)).not.toEqual([]), 5000)
    expect(log.error.mock.calls).toEqual([])
  },
)

function callOf(name: string, args: object) {
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
}
