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
  const log = {
    info: () => {},
    warn: () => {},
    error: (...parameters: unknown[]) => void errors.push(parameters),
  }
  const service = await openService(memoryStorage(), { issuer: 'http://127.0.0.1:3000', log })
  const acme = await openWorkspace(service)
  const { port } = await serveOnSocket(service)
  const headers = `Authorization: Bearer ${acme.token}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n`
  const head = (Host: string, length: number) =>
    `POST /mcp HTTP/1.1\r\nHost: ${Host}\r\n${headers}Content-Length: ${length}\r\n\r\n`
  return { acme, port, errors, message: (host: string) => head(host, MESSAGE.length) + MESSAGE, head }
}

test('an MCP client lists and calls tools over a socket', async () => {
  const { acme, port } = await openTestService()
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
  const requestInit = { headers: { Authorization: `Bearer ${acme.token}` } }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), { requestInit }),
  )
  expect((await client.listTools()).tools).toHaveLength(16)
  expect(await client.callTool({ name: 'get_context' })).toMatchObject({
    structuredContent: { workspace: { id: acme.id } },
  })
  await client.close()
})

test('rejects a request with a foreign Host header despite a valid token (DNS rebinding)', async () => {
  const { port, message } = await openTestService()
  const { send, readResponse } = await openConnection(port)
  send(message('evil.example'))
  const rejected = await readResponse()
  expect([rejected.status, JSON.parse(rejected.text)]).toEqual([
    403,
    {
      jsonrpc: '2.0',
      error: { code: -32000, message: 'Forbidden: the Host header names another site.' },
      id: null,
    },
  ])
  send(message(`localhost:${port}`))
  expect((await readResponse()).status).toBe(200)
})

test('a disconnecting client affects no other', async () => {
  const { port, message, head, errors } = await openTestService()
  const disconnecting = await Promise.all(Array.from({ length: 5 }, () => openConnection(port)))
  for (const { send, end } of disconnecting) {
    send(message('127.0.0.1'))
    end()
  }
  const incomplete = await openConnection(port)
  incomplete.send(`${head('127.0.0.1', MESSAGE.length)}{"json`)
  incomplete.end()
  const { send, readResponse } = await openConnection(port)
  send(message('127.0.0.1'))
  expect([(await readResponse()).status, errors]).toEqual([200, []])
})

test('rejects an oversized message before its body arrives', async () => {
  const { port, head } = await openTestService()
  const { send, readResponse } = await openConnection(port)
  send(head('127.0.0.1', 2_000_000))
  const rejected = await readResponse()
  expect([rejected.status, rejected.headers['connection'], JSON.parse(rejected.text)]).toMatchObject([
    413,
    'close',
    { error: { code: -32000 } },
  ])
})
