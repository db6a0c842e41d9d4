import { once } from 'node:events'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { describe, expect, test, vi } from 'vitest'
import { webhookSender } from '../../src/index.ts'
import { EXPIRED_CERTIFICATE, LAB_KEY } from '../outbound-http/certificate.ts'
import { fakeLookup, PRIVATE, PUBLIC } from '../outbound-http/network-lab.ts'
import { buildSending, failedAttempt, receiver, send, useReceiver } from './sender-harness.ts'
import { DEADLINE_MS } from './test-receiver.ts'

useReceiver()

describe('a delivery without a response', () => {
  /** Advances the clock to the deadline exactly, after `started` resolves. */
  async function sendUntilDeadline(sending: ReturnType<typeof send>, started: Promise<unknown>) {
    await started
    vi.advanceTimersByTime(DEADLINE_MS - 1)
    expect(vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(1)
    return await sending
  }

  test.each(['/silent', '/header-drip'])('times out at the deadline: %s', async (path) => {
    const requestReceived = once(receiver.server, 'request')
    expect(await sendUntilDeadline(send(path), requestReceived)).toEqual(failedAttempt('timeout'))
  })

  test('times out during the name lookup, whose later result opens no connection', async () => {
    const query = Promise.withResolvers<void>()
    const addresses = Promise.withResolvers<{ address: string; family: number }[]>()
    let lookupSignal: AbortSignal | undefined
    const sender = receiver.createSender({
      lookup(_name, signal) {
        lookupSignal = signal
        query.resolve()
        return addresses.promise
      },
    })
    const connections = receiver.connections.count()
    expect(await sendUntilDeadline(sender.send(buildSending('/bytes/0')), query.promise)).toEqual(
      failedAttempt('timeout'),
    )
    expect(lookupSignal?.aborted).toBe(true)
    addresses.resolve([{ address: PUBLIC, family: 4 }])
    await send('/bytes/0')
    expect(receiver.connections.count()).toBe(connections + 1)
  })

  test('times out during a TLS handshake without a reply', async () => {
    const silentServer = createTcpServer().listen(0, PUBLIC)
    await once(silentServer, 'listening')
    const connected = once(silentServer, 'connection')
    const url = `https://public.lab.test:${(silentServer.address() as AddressInfo).port}/`
    expect(
      await sendUntilDeadline(receiver.createSender().send({ ...buildSending('/'), url }), connected),
    ).toEqual(failedAttempt('timeout'))
    const [socket] = await connected
    if (!socket.resume().destroyed) await once(socket, 'close')
    silentServer.close()
  })

  test.each(['/hang-up', '/nonsense', '/header-flood', '/continue-drip'])(
    'is not retried when the receiver closes the connection: %s',
    async (path) => {
      expect(await send(path)).toEqual(failedAttempt('connection_closed'))
      expect(receiver.requests).toHaveLength(1)
    },
  )

  test('fails to connect to a closed port or a server without TLS', async () => {
    expect(
      await receiver.createSender().send({ ...buildSending('/'), url: 'https://public.lab.test:1/' }),
    ).toEqual(failedAttempt('connection_failed'))
    const plainTextServer = createTcpServer((socket) =>
      socket.on('error', () => {}).end('220 mail.lab.test ESMTP\r\n'),
    ).listen(0, PUBLIC)
    await once(plainTextServer, 'listening')
    const url = `https://public.lab.test:${(plainTextServer.address() as AddressInfo).port}/`
    expect(await receiver.createSender().send({ ...buildSending('/'), url })).toEqual(
      failedAttempt('connection_failed'),
    )
    plainTextServer.close()
  })

  test('fails for a name without an address', async () => {
    expect(await send('/', 'unknown.lab.test')).toEqual(failedAttempt('name_not_resolved'))
  })

  test('fails for a self-signed certificate or one of another name', async () => {
    const { lookup } = fakeLookup({ 'other.test': [[PUBLIC]] })
    expect(await receiver.createSender({ ca: undefined }).send(buildSending('/'))).toEqual(
      failedAttempt('certificate_not_trusted'),
    )
    expect(await receiver.createSender({ lookup }).send(buildSending('/', 'other.test'))).toEqual(
      failedAttempt('certificate_not_trusted'),
    )
    expect(receiver.requests).toEqual([])
  })

  test('fails for an expired certificate', async () => {
    const server = createHttpsServer({ key: LAB_KEY, cert: EXPIRED_CERTIFICATE })
      .on('tlsClientError', () => {})
      .listen(0, PUBLIC)
    await once(server, 'listening')
    const url = `https://public.lab.test:${(server.address() as AddressInfo).port}/`
    expect(
      await receiver.createSender({ ca: EXPIRED_CERTIFICATE }).send({ ...buildSending('/'), url }),
    ).toEqual(failedAttempt('certificate_not_trusted'))
    server.close()
  })

  test('does not report a TLS alert of the receiver as an untrusted certificate', async () => {
    const BAD_CERTIFICATE = Uint8Array.of(0x15, 3, 3, 0, 2, 2, 42)
    const server = createTcpServer((socket) => socket.on('error', () => {}).end(BAD_CERTIFICATE)).listen(
      0,
      PUBLIC,
    )
    await once(server, 'listening')
    const url = `https://public.lab.test:${(server.address() as AddressInfo).port}/`
    expect(await receiver.createSender().send({ ...buildSending('/'), url })).toEqual(
      failedAttempt('connection_failed'),
    )
    server.close()
  })
})

describe('a disallowed address', () => {
  test.each([
    ...[
      PRIVATE[0],
      '2130706434',
      '0x7f.2',
      '[::1]',
      '[::ffff:127.0.0.2]',
      '10.0.0.1',
      '169.254.169.254',
      '100.64.0.1',
    ],
  ])('is rejected: %s', async (host) => {
    const connections = receiver.connections.count()
    expect(await receiver.createSender().send(buildSending('/bytes/0', host))).toEqual(
      failedAttempt('address_not_allowed'),
    )
    expect(receiver.connections.count()).toBe(connections)
  })

  test.each(['private.lab.test', 'mixed.lab.test', 'empty.lab.test'])(
    'is rejected behind the name %s like a name without an address',
    async (host) => {
      const { lookup } = fakeLookup({
        'private.lab.test': [[PRIVATE[0]]],
        'mixed.lab.test': [[PUBLIC, PRIVATE[0]]],
        'empty.lab.test': [[]],
      })
      const connections = receiver.connections.count()
      expect(await receiver.createSender({ lookup }).send(buildSending('/bytes/0', host))).toEqual(
        failedAttempt('name_not_resolved'),
      )
      expect(receiver.connections.count()).toBe(connections)
    },
  )

  test.each([
    'http://public.lab.test/',
    'https://user:password@public.lab.test/',
    'ftp://public.lab.test/',
    'not a URL',
    '',
  ])('is rejected for its form: "%s"', async (url) => {
    expect(await receiver.createSender().send({ ...buildSending('/'), url })).toEqual(
      failedAttempt('address_not_allowed'),
    )
  })

  test('is not reached by DNS rebinding, because every new connection is checked', async () => {
    const { lookup, queries } = fakeLookup({ 'rebinding.lab.test': [[PUBLIC], [PRIVATE[0]]] })
    const sender = receiver.createSender({ lookup })
    expect(await sender.send(buildSending('/bytes/0', 'rebinding.lab.test'))).toMatchObject({ status: 200 })
    expect(await sender.send(buildSending('/bytes/0', 'rebinding.lab.test'))).toMatchObject({ status: 200 })
    expect(queries).toEqual(['rebinding.lab.test'])
    expect(await sender.send(buildSending('/hang-up', 'rebinding.lab.test'))).toEqual(
      failedAttempt('name_not_resolved'),
    )
    expect(queries).toEqual(['rebinding.lab.test', 'rebinding.lab.test'])
  })

  test('can be allowed by range or by allowPrivate', async () => {
    const sendWith = (outbound: { allowPrivate?: boolean; allowCidrs?: string[] }) =>
      receiver.createSender({ outbound }).send(buildSending('/bytes/0', PUBLIC))
    expect(await sendWith({})).toEqual(failedAttempt('address_not_allowed'))
    expect(await sendWith({ allowCidrs: ['127.0.0.0/8'] })).toMatchObject({ status: 200 })
    expect(await sendWith({ allowPrivate: true })).toMatchObject({ status: 200 })
    expect(() => webhookSender({ timeoutMs: 1, outbound: { allowCidrs: ['10/8'] } })).toThrow(
      '"10/8" is no address range.',
    )
  })
})
