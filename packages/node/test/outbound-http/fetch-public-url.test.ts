import { once } from 'node:events'
import { createServer as createTcpServer } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { fakeLookup, type Lab, openLab, PRIVATE, PUBLIC } from './network-lab.ts'

const LIMITS = { deadlineMs: 5000, maxBytes: 1000 }

let lab: Lab
let createFetch: Lab['createFetch']

beforeAll(async () => {
  lab = await openLab()
  createFetch = lab.createFetch
})

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})

/** Checks that a fetch leaves no timer or connection open and that no private address was contacted. */
afterEach(async () => {
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
  vi.unstubAllEnvs()
  await lab.connections.waitUntilClosed()
  expect(await lab.reset()).toEqual({ visits: 0 })
})

afterAll(() => lab.close())

const urlOf = (path: string, host = 'public.lab.test') => `https://${host}:${lab.port}${path}`

describe('fetching a public URL', () => {
  test('returns the body of the response', async () => {
    expect(await createFetch()(urlOf('/bytes/3'), LIMITS)).toEqual({
      bytes: Uint8Array.of(7, 7, 7),
      headers: expect.anything(),
    })
  })

  test('requests the unaltered path and query with minimal headers', async () => {
    await createFetch()(urlOf('/bytes/3?size=a%20b&x'), LIMITS)
    expect(lab.requests.map(({ method, url }) => ({ method, url }))).toEqual([
      { method: 'GET', url: '/bytes/3?size=a%20b&x' },
    ])
    expect(lab.requests[0]?.headers).toEqual({
      host: `public.lab.test:${lab.port}`,
      connection: 'close',
      'user-agent': 'sales-crm',
      'accept-encoding': 'identity',
    })
  })

  test('connects to an allowed literal address', async () => {
    expect(await createFetch()(urlOf('/bytes/1', PUBLIC), LIMITS)).toEqual({
      bytes: Uint8Array.of(7),
      headers: expect.anything(),
    })
  })

  test('accepts a body of exactly the maximum size, and no larger one', async () => {
    expect(await createFetch()(urlOf('/bytes/1000'), LIMITS)).toEqual({
      bytes: new Uint8Array(1000).fill(7),
      headers: expect.anything(),
    })
    expect(await createFetch()(urlOf('/bytes/1001'), LIMITS)).toEqual({ failure: 'too-large' })
  })

  test('reads a body that comes in chunks of one byte', async () => {
    expect(await createFetch()(urlOf('/crumbs/1000'), LIMITS)).toEqual({
      bytes: new Uint8Array(1000).fill(7),
      headers: expect.anything(),
    })
    expect(await createFetch()(urlOf('/crumbs/1001'), LIMITS)).toEqual({ failure: 'too-large' })
  })

  test('stops an endless body at the maximum size', async () => {
    expect(await createFetch()(urlOf('/endless'), LIMITS)).toEqual({ failure: 'too-large' })
  })

  test('fails for a body with a content encoding other than identity', async () => {
    expect(await createFetch()(urlOf('/gzip'), LIMITS)).toEqual({ failure: 'failed' })
    expect(await createFetch()(urlOf('/identity'), LIMITS)).toEqual({
      bytes: Uint8Array.of(7),
      headers: expect.anything(),
    })
  })

  test.each([
    '/bytes/0',
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
  ])('fails for %s', async (path) => {
    expect(await createFetch()(urlOf(path), LIMITS)).toEqual({ failure: 'failed' })
  })

  test('fails for a closed port and for an unknown name', async () => {
    expect(await createFetch()('https://public.lab.test:1/', LIMITS)).toEqual({ failure: 'failed' })
    expect(await createFetch()(urlOf('/bytes/3', 'unknown.lab.test'), LIMITS)).toEqual({
      failure: 'failed',
    })
  })

  test('rejects a certificate of another name or unknown authority, ignoring the environment', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    const { lookup } = fakeLookup({ 'public.lab.test': [[PUBLIC]], 'other.test': [[PUBLIC]] })
    expect(await createFetch({ lookup })(urlOf('/bytes/3', 'other.test'), LIMITS)).toEqual({
      failure: 'failed',
    })
    expect(await createFetch({ ca: undefined })(urlOf('/bytes/3'), LIMITS)).toEqual({
      failure: 'failed',
    })
    expect(lab.requests).toEqual([])
  })

  test('ignores proxies in the environment', async () => {
    for (const name of ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'])
      vi.stubEnv(name, `http://${PRIVATE[0]}:${lab.port}`)
    vi.stubEnv('NODE_USE_ENV_PROXY', '1')
    expect(await createFetch()(urlOf('/bytes/1'), LIMITS)).toEqual({
      bytes: Uint8Array.of(7),
      headers: expect.anything(),
    })
  })

  test('connects to any address with allowPrivate', async () => {
    const { lookup } = fakeLookup({ 'anywhere.lab.test': [[PUBLIC]] })
    const fetchUrl = createFetch({ lookup, allowPrivate: true, allowCidrs: [] })
    expect(await fetchUrl(urlOf('/bytes/1', 'anywhere.lab.test'), LIMITS)).toEqual({
      bytes: Uint8Array.of(7),
      headers: expect.anything(),
    })
  })
})

describe('the reason of a failure', () => {
  test.each([
    ['/redirect', 'The address redirects; give the final address.'],
    ['/status/308', 'The address redirects; give the final address.'],
    ['/status/404', 'The server answered 404.'],
    ['/status/304', 'The server answered 304.'],
    ['/status/204', 'The server sent no content.'],
    ['/bytes/0', 'The server sent no content.'],
    ['/gzip', 'The server compressed its answer, which is not supported.'],
    ['/hang-up', 'The server closed the connection.'],
    ['/truncated', 'The server closed the connection.'],
    ['/nonsense', 'The connection to the server failed.'],
  ])('of %s is disclosed where every address is allowed', async (path, reason) => {
    const fetchUrl = createFetch({ allowPrivate: true })
    expect(await fetchUrl(urlOf(path), LIMITS)).toEqual({ failure: 'failed', reason })
  })

  test('is the time limit for a silent server', async () => {
    const fetchUrl = createFetch({ allowPrivate: true })
    const fetching = fetchUrl(urlOf('/silent'), LIMITS)
    await once(lab.server, 'request')
    vi.advanceTimersByTime(LIMITS.deadlineMs)
    const reason = 'The server did not answer within 5 seconds.'
    expect(await fetching).toEqual({ failure: 'timeout', reason })
  })

  test('is not disclosed for a name without an address', async () => {
    const fetchUrl = createFetch({ allowPrivate: true })
    expect(await fetchUrl(urlOf('/bytes/3', 'unknown.lab.test'), LIMITS)).toEqual({ failure: 'failed' })
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
  ])('is rejected as a literal: %s', async (host) => {
    const { lookup, queries } = fakeLookup({})
    expect(await createFetch({ lookup })(urlOf('/', host), LIMITS)).toEqual({
      failure: 'refused',
      reason: 'Must be a public address.',
    })
    expect(queries).toEqual([])
  })

  test('is rejected behind a local name when its range is not allowed', async () => {
    const { lookup } = fakeLookup({ canary: [[PRIVATE[0]]], n8n: [['10.0.0.1']] })
    const fetchUrl = createFetch({ lookup })
    expect(await fetchUrl(urlOf('/', 'canary'), LIMITS)).toEqual({ failure: 'refused' })
    expect(await fetchUrl(urlOf('/', 'n8n'), LIMITS)).toEqual({ failure: 'refused' })
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
  ])('is rejected when a name resolves to it: %s', async (address) => {
    const { lookup } = fakeLookup({ 'private.lab.test': [[address]] })
    expect(await createFetch({ lookup })(urlOf('/', 'private.lab.test'), LIMITS)).toEqual({
      failure: 'refused',
    })
  })

  test.each([
    [PUBLIC, '127.0.0.2'],
    ['127.0.0.2', PUBLIC],
    [PUBLIC, PUBLIC, '::1'],
  ])('is rejected among public addresses: %s, %s', async (...addresses) => {
    const connections = lab.connections.count()
    const { lookup } = fakeLookup({ 'mixed.lab.test': [addresses] })
    expect(await createFetch({ lookup })(urlOf('/bytes/1', 'mixed.lab.test'), LIMITS)).toEqual({
      failure: 'refused',
    })
    expect(lab.connections.count()).toBe(connections)
  })

  test('is reported for a name without addresses', async () => {
    const { lookup } = fakeLookup({ 'empty.lab.test': [[]] })
    expect(await createFetch({ lookup })(urlOf('/', 'empty.lab.test'), LIMITS)).toEqual({
      failure: 'refused',
    })
  })

  test('is not reached by DNS rebinding, because the checked address is the one connected to', async () => {
    const { lookup, queries } = fakeLookup({ 'rebinding.lab.test': [[PUBLIC], ['127.0.0.2']] })
    const fetchUrl = createFetch({ lookup })
    expect(await fetchUrl(urlOf('/bytes/1', 'rebinding.lab.test'), LIMITS)).toEqual({
      bytes: Uint8Array.of(7),
      headers: expect.anything(),
    })
    expect(queries).toEqual(['rebinding.lab.test'])
    expect(await fetchUrl(urlOf('/bytes/1', 'rebinding.lab.test'), LIMITS)).toEqual({
      failure: 'refused',
    })
    expect(queries).toEqual(['rebinding.lab.test', 'rebinding.lab.test'])
  })

  test.each(['localhost', 'localhost.', 'canary', 'canary.internal'])(
    'is not looked up under the local name %s',
    async (host) => {
      const { lookup, queries } = fakeLookup({ [host]: [[PUBLIC]] })
      expect(await createFetch({ lookup, allowCidrs: [] })(urlOf('/', host), LIMITS)).toEqual({
        failure: 'refused',
        reason: 'Must be a public address.',
      })
      expect(queries).toEqual([])
    },
  )

  test.each([
    ['http://public.lab.test', 'Must be an https URL.'],
    ['https://user:password@public.lab.test', 'Must not contain a user name or password.'],
    ['ftp://public.lab.test', 'Must be an https URL.'],
    ['not a URL', 'Must be an https URL.'],
  ])('is not reached by the invalid URL %s', async (url, reason) => {
    expect(await createFetch()(url, LIMITS)).toEqual({ failure: 'refused', reason })
  })
})

describe('the deadline', () => {
  /** Advances the clock to the deadline exactly, after `started` resolves. */
  async function fetchUntilDeadline(url: string, started: Promise<unknown>, fetchUrl = createFetch()) {
    const fetching = fetchUrl(url, LIMITS)
    await started
    vi.advanceTimersByTime(LIMITS.deadlineMs - 1)
    expect(vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(1)
    return await fetching
  }

  test('aborts a lookup, whose later result opens no connection', async () => {
    const query = Promise.withResolvers<void>()
    const addresses = Promise.withResolvers<{ address: string; family: number }[]>()
    const fetchUrl = createFetch({
      lookup() {
        query.resolve()
        return addresses.promise
      },
    })
    const connections = lab.connections.count()
    expect(await fetchUntilDeadline(urlOf('/bytes/3'), query.promise, fetchUrl)).toEqual({
      failure: 'timeout',
    })
    addresses.resolve([{ address: PUBLIC, family: 4 }])
    await createFetch()(urlOf('/bytes/3'), LIMITS)
    expect(lab.connections.count()).toBe(connections + 1)
  })

  test('aborts a TLS handshake without a reply', async () => {
    const mute = createTcpServer().listen(0, PUBLIC)
    await once(mute, 'listening')
    const { port } = mute.address() as { port: number }
    const connected = once(mute, 'connection')
    expect(await fetchUntilDeadline(`https://public.lab.test:${port}/`, connected)).toEqual({
      failure: 'timeout',
    })
    const [socket] = await connected
    if (!socket.resume().destroyed) await once(socket, 'close')
    mute.close()
  })

  test.each(['/silent', '/header-drip', '/body-drip', '/stalled', '/continue-drip'])(
    'aborts a request to %s',
    async (path) => {
      expect(await fetchUntilDeadline(urlOf(path), once(lab.server, 'request'))).toEqual({
        failure: 'timeout',
      })
    },
  )
})
