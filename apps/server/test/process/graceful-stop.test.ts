import { memoryStorage } from '@sales-crm/core/memory'
import { expect, test } from 'vitest'
import { serve } from '../../src/process/serve.ts'
import { openConnection, serveOnSocket } from '../support/raw-http.ts'
import { openService, openWorkspace } from '../support/test-service.ts'

const HOST = 'Host: crm.example\r\n'

test('what is in flight is answered, told to close, and then the door is shut', async () => {
  const held = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const service = await openService(memoryStorage(), {
    check: async () => {
      asked.resolve()
      await held.promise
    },
  })
  const serving = await serveOnSocket(service)
  const [busy, idle] = [await openConnection(serving.port), await openConnection(serving.port)]
  idle.send(`GET /healthz HTTP/1.1\r\n${HOST}\r\n`)
  expect((await idle.readResponse()).headers['connection']).toBe('keep-alive')
  busy.send(`GET /readyz HTTP/1.1\r\n${HOST}\r\n`)
  await asked.promise

  const stopped = serving.stop()
  idle.send(`GET /readyz HTTP/1.1\r\n${HOST}\r\n`)
  expect(await idle.readResponse()).toMatchObject({ status: 503, headers: { connection: 'close' } })
  held.resolve()
  expect(await busy.readResponse()).toMatchObject({ status: 200, headers: { connection: 'close' } })
  expect(await stopped).toBe(true)
  await expect(openConnection(serving.port)).rejects.toThrow('ECONNREFUSED')
})

test('under load every request that came in is answered', async () => {
  const service = await openService(memoryStorage(), { limits: { GET: 0, POST: 0, PATCH: 0, DELETE: 0 } })
  const { token } = await openWorkspace(service)
  const serving = await serveOnSocket(service)
  const body = '{"title":"Call"}'
  const request = `POST /v1/tasks HTTP/1.1\r\n${HOST}Authorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const warm = Promise.withResolvers<void>()
  let answered = 0

  async function caller(): Promise<void> {
    const line = await openConnection(serving.port)
    for (;;) {
      line.send(request)
      const { status, headers } = await line.readResponse()
      expect(status).toBe(201)
      answered += 1
      if (answered === 200) warm.resolve()
      if (headers['connection'] === 'close') return
    }
  }

  const callers = Promise.all(Array.from({ length: 20 }, caller))
  await warm.promise
  expect(await serving.stop()).toBe(true)
  await callers
  expect(answered).toBeGreaterThanOrEqual(200)
})

test('of requests sent at once on one connection, only the last answer closes it', async () => {
  const held = Promise.withResolvers<void>()
  const service = await openService(memoryStorage(), { check: () => held.promise })
  const serving = await serveOnSocket(service)
  const line = await openConnection(serving.port)
  line.send(['/readyz', '/healthz', '/healthz'].map((path) => `GET ${path} HTTP/1.1\r\n${HOST}\r\n`).join(''))
  const other = await openConnection(serving.port)
  other.send(`GET /healthz HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`)
  await other.readResponse()

  const stopped = serving.stop()
  held.resolve()
  const answers = [await line.readResponse(), await line.readResponse(), await line.readResponse()]
  expect(answers.map(({ status, headers }) => [status, headers['connection']])).toEqual([
    [200, 'keep-alive'],
    [200, 'keep-alive'],
    [200, 'close'],
  ])
  expect(await stopped).toBe(true)
})

test('an occupied port is an error', async () => {
  const service = await openService(memoryStorage())
  const { port } = await serveOnSocket(service)
  await expect(
    serve(service.app, { host: '127.0.0.1', port, rateLimits: service.rateLimits, newId: () => 'id' }),
  ).rejects.toThrow('EADDRINUSE')
})
