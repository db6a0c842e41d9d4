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

describe('a delivery without an answer', () => {
  /** Lets the deadline pass, and no instant more, once `begun` has. */
  async function expectTimeout(sending: ReturnType<typeof send>, begun: Promise<unknown>) {
    await begun
    vi.advanceTimersByTime(DEADLINE_MS - 1)
    expect(vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(1)
    return await sending
  }

  test.each(['/silent', '/header-drip'])('is over at the deadline: %s', async (path) => {
    const begun = once(receiver.server, 'request')
    expect(await expectTimeout(send(path), begun)).toEqual(failedAttempt('timeout'))
  })

  test('is over at the deadline while its name is looked up, and what is found later leads nowhere', async () => {
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
    const { promise: answered, resolve: reply } =
      Promise.withResolvers<{ address: string; family: number }[]>()
    let end: AbortSignal | undefined
    const sender = receiver.sender({
      lookup(_name, ending) {
        end = ending
        ask()
        return answered
      },
    })
    const connections = receiver.connections.count()
    expect(await expectTimeout(sender.send(buildSending('/bytes/0')), asked)).toEqual(
      failedAttempt('timeout'),
    )
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
    expect(await expectTimeout(receiver.sender().send({ ...buildSending('/'), url }), connected)).toEqual(
      failedAttempt('timeout'),
    )
    const [socket] = await connected
    if (!socket.resume().destroyed) await once(socket, 'close')
    mute.close()
  })

  test.each(['/hang-up', '/nonsense', '/header-flood', '/continue-drip'])(
    'was closed by the receiver, and is not tried again: %s',
    async (path) => {
      expect(await send(path)).toEqual(failedAttempt('connection_closed'))
      expect(receiver.seen).toHaveLength(1)
    },
  )

  test('found nobody, or somebody who speaks something else', async () => {
    expect(await receiver.sender().send({ ...buildSending('/'), url: 'https://public.lab.test:1/' })).toEqual(
      failedAttempt('connection_failed'),
    )
    const chatty = createTcpServer((socket) =>
      socket.on('error', () => {}).end('220 mail.lab.test ESMTP\r\n'),
    ).listen(0, PUBLIC)
    await once(chatty, 'listening')
    const url = `https://public.lab.test:${(chatty.address() as AddressInfo).port}/`
    expect(await receiver.sender().send({ ...buildSending('/'), url })).toEqual(
      failedAttempt('connection_failed'),
    )
    chatty.close()
  })

  test('found no address', async () => {
    expect(await send('/', 'unknown.lab.test')).toEqual(failedAttempt('name_not_resolved'))
  })

  test('found a certificate that signs itself, or of another name', async () => {
    const { lookup } = fakeLookup({ 'other.test': [[PUBLIC]] })
    expect(await receiver.sender({ ca: undefined }).send(buildSending('/'))).toEqual(
      failedAttempt('certificate_not_trusted'),
    )
    expect(await receiver.sender({ lookup }).send(buildSending('/', 'other.test'))).toEqual(
      failedAttempt('certificate_not_trusted'),
    )
    expect(receiver.seen).toEqual([])
  })

  test('found a certificate that has expired', async () => {
    const server = createHttpsServer({ key: LAB_KEY, cert: EXPIRED_CERTIFICATE })
      .on('tlsClientError', () => {})
      .listen(0, PUBLIC)
    await once(server, 'listening')
    const url = `https://public.lab.test:${(server.address() as AddressInfo).port}/`
    expect(await receiver.sender({ ca: EXPIRED_CERTIFICATE }).send({ ...buildSending('/'), url })).toEqual(
      failedAttempt('certificate_not_trusted'),
    )
    server.close()
  })

  test('heard what the receiver has against a certificate of ours, which says nothing about its own', async () => {
    const BAD_CERTIFICATE = Uint8Array.of(0x15, 3, 3, 0, 2, 2, 42)
    const server = createTcpServer((socket) => socket.on('error', () => {}).end(BAD_CERTIFICATE)).listen(
      0,
      PUBLIC,
    )
    await once(server, 'listening')
    const url = `https://public.lab.test:${(server.address() as AddressInfo).port}/`
    expect(await receiver.sender().send({ ...buildSending('/'), url })).toEqual(
      failedAttempt('connection_failed'),
    )
    server.close()
  })
})

describe('an address that is not allowed', () => {
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
    ...['private.lab.test', 'mixed.lab.test', 'empty.lab.test'],
  ])('is refused, and no more is said: %s', async (host) => {
    const { lookup } = fakeLookup({
      'private.lab.test': [[PRIVATE[0]]],
      'mixed.lab.test': [[PUBLIC, PRIVATE[0]]],
      'empty.lab.test': [[]],
    })
    const connections = receiver.connections.count()
    expect(await receiver.sender({ lookup }).send(buildSending('/bytes/0', host))).toEqual(
      failedAttempt('address_not_allowed'),
    )
    expect(receiver.connections.count()).toBe(connections)
  })

  test.each([
    'http://public.lab.test/',
    'https://user:password@public.lab.test/',
    'ftp://public.lab.test/',
    'not a URL',
    '',
  ])('is refused for its form: "%s"', async (url) => {
    expect(await receiver.sender().send({ ...buildSending('/'), url })).toEqual(
      failedAttempt('address_not_allowed'),
    )
  })

  test('is not reached by a name that changes: a connection stays where it was checked, and the next is checked again', async () => {
    const { lookup, asked } = fakeLookup({ 'rebinding.lab.test': [[PUBLIC], [PRIVATE[0]]] })
    const sender = receiver.sender({ lookup })
    expect(await sender.send(buildSending('/bytes/0', 'rebinding.lab.test'))).toMatchObject({ status: 200 })
    expect(await sender.send(buildSending('/bytes/0', 'rebinding.lab.test'))).toMatchObject({ status: 200 })
    expect(asked).toEqual(['rebinding.lab.test'])
    expect(await sender.send(buildSending('/hang-up', 'rebinding.lab.test'))).toEqual(
      failedAttempt('address_not_allowed'),
    )
    expect(asked).toEqual(['rebinding.lab.test', 'rebinding.lab.test'])
  })

  test('may be opened, in ranges or altogether', async () => {
    const openTo = (outbound: { allowPrivate?: boolean; allowCidrs?: string[] }) =>
      receiver.sender({ outbound }).send(buildSending('/bytes/0', PUBLIC))
    expect(await openTo({})).toEqual(failedAttempt('address_not_allowed'))
    expect(await openTo({ allowCidrs: ['127.0.0.0/8'] })).toMatchObject({ status: 200 })
    expect(await openTo({ allowPrivate: true })).toMatchObject({ status: 200 })
    expect(() => webhookSender({ timeoutMs: 1, outbound: { allowCidrs: ['10/8'] } })).toThrow(
      '"10/8" is no address range.',
    )
  })
})
