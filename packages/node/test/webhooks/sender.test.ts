import { execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { createServer as createTlsServer } from 'node:tls'
import { pathToFileURL } from 'node:url'
import { verify } from '@octokit/webhooks-methods'
import { describe, expect, test, vi } from 'vitest'
import { secrets } from '../../src/index.ts'
import { LAB_CERTIFICATE, LAB_KEY } from '../outbound-http/certificate.ts'
import { PRIVATE, PUBLIC } from '../outbound-http/network-lab.ts'
import { buildSending, failedAttempt, receiver, send, useReceiver } from './sender-harness.ts'

const INDEX_URL = JSON.stringify(pathToFileURL(`${import.meta.dirname}/../../src/index.ts`).href)

useReceiver()

describe('a delivery', () => {
  test('is a POST to the unaltered path and query with minimal headers', async () => {
    const { duration_ms, ...outcome } = await receiver
      .createSender()
      .send({ url: receiver.url('/bytes/0?size=a%20b&x'), body: '{"id":1}', signature: 'sha256=00' })
    expect(outcome).toEqual({ status: 200, error: null, response: '' })
    expect(Number.isInteger(duration_ms)).toBe(true)
    expect(receiver.requests.map(({ method, url }) => ({ method, url }))).toEqual([
      { method: 'POST', url: '/bytes/0?size=a%20b&x' },
    ])
    expect(receiver.requests[0]?.headers).toEqual({
      host: `public.lab.test:${receiver.port}`,
      connection: 'keep-alive',
      'content-type': 'application/json',
      'content-length': '8',
      'user-agent': 'sales-crm',
      'accept-encoding': 'identity',
      'webhook-signature': 'sha256=00',
    })
    expect(await receiver.bodies[0]).toEqual(Buffer.from('{"id":1}'))
  })

  test('has no signature header without a signature', async () => {
    await send('/bytes/0')
    expect(receiver.requests[0]?.headers).not.toHaveProperty('webhook-signature')
  })

  test.each([
    ['an emoji', '{"title":"🚀 Zoë"}'],
    ['line separators', '{"title":"a\u2028b\u2029c"}'],
    ['slashes and escapes', String.raw`{"url":"https:\/\/a.example/b","text":"\ud800 \u0000 \n"}`],
    [
      'numbers beyond double precision',
      '{"n":12345678901234567890,"m":0.1000000000000000055,"z":-0,"e":1E400}',
    ],
    ['a megabyte', `{"text":"${'é'.repeat(500_000)}"}`],
  ])('carries the bytes that were signed: %s', async (_description, body) => {
    const key = `whsec_${'5e'.repeat(32)}`
    const signature = `sha256=${secrets(new Uint8Array(32)).sign(body, key)}`
    await receiver.createSender().send({ url: receiver.url('/bytes/0'), body, signature })
    const received = (await receiver.bodies[0])!
    expect(received.equals(Buffer.from(body))).toBe(true)
    expect(receiver.requests[0]?.headers['webhook-signature']).toBe(signature)
    expect(await verify(key, received.toString(), signature)).toBe(true)
    expect(await verify(key, `${received} `, signature)).toBe(false)
    expect(createHmac('sha256', key).update(received).digest('hex')).toBe(signature.slice('sha256='.length))
  })

  test.each([200, 201, 204, 299, 304, 400, 404, 410, 429, 500, 503])(
    'returns the status %i as a response',
    async (status) => {
      expect(await send(`/status/${status}`)).toMatchObject({ status, error: null, response: '' })
    },
  )

  test.each([301, 302, 303, 307, 308])('follows no redirect: %i', async (status) => {
    const locations = [`https://${PRIVATE[0]}:${receiver.port}/`, receiver.url('/bytes/1')]
    receiver.respondWith((_request, response) =>
      response.writeHead(status, { location: locations[receiver.requests.length - 1] }).end('elsewhere'),
    )
    const sender = receiver.createSender()
    for (const _location of locations)
      expect(await sender.send(buildSending('/'))).toMatchObject({
        status,
        error: null,
        response: 'elsewhere',
      })
    expect(receiver.requests).toHaveLength(2)
  })

  test('ignores informational responses', async () => {
    receiver.respondWith((_request, response) => {
      response.writeProcessing()
      response.writeEarlyHints({ link: '</style.css>; rel=preload' })
      response.writeHead(202).end('later')
    })
    expect(await send('/')).toMatchObject({ status: 202, response: 'later' })
  })

  /** Sends to a receiver that writes this many early hints and the response in one packet. */
  async function sendAfterHints(count: number) {
    const server = createTlsServer({ key: LAB_KEY, cert: LAB_CERTIFICATE }, (socket) => {
      const response = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nlater'
      socket
        .on('error', () => {})
        .once('data', () => socket.write(`${'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(count)}${response}`))
    }).listen(0, PUBLIC)
    await once(server, 'listening')
    const connected = once(server, 'connection')
    const url = `https://public.lab.test:${(server.address() as AddressInfo).port}/`
    const result = await receiver.createSender().send({ ...buildSending('/'), url })
    await receiver.closeSenders()
    const [socket] = await connected
    if (!socket.closed) await once(socket, 'close')
    server.close()
    return result
  }

  test('accepts up to sixteen informational responses and closes the connection on the next', async () => {
    expect(await sendAfterHints(16)).toMatchObject({ status: 200, error: null, response: 'later' })
    expect(await sendAfterHints(17)).toEqual(failedAttempt('connection_closed'))
  })

  test('ignores proxies and TLS settings of the environment', async () => {
    for (const name of ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'])
      vi.stubEnv(name, `http://${PRIVATE[0]}:${receiver.port}`)
    vi.stubEnv('NODE_USE_ENV_PROXY', '1')
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    expect(await send('/bytes/0')).toMatchObject({ status: 200 })
    expect(await receiver.createSender({ ca: undefined }).send(buildSending('/bytes/0'))).toEqual(
      failedAttempt('certificate_not_trusted'),
    )
  })
})

describe('a response body', () => {
  /**
   * Receives these bytes in a response. Returns the stored text and the number of connections for two
   * deliveries.
   */
  async function sendAndRead(bytes: Uint8Array | string, headers = {}) {
    receiver.respondWith((_request, response) => response.writeHead(200, headers).end(bytes))
    const connections = receiver.connections.count()
    const sender = receiver.createSender()
    const { response } = await sender.send(buildSending('/'))
    await sender.send(buildSending('/'))
    return { response, connections: receiver.connections.count() - connections }
  }

  test('is stored completely up to 1 KiB, and the connection is reused', async () => {
    expect(await sendAndRead('ok ✓')).toEqual({ response: 'ok ✓', connections: 1 })
    expect(await sendAndRead('a'.repeat(1024))).toEqual({ response: 'a'.repeat(1024), connections: 1 })
  })

  test('is truncated after 1 KiB, and the connection is closed', async () => {
    expect(await sendAndRead('a'.repeat(1025))).toEqual({ response: 'a'.repeat(1024), connections: 2 })
    expect(await sendAndRead(`a${'é'.repeat(1000)}`)).toEqual({
      response: `a${'é'.repeat(511)}`,
      connections: 2,
    })
  })

  test('is decoded as text for any bytes', async () => {
    expect(await sendAndRead(Uint8Array.of(0x61, 0, 0xff, 0xed, 0xa0, 0x80, 0x62, 0xe2, 0x82))).toEqual({
      response: 'a\0\uFFFD\uFFFD\uFFFD\uFFFDb\uFFFD',
      connections: 1,
    })
  })

  test('is not stored when it has a content encoding', async () => {
    expect(await sendAndRead('packed', { 'content-encoding': 'gzip' })).toEqual({
      response: null,
      connections: 1,
    })
    expect(await sendAndRead('plain', { 'content-encoding': 'identity' })).toEqual({
      response: 'plain',
      connections: 1,
    })
  })

  test('that is endless does not fail the delivery, and the connection is closed', async () => {
    const closing = Promise.withResolvers<void>()
    receiver.respondWith((_request, response) => {
      response.on('close', closing.resolve).on('error', () => {})
      const writeMore = () => response.write('A'.repeat(65_536))
      response.on('drain', writeMore)
      writeMore()
    })
    expect(await send('/')).toMatchObject({ status: 200, error: null, response: 'A'.repeat(1024) })
    await closing.promise
  })

  test('that is incomplete is stored up to the received part', async () => {
    expect(await send('/truncated')).toMatchObject({ status: 200, error: null, response: '12345' })
  })

  test('that stalls is read for at most a second', async () => {
    const sending = send('/stalled')
    while (vi.getTimerCount() < 2) await setImmediate()
    vi.advanceTimersByTime(999)
    expect(vi.getTimerCount()).toBe(2)
    vi.advanceTimersByTime(1)
    expect(await sending).toMatchObject({ status: 200, error: null })
  })

  test('is not included in the duration of the attempt', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const sending = send('/stalled')
    while (vi.getTimerCount() < 2) await setImmediate()
    vi.advanceTimersByTime(1000)
    expect(await sending).toMatchObject({ status: 200, duration_ms: 0 })
  })

  test('that stalls is not read beyond the deadline', async () => {
    const sending = receiver.createSender({ timeoutMs: 700 }).send(buildSending('/stalled'))
    while (vi.getTimerCount() < 2) await setImmediate()
    vi.advanceTimersByTime(700)
    expect(await sending).toMatchObject({ status: 200, error: null })
  })
})

describe('the HTTP client', () => {
  test('is loaded again on the next delivery after loading failed', () => {
    const script = `
    import { registerHooks } from 'node:module'
    let failures = 2
    registerHooks({
      resolve(specifier, context, next) {
        if (specifier.endsWith('/http-client.ts') && failures-- > 0) throw new Error('too many open files')
        return next(specifier, context)
      },
    })
    const { webhookSender } = await import(${INDEX_URL})
    const sender = webhookSender({ timeoutMs: 1000, outbound: { allowPrivate: true } })
    const [target, outcomes] = [{ url: 'https://127.0.0.1:1/', body: '{}', signature: undefined }, []]
    for (let nth = 0; nth < 3; nth++) outcomes.push(await sender.send(target))
    await sender.close()
    console.log(JSON.stringify([failures, outcomes]))`
    const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
      encoding: 'utf8',
    })
    const [failures, outcomes] = JSON.parse(printed) as [number, { readonly error: string }[]]
    expect(failures).toBe(-1)
    expect(outcomes.map(({ error }) => error)).toEqual(Array(3).fill('connection_failed'))
  })

  test('is loaded on the first delivery', () => {
    const script = `
    import { createRequire } from 'node:module'
    const { cache } = createRequire(import.meta.url)
    const { webhookSender } = await import(${INDEX_URL})
    const isLoaded = () => Object.keys(cache).some((name) => name.includes('/undici/'))
    const unused = webhookSender({ timeoutMs: 1000 })
    await unused.close()
    const before = isLoaded()
    const sender = webhookSender({ timeoutMs: 1000, outbound: { allowPrivate: true } })
    await sender.send({ url: 'https://127.0.0.1:1/', body: '{}', signature: undefined })
    console.log(JSON.stringify([before, isLoaded()]))`
    const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
      encoding: 'utf8',
    })
    expect(JSON.parse(printed)).toEqual([false, true])
  })
})
