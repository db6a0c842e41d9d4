import { once } from 'node:events'
import { connect } from 'node:net'
import { memoryStorage } from '@sales-crm/core/memory'
import type { Storage } from '@sales-crm/core/ports'
import { expect, onTestFinished, test, vi } from 'vitest'
import { listTemporaryFiles } from '../support/open-files.ts'
import { serveOnSocket } from '../support/raw-http.ts'
import { openService, openWorkspace, type Workspace } from '../support/test-service.ts'

/** A store whose reports, once they are held, last until their caller has gone. */
function createHeldReports() {
  const memory = memoryStorage()
  const state = { isHeld: false, reads: 0 }
  const read: Storage['read'] = async (work, options) => {
    const signal = options?.caller?.signal
    if (!state.isHeld || options?.workload !== 'report' || !signal) return memory.read(work, options)
    state.reads += 1
    await new Promise<void>((resolve) => signal.addEventListener('abort', resolve))
    signal.throwIfAborted()
    throw new Error('Not reached.')
  }
  return { storage: { ...memory, read }, state }
}

/** Sends the request of an export, and reads no more than asked. */
async function requestExport(port: number, { token }: Workspace) {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.write(`GET /v1/activities/export HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`)
  return socket
}

/** More than the buffers of a connection. */
async function createLongActivities(acme: Workspace): Promise<void> {
  const create = { op: 'create', record: { content_html: 'x'.repeat(90_000) } }
  for (let count = 0; count < 5; count += 1)
    await acme.call('POST', '/v1/activities/batch', { operations: Array.from({ length: 40 }, () => create) })
}

test('a client that goes away while it reads leaves no open file, and no turn', async () => {
  const service = await openService(memoryStorage())
  const acme = await openWorkspace(service)
  await createLongActivities(acme)
  const { port } = await serveOnSocket(service)
  const socket = await requestExport(port, acme)
  await once(socket, 'readable')
  socket.destroy()
  await vi.waitFor(async () => expect((await listTemporaryFiles()) ?? []).toEqual([]))
  expect((await acme.call('GET', '/v1/activities/export')).status).toBe(200)
})

test('a client that goes away before the file is complete ends the export', async () => {
  const { storage, state } = createHeldReports()
  const service = await openService(storage)
  const acme = await openWorkspace(service)
  const { port } = await serveOnSocket(service)
  state.isHeld = true
  const socket = await requestExport(port, acme)
  await vi.waitFor(() => expect(state.reads).toBe(1))
  state.isHeld = false
  const second = await acme.call('GET', '/v1/people/export')
  expect([second.status, second.text]).toEqual([429, expect.stringContaining('Another export')])
  socket.destroy()
  await vi.waitFor(async () => expect((await acme.call('GET', '/v1/people/export')).status).toBe(200))
  await vi.waitFor(async () => expect((await listTemporaryFiles()) ?? []).toEqual([]))
})
