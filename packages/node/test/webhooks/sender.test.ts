import { execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { createServer as createTlsServer } from 'node:tls'
import { pathToFileURL } from 'node:url'
import { verify } from '@octokit/webhooks-methods'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { secrets, webhookSender } from '../../src/index.ts'
import { EXPIRED_CERTIFICATE, LAB_CERTIFICATE, LAB_KEY } from '../guard/certificate.ts'
import { names, PRIVATE, PUBLIC } from '../guard/lab.ts'
import { DEADLINE_MS, openReceiver, type Receiver } from './receiver.ts'

declare module 'vitest' {
  interface ProvidedContext {
    programs: readonly string[]
  }
}

let receiver: Receiver

beforeAll(async () => {
  receiver = await openReceiver()
})

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})

/** Whatever came of the deliveries, nothing of them is left, and nobody has been at a private address. */
afterEach(async () => {
  await receiver.closeSenders()
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
  vi.unstubAllEnvs()
  expect(await receiver.settled()).toEqual({ visits: 0 })
})

afterAll(() => receiver.close())

const at = (path: string, host?: string) => ({ url: receiver.url(path, host), body: '{}', signature: undefined })
const send = (path: string, host?: string) => receiver.sender().send(at(path, host))
const failed = (error: string) => ({ duration_ms: expect.any(Number), status: null, error, response: null })

describe('a delivery', () => {
  test('is a POST of the body to the path and query as given, and says no more than it must', async () => {
    const { duration_ms, ...outcome } = await receiver
      .sender()
      .send({ url: receiver.url('/bytes/0?size=a%20b&x'), body: '{"id":1}', signature: 'sha256=00' })
    expect(outcome).toEqual({ status: 200, error: null, response: '' })
    expect(Number.isInteger(duration_ms)).toBe(true)
    expect(receiver.seen.map(({ method, url }) => ({ method, url }))).toEqual([{ method: 'POST', url: '/bytes/0?size=a%20b&x' }])
    expect(receiver.seen[0]?.headers).toEqual({
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

  test('has no signature where there is none', async () => {
    await send('/bytes/0')
    expect(receiver.seen[0]?.headers).not.toHaveProperty('webhook-signature')
  })

  test.each([
    ['an emoji', '{"title":"🚀 Zoë"}'],
    ['line separators', '{"title":"a\u2028b\u2029c"}'],
    ['slashes and escapes', String.raw`{"url":"https:\/\/a.example/b","text":"\ud800 \u0000 \n"}`],
    ['numbers beyond what a double holds', '{"n":12345678901234567890,"m":0.1000000000000000055,"z":-0,"e":1E400}'],
    ['a megabyte', `{"text":"${'é'.repeat(500_000)}"}`],
  ])('carries the bytes that were signed: %s', async (_what, body) => {
    const key = `whsec_${'5e'.repeat(32)}`
    const signature = `sha256=${secrets(new Uint8Array(32)).sign(body, key)}`
    await receiver.sender().send({ url: receiver.url('/bytes/0'), body, signature })
    const received = (await receiver.bodies[0])!
    expect(received.equals(Buffer.from(body))).toBe(true)
    expect(receiver.seen[0]?.headers['webhook-signature']).toBe(signature)
    expect(await verify(key, received.toString(), signature)).toBe(true)
    expect(await verify(key, `${received} `, signature)).toBe(false)
    expect(createHmac('sha256', key).update(received).digest('hex')).toBe(signature.slice('sha256='.length))
  })

  test.skipIf(!inject('programs').includes('openssl'))('is signed as openssl signs', async () => {
    const key = `whsec_${'5e'.repeat(32)}`
    const body = '{"title":"🚀 Zoë \u2028 \\/ \\ud800"}'
    const digest = execFileSync('openssl', ['dgst', '-sha256', '-hmac', key, '-r'], { input: body, encoding: 'utf8' })
    expect(secrets(new Uint8Array(32)).sign(body, key)).toBe(digest.split(' ')[0])
  })

  test.each([200, 201, 204, 299, 304, 400, 404, 410, 429, 500, 503])('tells the status %i, which was an answer', async (status) => {
    expect(await send(`/status/${status}`)).toMatchObject({ status, error: null, response: '' })
  })

  test.each([301, 302, 303, 307, 308])('follows no redirect: %i', async (status) => {
    const locations = [`https://${PRIVATE[0]}:${receiver.port}/`, receiver.url('/bytes/1')]
    receiver.answerBy((_request, response) =>
      response.writeHead(status, { location: locations[receiver.seen.length - 1] }).end('elsewhere'),
    )
    const sender = receiver.sender()
    for (const _location of locations) expect(await sender.send(at('/'))).toMatchObject({ status, error: null, response: 'elsewhere' })
    expect(receiver.seen).toHaveLength(2)
  })

  test('is not answered by what comes before an answer', async () => {
    receiver.answerBy((_request, response) => {
      response.writeProcessing()
      response.writeEarlyHints({ link: '</style.css>; rel=preload' })
      response.writeHead(202).end('later')
    })
    expect(await send('/')).toMatchObject({ status: 202, response: 'later' })
  })

  /** Sends to a receiver that says so much before its answer, all in one packet. */
  async function afterHints(count: number) {
    const hinting = createTlsServer({ key: LAB_KEY, cert: LAB_CERTIFICATE }, (socket) => {
      const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nlater'
      socket.on('error', () => {}).once('data', () => socket.write(`${'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(count)}${answer}`))
    }).listen(0, PUBLIC)
    await once(hinting, 'listening')
    const connected = once(hinting, 'connection')
    const url = `https://public.lab.test:${(hinting.address() as AddressInfo).port}/`
    const outcome = await receiver.sender().send({ ...at('/'), url })
    await receiver.closeSenders()
    const [socket] = await connected
    if (!socket.closed) await once(socket, 'close')
    hinting.close()
    return outcome
  }

  test('takes up to sixteen hints before an answer, and ends the connection with one more', async () => {
    expect(await afterHints(16)).toMatchObject({ status: 200, error: null, response: 'later' })
    expect(await afterHints(17)).toEqual(failed('connection_closed'))
  })

  test('takes neither a proxy nor trust from the environment', async () => {
    for (const name of ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy']) vi.stubEnv(name, `http://${PRIVATE[0]}:${receiver.port}`)
    vi.stubEnv('NODE_USE_ENV_PROXY', '1')
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    expect(await send('/bytes/0')).toMatchObject({ status: 200 })
    expect(await receiver.sender({ ca: undefined }).send(at('/bytes/0'))).toEqual(failed('certificate_not_trusted'))
  })
})

describe('the body of an answer', () => {
  /** Answers with these bytes, then says how the connection fared. */
  async function answeredWith(bytes: Uint8Array | string, headers = {}) {
    receiver.answerBy((_request, response) => response.writeHead(200, headers).end(bytes))
    const connections = receiver.connections.count()
    const sender = receiver.sender()
    const { response } = await sender.send(at('/'))
    await sender.send(at('/'))
    return { response, connections: receiver.connections.count() - connections }
  }

  test('is kept when it is short, and so is the connection', async () => {
    expect(await answeredWith('ok ✓')).toEqual({ response: 'ok ✓', connections: 1 })
    expect(await answeredWith('a'.repeat(1024))).toEqual({ response: 'a'.repeat(1024), connections: 1 })
  })

  test('is cut with the connection after 1 KiB', async () => {
    expect(await answeredWith('a'.repeat(1025))).toEqual({ response: 'a'.repeat(1024), connections: 2 })
    expect(await answeredWith(`a${'é'.repeat(1000)}`)).toEqual({ response: `a${'é'.repeat(511)}`, connections: 2 })
  })

  test('is text, whatever the bytes are', async () => {
    expect(await answeredWith(Uint8Array.of(0x61, 0, 0xff, 0xed, 0xa0, 0x80, 0x62, 0xe2, 0x82))).toEqual({
      response: 'a\0\uFFFD\uFFFD\uFFFD\uFFFDb\uFFFD',
      connections: 1,
    })
  })

  test('is not kept when it is packed', async () => {
    expect(await answeredWith('packed', { 'content-encoding': 'gzip' })).toEqual({ response: null, connections: 1 })
    expect(await answeredWith('plain', { 'content-encoding': 'identity' })).toEqual({ response: 'plain', connections: 1 })
  })

  test('may go on for ever: the delivery was accepted, and the connection is cut', async () => {
    const { promise: cut, resolve } = Promise.withResolvers<void>()
    receiver.answerBy((_request, response) => {
      response.on('close', resolve).on('error', () => {})
      const more = () => response.write('A'.repeat(65_536))
      response.on('drain', more)
      more()
    })
    expect(await send('/')).toMatchObject({ status: 200, error: null, response: 'A'.repeat(1024) })
    await cut
  })

  test('may break off: what came is kept', async () => {
    expect(await send('/truncated')).toMatchObject({ status: 200, error: null, response: '12345' })
  })

  test('that does not come is waited for no longer than a second', async () => {
    const sending = send('/stalled')
    while (vi.getTimerCount() < 2) await setImmediate()
    vi.advanceTimersByTime(999)
    expect(vi.getTimerCount()).toBe(2)
    vi.advanceTimersByTime(1)
    expect(await sending).toMatchObject({ status: 200, error: null })
  })

  test('that does not come is not waited for beyond the deadline', async () => {
    const sending = receiver.sender({ timeoutMs: 700 }).send(at('/stalled'))
    while (vi.getTimerCount() < 2) await setImmediate()
    vi.advanceTimersByTime(700)
    expect(await sending).toMatchObject({ status: 200, error: null })
  })
})

describe('a delivery without an answer', () => {
  /** Lets the deadline pass, and no instant more, once `begun` has. */
  async function timedOut(sending: ReturnType<typeof send>, begun: Promise<unknown>) {
    await begun
    vi.advanceTimersByTime(DEADLINE_MS - 1)
    expect(vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(1)
    return await sending
  }

  test.each(['/silent', '/header-drip'])('is over at the deadline: %s', async (path) => {
    const begun = once(receiver.server, 'request')
    expect(await timedOut(send(path), begun)).toEqual(failed('timeout'))
  })

  test('is over at the deadline while its name is looked up, and what is found later leads nowhere', async () => {
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
    const { promise: answered, resolve: reply } = Promise.withResolvers<{ address: string; family: number }[]>()
    let end: AbortSignal | undefined
    const sender = receiver.sender({
      lookup(_name, ending) {
        end = ending
        ask()
        return answered
      },
    })
    const connections = receiver.connections.count()
    expect(await timedOut(sender.send(at('/bytes/0')), asked)).toEqual(failed('timeout'))
    expect(end?.aborted).toBe(true)
    reply([{ address: PUBLIC, family: 4 }])
    await send('/bytes/0')
    expect(receiver.connections.count()).toBe(connections + 1)
  })

  test('is over at the deadline where nobody speaks TLS', async () => {
    const mute = createTcpServer().listen(0, PUBLIC)
    await once(mute, 'listening')
    const connected = once(mute, 'connection')
    const url = `https://public.lab.test:${(mute.address() as AddressInfo).port}/`
    expect(await timedOut(receiver.sender().send({ ...at('/'), url }), connected)).toEqual(failed('timeout'))
    const [socket] = await connected
    if (!socket.resume().destroyed) await once(socket, 'close')
    mute.close()
  })

  test.each(['/hang-up', '/nonsense', '/header-flood', '/continue-drip'])(
    'was closed by the receiver, and is not tried again: %s',
    async (path) => {
      expect(await send(path)).toEqual(failed('connection_closed'))
      expect(receiver.seen).toHaveLength(1)
    },
  )

  test('found nobody, or somebody who speaks something else', async () => {
    expect(await receiver.sender().send({ ...at('/'), url: 'https://public.lab.test:1/' })).toEqual(failed('connection_failed'))
    const chatty = createTcpServer((socket) => socket.on('error', () => {}).end('220 mail.lab.test ESMTP\r\n')).listen(0, PUBLIC)
    await once(chatty, 'listening')
    const url = `https://public.lab.test:${(chatty.address() as AddressInfo).port}/`
    expect(await receiver.sender().send({ ...at('/'), url })).toEqual(failed('connection_failed'))
    chatty.close()
  })

  test('found no address', async () => {
    expect(await send('/', 'unknown.lab.test')).toEqual(failed('name_not_resolved'))
  })

  test('found a certificate that signs itself, or of another name', async () => {
    const { lookup } = names({ 'other.test': [[PUBLIC]] })
    expect(await receiver.sender({ ca: undefined }).send(at('/'))).toEqual(failed('certificate_not_trusted'))
    expect(await receiver.sender({ lookup }).send(at('/', 'other.test'))).toEqual(failed('certificate_not_trusted'))
    expect(receiver.seen).toEqual([])
  })

  test('found a certificate that has expired', async () => {
    const server = createHttpsServer({ key: LAB_KEY, cert: EXPIRED_CERTIFICATE })
      .on('tlsClientError', () => {})
      .listen(0, PUBLIC)
    await once(server, 'listening')
    const url = `https://public.lab.test:${(server.address() as AddressInfo).port}/`
    expect(await receiver.sender({ ca: EXPIRED_CERTIFICATE }).send({ ...at('/'), url })).toEqual(failed('certificate_not_trusted'))
    server.close()
  })

  test('heard what the receiver has against a certificate of ours, which says nothing about its own', async () => {
    const BAD_CERTIFICATE = Uint8Array.of(0x15, 3, 3, 0, 2, 2, 42)
    const server = createTcpServer((socket) => socket.on('error', () => {}).end(BAD_CERTIFICATE)).listen(0, PUBLIC)
    await once(server, 'listening')
    const url = `https://public.lab.test:${(server.address() as AddressInfo).port}/`
    expect(await receiver.sender().send({ ...at('/'), url })).toEqual(failed('connection_failed'))
    server.close()
  })
})

describe('an address that is not allowed', () => {
  test.each([
    ...[PRIVATE[0], '2130706434', '0x7f.2', '[::1]', '[::ffff:127.0.0.2]', '10.0.0.1', '169.254.169.254', '100.64.0.1'],
    ...['private.lab.test', 'mixed.lab.test', 'empty.lab.test'],
  ])('is refused, and no more is said: %s', async (host) => {
    const { lookup } = names({ 'private.lab.test': [[PRIVATE[0]]], 'mixed.lab.test': [[PUBLIC, PRIVATE[0]]], 'empty.lab.test': [[]] })
    const connections = receiver.connections.count()
    expect(await receiver.sender({ lookup }).send(at('/bytes/0', host))).toEqual(failed('address_not_allowed'))
    expect(receiver.connections.count()).toBe(connections)
  })

  test.each(['http://public.lab.test/', 'https://user:password@public.lab.test/', 'ftp://public.lab.test/', 'not a URL', ''])(
    'is refused for its form: "%s"',
    async (url) => {
      expect(await receiver.sender().send({ ...at('/'), url })).toEqual(failed('address_not_allowed'))
    },
  )

  test('is not reached by a name that changes: a connection stays where it was checked, and the next is checked again', async () => {
    const { lookup, asked } = names({ 'rebinding.lab.test': [[PUBLIC], [PRIVATE[0]]] })
    const sender = receiver.sender({ lookup })
    expect(await sender.send(at('/bytes/0', 'rebinding.lab.test'))).toMatchObject({ status: 200 })
    expect(await sender.send(at('/bytes/0', 'rebinding.lab.test'))).toMatchObject({ status: 200 })
    expect(asked).toEqual(['rebinding.lab.test'])
    expect(await sender.send(at('/hang-up', 'rebinding.lab.test'))).toEqual(failed('address_not_allowed'))
    expect(asked).toEqual(['rebinding.lab.test', 'rebinding.lab.test'])
  })

  test('may be opened, in ranges or altogether', async () => {
    const openTo = (outbound: { allowPrivate?: boolean; allowCidrs?: string[] }) =>
      receiver.sender({ outbound }).send(at('/bytes/0', PUBLIC))
    expect(await openTo({})).toEqual(failed('address_not_allowed'))
    expect(await openTo({ allowCidrs: ['127.0.0.0/8'] })).toMatchObject({ status: 200 })
    expect(await openTo({ allowPrivate: true })).toMatchObject({ status: 200 })
    expect(() => webhookSender({ timeoutMs: 1, outbound: { allowCidrs: ['10/8'] } })).toThrow('"10/8" is no address range.')
  })
})

describe('a connection', () => {
  test('is kept for deliveries to the same receiver, and each of those at once has its own', async () => {
    const connections = receiver.connections.count()
    const sender = receiver.sender()
    for (let round = 0; round < 3; round++) {
      await Promise.all([sender.send(at('/bytes/10')), sender.send(at('/bytes/20?other'))])
    }
    expect(receiver.connections.count()).toBe(connections + 2)
  })

  test('is not kept against the will of the receiver', async () => {
    receiver.answerBy((_request, response) => response.setHeader('connection', 'close').end())
    const connections = receiver.connections.count()
    const sender = receiver.sender()
    for (let call = 0; call < 3; call++) expect(await sender.send(at('/'))).toMatchObject({ status: 200 })
    expect(receiver.connections.count()).toBe(connections + 3)
    expect(receiver.seen).toHaveLength(3)
  })

  /** Answers the first request on a connection, and closes it with `last` as soon as another comes. */
  function closeUnder(last = '') {
    const used = new Set<unknown>()
    receiver.answerBy(({ socket }, response) => {
      if (used.has(socket)) return socket.end(last)
      used.add(socket)
      return response.end('first')
    })
  }

  test('that the receiver closes under a delivery makes it be sent once more, on a fresh one', async () => {
    closeUnder()
    const sender = receiver.sender()
    await Promise.all([sender.send(at('/')), sender.send(at('/'))])
    expect(await sender.send(at('/'))).toMatchObject({ status: 200, error: null, response: 'first' })
    expect(receiver.seen).toHaveLength(4)
    expect((await Promise.all(receiver.bodies)).map(String)).toEqual(['{}', '{}', '{}', '{}'])
  })

  test('that breaks off within an answer does not', async () => {
    closeUnder('HTTP/1.1 2')
    const sender = receiver.sender()
    await sender.send(at('/'))
    expect(await sender.send(at('/'))).toEqual(failed('connection_closed'))
    expect(receiver.seen).toHaveLength(2)
  })

  test('that is closed under a delivery twice does not a second time', async () => {
    let calls = 0
    receiver.answerBy(({ socket }, response) => (++calls === 1 ? response.end() : socket.destroy()))
    const sender = receiver.sender()
    await sender.send(at('/'))
    expect(await sender.send(at('/'))).toEqual(failed('connection_closed'))
    expect(calls).toBe(3)
  })

  test('that is closed under a delivery gives it no more time', async () => {
    let calls = 0
    const { promise: third, resolve } = Promise.withResolvers<void>()
    receiver.answerBy(({ socket }, response) => {
      calls += 1
      if (calls === 1) response.end()
      if (calls === 2) socket.destroy()
      if (calls === 3) resolve()
    })
    const sender = receiver.sender()
    await sender.send(at('/'))
    const sending = sender.send(at('/'))
    await third
    vi.advanceTimersByTime(DEADLINE_MS)
    expect(await sending).toEqual(failed('timeout'))
  })

  test('that the receiver closed while nothing was sent is not used', async () => {
    const sender = receiver.sender()
    await sender.send(at('/bytes/0'))
    const { socket } = receiver.seen[0]!
    socket.destroy()
    await once(socket, 'close')
    expect(await sender.send(at('/bytes/0'))).toMatchObject({ status: 200 })
    expect(receiver.seen).toHaveLength(2)
  })
})

describe('a sender that is closed', () => {
  test('ends what is under way, connecting or waiting for an answer', async () => {
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
    const sender = receiver.sender({
      lookup(name) {
        if (name === 'public.lab.test') return Promise.resolve([{ address: PUBLIC, family: 4 }])
        ask()
        return new Promise(() => {})
      },
    })
    const arrived = once(receiver.server, 'request')
    const waiting = sender.send(at('/silent'))
    const connecting = sender.send(at('/bytes/0', 'slow.lab.test'))
    await Promise.all([arrived, asked])
    await sender.close()
    expect(await waiting).toEqual(failed('connection_closed'))
    expect(await connecting).toEqual(failed('connection_failed'))
  })

  test('sends nothing any more, and closing twice is closing once', async () => {
    const sender = receiver.sender()
    await sender.send(at('/bytes/0'))
    await Promise.all([sender.close(), sender.close()])
    await sender.close()
    expect(await sender.send(at('/bytes/0'))).toEqual(failed('connection_closed'))
    expect(receiver.seen).toHaveLength(1)
  })

  test('sends nothing that was begun in the same moment', async () => {
    const sender = receiver.sender()
    const sending = sender.send(at('/bytes/0'))
    await sender.close()
    expect((await sending).status).toBeNull()
    expect(receiver.seen).toEqual([])
  })
})

test('what cannot be loaded fails the delivery that needs it, and is tried again with the next', () => {
  const script = `
    import { registerHooks } from 'node:module'
    let failures = 2
    registerHooks({
      resolve(specifier, context, next) {
        if (specifier.endsWith('/poster.ts') && failures-- > 0) throw new Error('too many open files')
        return next(specifier, context)
      },
    })
    const { webhookSender } = await import(${JSON.stringify(pathToFileURL(`${import.meta.dirname}/../../src/index.ts`).href)})
    const sender = webhookSender({ timeoutMs: 1000, outbound: { allowPrivate: true } })
    const [target, outcomes] = [{ url: 'https://127.0.0.1:1/', body: '{}', signature: undefined }, []]
    for (let nth = 0; nth < 3; nth++) outcomes.push(await sender.send(target))
    await sender.close()
    console.log(JSON.stringify([failures, outcomes]))`
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' })
  const [failures, outcomes] = JSON.parse(printed) as [number, { readonly error: string }[]]
  expect(failures).toBe(-1)
  expect(outcomes.map(({ error }) => error)).toEqual(Array(3).fill('connection_failed'))
})

test('what makes connections is loaded with the first delivery, not before', () => {
  const script = `
    import { createRequire } from 'node:module'
    const { cache } = createRequire(import.meta.url)
    const { webhookSender } = await import(${JSON.stringify(pathToFileURL(`${import.meta.dirname}/../../src/index.ts`).href)})
    const isLoaded = () => Object.keys(cache).some((name) => name.includes('/undici/'))
    const unused = webhookSender({ timeoutMs: 1000 })
    await unused.close()
    const before = isLoaded()
    const sender = webhookSender({ timeoutMs: 1000, outbound: { allowPrivate: true } })
    await sender.send({ url: 'https://127.0.0.1:1/', body: '{}', signature: undefined })
    console.log(JSON.stringify([before, isLoaded()]))`
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' })
  expect(JSON.parse(printed)).toEqual([false, true])
})
