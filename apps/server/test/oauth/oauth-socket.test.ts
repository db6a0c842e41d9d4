import { memoryStorage } from '@sales-crm/core/memory'
import { expect, test } from 'vitest'
import { authorizationParameters, encodeForm, obtainCode } from '../support/oauth-requests.ts'
import { openConnection, serveOnSocket } from '../support/raw-http.ts'
import { openService, openWorkspace } from '../support/test-service.ts'

const FORM = 'Content-Type: application/x-www-form-urlencoded\r\n'

async function openTestService() {
  const service = await openService(memoryStorage())
  const acme = await openWorkspace(service)
  const { port } = await serveOnSocket(service)
  return { service, acme, port }
}

function errorCodeIn(text: string): string | undefined {
  return (JSON.parse(text) as { error?: { code: string } }).error?.code
}

test('an app authorizes and exchanges a code over a socket', async () => {
  const { service, acme, port } = await openTestService()
  const { send, readResponse } = await openConnection(port)
  send(`GET /oauth/authorize?${encodeForm(authorizationParameters(acme))} HTTP/1.1\r\nHost: x\r\n\r\n`)
  const { status, headers, text } = await readResponse()
  expect([status, headers['location'], text]).toEqual([
    303,
    expect.stringMatching(/^\/oauth\/consent\?request=/),
    '',
  ])
  const { client_id, client_secret } = acme
  const body = encodeForm({
    grant_type: 'authorization_code',
    code: await obtainCode(service, acme),
    client_id,
    client_secret,
  })
  send(`POST /oauth/token HTTP/1.1\r\nHost: x\r\n${FORM}Content-Length: ${body.length}\r\n\r\n${body}`)
  expect((await readResponse()).status).toBe(200)
})

test('HEAD is answered like GET, without a body', async () => {
  const { acme, port } = await openTestService()
  const { send, readResponse } = await openConnection(port)
  send(`HEAD /oauth/authorize?${encodeForm(authorizationParameters(acme))} HTTP/1.1\r\nHost: x\r\n\r\n`)
  expect((await readResponse(true)).status).toBe(303)
  send('HEAD /oauth/authorize HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\n\r\n')
  expect((await readResponse(true)).status).toBe(400)
})

test('rejects any malformed query', async () => {
  const { acme, port } = await openTestService()
  const { send, readResponse } = await openConnection(port)
  const query = encodeForm(authorizationParameters(acme))
  for (const rest of [
    'state=%',
    'state=%ff%fe',
    'state=%ED%A0%80&state',
    `${query}&${query}`,
    '&&&=&=x&%00=%00',
    `a=${'%41'.repeat(3000)}`,
  ]) {
    send(`GET /oauth/authorize?${rest} HTTP/1.1\r\nHost: x\r\n\r\n`)
    const { status, headers, text } = await readResponse()
    expect([rest, status, errorCodeIn(text), headers['location']]).toEqual([
      rest,
      400,
      'invalid_request',
      undefined,
    ])
  }
  const { send: sendRaw, readResponse: readRawResponse } = await openConnection(port)
  sendRaw(
    Buffer.from(`GET /oauth/authorize?${query}&redirect_uri=\xe9\xff HTTP/1.1\r\nHost: x\r\n\r\n`, 'latin1'),
  )
  const raw = await readRawResponse()
  expect([raw.status, raw.headers['location']]).toEqual([400, undefined])
})

test('rejects an endless form before its end and closes the connection', async () => {
  const { port } = await openTestService()
  const { send, readResponse, waitForClose } = await openConnection(port)
  send(`POST /oauth/token HTTP/1.1\r\nHost: x\r\n${FORM}Transfer-Encoding: chunked\r\n\r\n`)
  for (let sent = 0; sent < 20; sent += 1) send(`10000\r\n${'x'.repeat(65_536)}\r\n`)
  const { status, headers, text } = await readResponse()
  expect([status, headers['connection'], errorCodeIn(text)]).toEqual([400, 'close', 'bad_request'])
  await waitForClose().catch(() => {})
})
