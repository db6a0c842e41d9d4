import { memoryStorage } from '@sales-crm/core/memory'
import { expect, test } from 'vitest'
import { UnreadResponses } from '../../src/http/limits/unread-responses.ts'
import { serve } from '../../src/process/serve.ts'
import { openConnection, serveOnSocket } from '../support/raw-http.ts'
import { openService, openWorkspace } from '../support/test-service.ts'

const HOST = 'Host: crm.example\r\n'

test('answers requests in progress with Connection: close and then refuses connections', async () => {
  const checkHold = Promise.withResolvers<void>()
  const checkStarted = Promise.withResolvers<void>()
  const service = await openService(memoryStorage(), {
    check: async () => {
      checkStarted.resolve()
      await checkHold.promise
    },
  })
  const server = await serveOnSocket(service)
  const [busy, idle] = [await openConnection(server.port), await openConnection(server.port)]
  idle.send(`GET /healthz HTTP/1.1\r\n${HOST}\r\n`)
  expect((await idle.readResponse()).headers['connection']).toBe('keep-alive')
  busy.send(`GET /readyz HTTP/1.1\r\n${HOST}\r\n`)
  await checkStarted.promise

  const stopping = server.stop()
  idle.send(`GET /readyz HTTP/1.1\r\n${HOST}\r\n`)
  expect(await idle.readResponse()).toMatchObject({ status: 503, headers: { connection: 'close' } })
  checkHold.resolve()
  expect(await busy.readResponse()).toMatchObject({ status: 200, headers: { connection: 'close' } })
  expect(await stopping).toBe(true)
  await expect(openConnection(server.port)).rejects.toThrow('ECONNREFUSED')
})

test('answers every request received under load', async () => {
  const service = await openService(memoryStorage(), { limits: { GET: 0, POST: 0, PATCH: 0, DELETE: 0 } })
  const { token } = await openWorkspace(service)
  const server = await serveOnSocket(service)
  const body = '{"title":"Call"}'
  const request = `POST /v1/tasks HTTP/1.1\r\n${HOST}Authorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const warmedUp = Promise.withResolvers<void>()
  let responseCount = 0

  async function sendUntilClosed(): Promise<void> {
    const connection = await openConnection(server.port)
    for (;;) {
      connection.send(request)
      const { status, headers } = await connection.readResponse()
      expect(status).toBe(201)
      responseCount += 1
      if (responseCount === 200) warmedUp.resolve()
      if (headers['connection'] === 'close') return
    }
  }

  const clients = Promise.all(Array.from({ length: 20 }, sendUntilClosed))
  await warmedUp.promise
  expect(await server.stop()).toBe(true)
  await clients
  expect(responseCount).toBeGreaterThanOrEqual(200)
})

test('of pipelined requests only the last response closes the connection', async () => {
  const checkHold = Promise.withResolvers<void>()
  const service = await openService(memoryStorage(), { check: () => checkHold.promise })
  const server = await serveOnSocket(service)
  const connection = await openConnection(server.port)
  connection.send(
    ['/readyz', '/healthz', '/healthz'].map((path) => `GET ${path} HTTP/1.1\r\n${HOST}\r\n`).join(''),
  )
  const other = await openConnection(server.port)
  other.send(`GET /healthz HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`)
  await other.readResponse()

  const stopping = server.stop()
  checkHold.resolve()
  const responses = [
    await connection.readResponse(),
    await connection.readResponse(),
    await connection.readResponse(),
  ]
  expect(responses.map(({ status, headers }) => [status, headers['connection']])).toEqual([
    [200, 'keep-alive'],
    [200, 'keep-alive'],
    [200, 'close'],
  ])
  expect(await stopping).toBe(true)
})

test('fails with EADDRINUSE for a used port', async () => {
  const service = await openService(memoryStorage())
  const { port } = await serveOnSocket(service)
  await expect(
    serve(service.app, {
      host: '127.0.0.1',
      port,
      rateLimits: service.rateLimits,
      newId: () => 'id',
      unreadResponses: new UnreadResponses(),
    }),
  ).rejects.toThrow('EADDRINUSE')
})
