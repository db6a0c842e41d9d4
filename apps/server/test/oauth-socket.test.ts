import { memoryStorage } from '@sales-crm/core/memory'
import { expect, test } from 'vitest'
import { openService, openWorkspace } from './harness.ts'
import { asked, codeFor, formOf } from './oauth.ts'
import { connection, serveOnSocket } from './sockets.ts'

const FORM = 'Content-Type: application/x-www-form-urlencoded\r\n'

async function open() {
  const service = await openService(memoryStorage())
  const acme = await openWorkspace(service)
  const { port } = await serveOnSocket(service)
  return { service, acme, port }
}

function codeIn(text: string): string | undefined {
  return (JSON.parse(text) as { error?: { code: string } }).error?.code
}

test('over a socket, an app comes from its request to its tokens', async () => {
  const { service, acme, port } = await open()
  const { send, answer } = await connection(port)
  send(`GET /oauth/authorize?${formOf(asked(acme))} HTTP/1.1\r\nHost: x\r\n\r\n`)
  const { status, headers, text } = await answer()
  expect([status, headers['location'], text]).toEqual([303, expect.stringMatching(/^\/oauth\/consent\?request=/), ''])
  const { client_id, client_secret } = acme
  const body = formOf({ grant_type: 'authorization_code', code: await codeFor(service, acme), client_id, client_secret })
  send(`POST /oauth/token HTTP/1.1\r\nHost: x\r\n${FORM}Content-Length: ${body.length}\r\n\r\n${body}`)
  expect((await answer()).status).toBe(200)
})

test('HEAD is answered as GET is, without a body', async () => {
  const { acme, port } = await open()
  const { send, answer } = await connection(port)
  send(`HEAD /oauth/authorize?${formOf(asked(acme))} HTTP/1.1\r\nHost: x\r\n\r\n`)
  expect((await answer(true)).status).toBe(303)
  send('HEAD /oauth/authorize HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\n\r\n')
  expect((await answer(true)).status).toBe(400)
})

test('whatever bytes an address holds, the answer is a refusal', async () => {
  const { acme, port } = await open()
  const { send, answer } = await connection(port)
  const query = formOf(asked(acme))
  for (const rest of [
    'state=%',
    'state=%ff%fe',
    'state=%ED%A0%80&state',
    `${query}&${query}`,
    '&&&=&=x&%00=%00',
    `a=${'%41'.repeat(3000)}`,
  ]) {
    send(`GET /oauth/authorize?${rest} HTTP/1.1\r\nHost: x\r\n\r\n`)
    const { status, headers, text } = await answer()
    expect([rest, status, codeIn(text), headers['location']]).toEqual([rest, 400, 'invalid_request', undefined])
  }
  const { send: sendRaw, answer: rawAnswer } = await connection(port)
  sendRaw(Buffer.from(`GET /oauth/authorize?${query}&redirect_uri=\xe9\xff HTTP/1.1\r\nHost: x\r\n\r\n`, 'latin1'))
  const raw = await rawAnswer()
  expect([raw.status, raw.headers['location']]).toEqual([400, undefined])
})

test('a form that does not end is refused while it comes, and the connection closed', async () => {
  const { port } = await open()
  const { send, answer, closed } = await connection(port)
  send(`POST /oauth/token HTTP/1.1\r\nHost: x\r\n${FORM}Transfer-Encoding: chunked\r\n\r\n`)
  for (let sent = 0; sent < 20; sent += 1) send(`10000\r\n${'x'.repeat(65_536)}\r\n`)
  const { status, headers, text } = await answer()
  expect([status, headers['connection'], codeIn(text)]).toEqual([400, 'close', 'bad_request'])
  await closed().catch(() => {})
})
