import { once } from 'node:events'
import { createServer as createTcpServer } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { fakeLookup, type Lab, openLab, PRIVATE, PUBLIC } from './network-lab.ts'

const LIMITS = { deadlineMs: 5000, maxBytes: 1000 }

let lab: Lab
let openedClients: Lab['guard']

beforeAll(async () => {
  lab = await openLab()
  openedClients = lab.guard
})

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})

/** Whatever the outcome of a fetch was, nothing of it is left, and nobody has been at a private address. */
afterEach(async () => {
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
  vi.unstubAllEnvs()
  await lab.connections.ended()
  expect(await lab.settled()).toEqual({ visits: 0 })
})

afterAll(() => lab.close())

const at = (path: string, host = 'public.lab.test') => `https://${host}:${lab.port}${path}`

describe('fetching from a public address', () => {
  test('gives the bytes of the answer', async () => {
    expect(await openedClients().fetch(at('/bytes/3'), LIMITS)).toEqual({
      bytes: Uint8Array.of(7, 7, 7),
      headers: expect.anything(),
    })
    expect(await openedClients().fetch(at('/bytes/0'), LIMITS)).toEqual({
      bytes: new Uint8Array(0),
      headers: expect.anything(),
    })
  })

  test('asks for the path and query as given, and says no more of itself than it must', async () => {
    await openedClients().fetch(at('/bytes/3?size=a%20b&x'), LIMITS)
    expect(lab.seen.map(({ method, url }) => ({ method, url }))).toEqual([
      { method: 'GET', url: '/bytes/3?size=a%20b&x' },
    ])
    expect(lab.seen[0]?.headers).toEqual({
      host: `public.lab.test:${lab.port}`,
      connection: 'close',
      'user-agent': 'sales-crm',
      'accept-encoding': 'identity',
    })
  })

  test('reaches a literal address that is allowed', async () => {
    expect(await openedClients().fetch(at('/bytes/1', PUBLIC), LIMITS)).toEqual({
      bytes: Uint8Array.of(7),
      headers: expect.anything(),
    })
  })

  test('takes a body of exactly the limit, and not one byte more', async () => {
    expect(await openedClients().fetch(at('/bytes/1000'), LIMITS)).toEqual({
      bytes: new Uint8Array(1000).fill(7),
      headers: expect.anything(),
    })
    expect(await openedClients().fetch(at('/bytes/1001'), LIMITS)).toEqual({ failure: 'too-large' })
  })

  test('reads a body that comes in chunks of one byte', async () => {
    expect(await openedClients().fetch(at('/crumbs/1000'), LIMITS)).toEqual({
      bytes: new Uint8Array(1000).fill(7),
      headers: expect.anything(),
    })
    expect(await openedClients().fetch(at('/crumbs/1001'), LIMITS)).toEqual({ failure: 'too-large' })
  })

  test('stops a body without end at the limit', async () => {
    expect(await openedClients().fetch(at('/endless'), LIMITS)).toEqual({ failure: 'too-large' })
  })

  test('does not unpack: a body that says it is packed is a failure, unless it is packed as itself', async () => {
    expect(await openedClients().fetch(at('/gzip'), LIMITS)).toEqual({ failure: 'failed' })
    expect(await openedClients().fetch(at('/identity'), LIMITS)).toEqual({
      bytes: Uint8Array.of(7),
      headers: expect.anything(),
    })
  })

  test.each([
    '/redirect',
    '/status/201',
    '/status/204',
    '/status/304',
    '/status/404',
    '/status/500',
    '/truncated',
    '/nonsense',
    '/hang-up',
    '/header-flood',
    '/endless/404',
  ])('fails at %s', async (path) => {
    expect(await openedClients().fetch(at(path), LIMITS)).toEqual({ failure: 'failed' })
  })

  test('fails where nobody listens, and where the name is unknown', async () => {
    expect(await openedClients().fetch('https://public.lab.test:1/', LIMITS)).toEqual({ failure: 'failed' })
    expect(await openedClients().fetch(at('/bytes/3', 'unknown.lab.test'), LIMITS)).toEqual({
      failure: 'failed',
    })
  })

  test('fails at a certificate of another name, and at one of no known authority, whatever the environment says', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    const { lookup } = fakeLookup({ 'public.lab.test': [[PUBLIC]], 'other.test': [[PUBLIC]] })
    expect(await openedClients({ lookup }).fetch(at('/bytes/3', 'other.test'), LIMITS)).toEqual({
      failure: 'failed',
    })
    expect(await openedClients({ ca: undefined }).fetch(at('/bytes/3'), LIMITS)).toEqual({
      failure: 'failed',
    })
    expect(lab.seen).toEqual([])
  })

  test('takes no proxy from the environment', async () => {
    for (const name of ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'])
      vi.stubEnv(name, `http://${PRIVATE[0]}:${lab.port}`)
    vi.stubEnv('NODE_USE_ENV_PROXY', '1')
    expect(await openedClients().fetch(at('/bytes/1'), LIMITS)).toEqual({
      bytes: Uint8Array.of(7),
      headers: expect.anything(),
    })
  })

  test('fails once the guard is closed, and closing twice is closing once', async () => {
    const guard = openedClients()
    await guard.close()
    await guard.close()
    expect(await guard.fetch(at('/bytes/3'), LIMITS)).toEqual({ failure: 'failed' })
    expect(lab.seen).toEqual([])
  })

  test('is ended when the guard is closed', async () => {
    const guard = openedClients()
    const arrived = once(lab.server, 'request')
    const fetched = guard.fetch(at('/silent'), LIMITS)
    await arrived
    await guard.close()
    expect(await fetched).toEqual({ failure: 'failed' })
  })
})

describe('a private address', () => {
  test.each([
    ...[
      '127.0.0.2',
      '127.2',
      '2130706434',
      '0x7f000002',
      '0x7f.2',
      '017700000002',
      '0177.0.0.2',
      '①②⑦.⓪.⓪.②',
      '１２７.0.0.2',
      '127。0。0。2',
    ],
    ...[
      '[::1]',
      '[::ffff:127.0.0.2]',
      '[::127.0.0.2]',
      '[::ffff:0:127.0.0.2]',
      '[64:ff9b::127.0.0.2]',
      '[64:ff9b:1::127.0.0.2]',
    ],
    ...[
      '[2002:7f00:2::]',
      '[2001:0:7f00:2::]',
      '[::]',
      '0',
      '10.0.0.1',
      '169.254.169.254',
      '[fe80::1]',
      '[fec0::1]',
      '[5f00::1]',
    ],
  ])('is refused when it is written out: %s', async (host) => {
    const { lookup, asked } = fakeLookup({})
    expect(await openedClients({ lookup }).fetch(at('/', host), LIMITS)).toEqual({ failure: 'refused' })
    expect(asked).toEqual([])
  })

  test('may have a local name where its range is open, and no other may', async () => {
    const { lookup } = fakeLookup({ canary: [[PRIVATE[0]]], n8n: [['10.0.0.1']] })
    const guard = openedClients({ lookup })
    expect(guard.validateUrl(at('/', 'canary'))).toBeUndefined()
    expect(await guard.fetch(at('/', 'canary'), LIMITS)).toEqual({ failure: 'refused' })
    expect(await guard.fetch(at('/', 'n8n'), LIMITS)).toEqual({ failure: 'refused' })
  })

  test.each([
    ...[
      '127.0.0.2',
      '::1',
      '::ffff:127.0.0.2',
      '::127.0.0.2',
      '64:ff9b::127.0.0.2',
      '2002:7f00:2::',
      '0.0.0.0',
      '::',
      '10.0.0.1',
    ],
    ...['169.254.169.254', 'fe80::1%1', '127.2', ''],
  ])('is refused when a name leads to it: %s', async (address) => {
    const { lookup } = fakeLookup({ 'private.lab.test': [[address]] })
    expect(await openedClients({ lookup }).fetch(at('/', 'private.lab.test'), LIMITS)).toEqual({
      failure: 'refused',
    })
  })

  test.each([
    [PUBLIC, '127.0.0.2'],
    ['127.0.0.2', PUBLIC],
    [PUBLIC, PUBLIC, '::1'],
  ])('is refused among public ones: %s, %s', async (...addresses) => {
    const connections = lab.connections.count()
    const { lookup } = fakeLookup({ 'mixed.lab.test': [addresses] })
    expect(await openedClients({ lookup }).fetch(at('/bytes/1', 'mixed.lab.test'), LIMITS)).toEqual({
      failure: 'refused',
    })
    expect(lab.connections.count()).toBe(connections)
  })

  test('is refused when a name leads nowhere at all', async () => {
    const { lookup } = fakeLookup({ 'empty.lab.test': [[]] })
    expect(await openedClients({ lookup }).fetch(at('/', 'empty.lab.test'), LIMITS)).toEqual({
      failure: 'refused',
    })
  })

  test('is not reached by a name that changes: the address that was checked is the one that is called', async () => {
    const { lookup, asked } = fakeLookup({ 'rebinding.lab.test': [[PUBLIC], ['127.0.0.2']] })
    const guard = openedClients({ lookup })
    expect(await guard.fetch(at('/bytes/1', 'rebinding.lab.test'), LIMITS)).toEqual({
      bytes: Uint8Array.of(7),
      headers: expect.anything(),
    })
    expect(asked).toEqual(['rebinding.lab.test'])
    expect(await guard.fetch(at('/bytes/1', 'rebinding.lab.test'), LIMITS)).toEqual({ failure: 'refused' })
    expect(asked).toEqual(['rebinding.lab.test', 'rebinding.lab.test'])
  })

  test.each(['localhost', 'localhost.', 'canary', 'canary.internal'])(
    'is not even looked up as %s',
    async (host) => {
      const { lookup, asked } = fakeLookup({ [host]: [[PUBLIC]] })
      expect(await openedClients({ lookup, allowCidrs: [] }).fetch(at('/', host), LIMITS)).toEqual({
        failure: 'refused',
      })
      expect(asked).toEqual([])
    },
  )

  test.each([
    'http://public.lab.test',
    'https://user:password@public.lab.test',
    'ftp://public.lab.test',
    'not a URL',
  ])('might hide behind %s, which is refused', async (url) => {
    expect(await openedClients().fetch(url, LIMITS)).toEqual({ failure: 'refused' })
  })
})

describe('the deadline', () => {
  /** Lets the deadline pass, and no instant more, once `begun` has. */
  async function expectTimeout(url: string, begun: Promise<unknown>, guard = openedClients()) {
    const fetched = guard.fetch(url, LIMITS)
    await begun
    vi.advanceTimersByTime(LIMITS.deadlineMs - 1)
    expect(vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(1)
    return await fetched
  }

  test('ends a look-up for good: no answer that comes later makes a connection', async () => {
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
    const { promise: answered, resolve: reply } =
      Promise.withResolvers<{ address: string; family: number }[]>()
    const guard = openedClients({
      lookup() {
        ask()
        return answered
      },
    })
    const connections = lab.connections.count()
    expect(await expectTimeout(at('/bytes/3'), asked, guard)).toEqual({ failure: 'timeout' })
    reply([{ address: PUBLIC, family: 4 }])
    await openedClients().fetch(at('/bytes/3'), LIMITS)
    expect(lab.connections.count()).toBe(connections + 1)
  })

  test('ends a connection on which nobody speaks TLS', async () => {
    const mute = createTcpServer().listen(0, PUBLIC)
    await once(mute, 'listening')
    const { port } = mute.address() as { port: number }
    const connected = once(mute, 'connection')
    expect(await expectTimeout(`https://public.lab.test:${port}/`, connected)).toEqual({ failure: 'timeout' })
    const [socket] = await connected
    if (!socket.resume().destroyed) await once(socket, 'close')
    mute.close()
  })

  test.each(['/silent', '/header-drip', '/body-drip', '/stalled', '/continue-drip'])(
    'ends %s',
    async (path) => {
      expect(await expectTimeout(at(path), once(lab.server, 'request'))).toEqual({ failure: 'timeout' })
    },
  )
})
