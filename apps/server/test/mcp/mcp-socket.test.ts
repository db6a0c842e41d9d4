import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { memoryStorage } from '@sales-crm/core/memory'
import { expect, test } from 'vitest'
import { openConnection, serveOnSocket } from '../support/raw-http.ts'
import { openService, openWorkspace } from '../support/test-service.ts'

const MESSAGE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'get_context' },
})

async function openTestService() {
  const errors: unknown[] = []
  const log = { info: () => {}, warn: () => {}, error: (...said: unknown[]) => void errors.push(said) }
  const service = await openService(memoryStorage(), { issuer: 'http://127.0.0.1:3000', log })
  const acme = await openWorkspace(service)
  const { port } = await serveOnSocket(service)
  const headers = `Authorization: Bearer ${acme.token}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n`
  const head = (Host: string, length: number) =>
    `POST /mcp HTTP/1.1\r\nHost: ${Host}\r\n${headers}Content-Length: ${length}\r\n\r\n`
  return { acme, port, errors, message: (host: string) => head(host, MESSAGE.length) + MESSAGE, head }
}

test('over a socket, a program lists tools and calls one', async () => {
  const { acme, port } = await openTestService()
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
  const requestInit = { headers: { Authorization: `Bearer ${acme.token}` } }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), { requestInit }),
  )
  expect((await client.listTools()).tools).toHaveLength(15)
  expect(await client.callTool({ name: 'get_context' })).toMatchObject({
    structuredContent: { workspace: { id: acme.id } },
  })
  await client.close()
})

test('a page whose name was made to lead here is refused, whatever token it has', async () => {
  const { port, message } = await openTestService()
  const { send, readResponse: answer } = await openConnection(port)
  send(message('evil.example'))
  const refused = await answer()
  expect([refused.status, JSON.parse(refused.text)]).toEqual([
    403,
    {
      jsonrpc: '2.0',
      error: { code: -32000, message: 'Forbidden: the Host header names another site.' },
      id: null,
    },
  ])
  send(message(`localhost:${port}`))
  expect((await answer()).status).toBe(200)
})

test('a program that hangs up costs nobody anything', async () => {
  const { port, message, head, errors } = await openTestService()
  const hasty = await Promise.all(Array.from({ length: 5 }, () => openConnection(port)))
  for (const { send, end } of hasty) {
    send(message('127.0.0.1'))
    end()
  }
  const half = await openConnection(port)
  half.send(`${head('127.0.0.1', MESSAGE.length)}{"json`)
  half.end()
  const { send, readResponse: answer } = await openConnection(port)
  send(message('127.0.0.1'))
  expect([(await answer()).status, errors]).toEqual([200, []])
})

test('a message that is too large is refused while it comes in', async () => {
  const { port, head } = await openTestService()
  const { send, readResponse: answer } = await openConnection(port)
  send(head('127.0.0.1', 2_000_000))
  const refused = await answer()
  expect([refused.status, refused.headers['connection'], JSON.parse(refused.text)]).toMatchObject([
    413,
    'close',
    { error: { code: -32000 } },
  ])
})
