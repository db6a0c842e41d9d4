import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addressPolicy } from '../../src/outbound-http/address-policy.ts'
import { type Connection, createConnectionPool } from '../../src/webhooks/receiver-connections.ts'
import { sendRequest } from '../../src/webhooks/request.ts'
import { LAB_CERTIFICATE } from '../outbound-http/certificate.ts'
import { PUBLIC } from '../outbound-http/network-lab.ts'
import { openReceiver, type Receiver } from './test-receiver.ts'

let receiver: Receiver
let connections: ReturnType<typeof createConnectionPool>

beforeAll(async () => {
  receiver = await openReceiver()
})

beforeEach(() => {
  const network = {
    policy: addressPolicy({ allowPrivate: true, allowCidrs: [] }),
    lookup: async () => [{ address: PUBLIC, family: 4 }],
    ca: LAB_CERTIFICATE,
  }
  connections = createConnectionPool(network, 2)
})

afterEach(async () => {
  await connections.close()
  expect(await receiver.settled()).toEqual({ visits: 0 })
})

afterAll(() => receiver.close())

const originOf = (host: string) => `https://${host}.lab.test:${receiver.port}`
const post = (connection: Connection, path: string) =>
  sendRequest(connection, { path, headers: {}, body: '{}' })

async function useConnection(host: string): Promise<Connection> {
  const connection = connections.take(originOf(host))
  await post(connection, '/bytes/0')
  return connection
}

describe('a connection without work', () => {
  test('makes way for another, when it is the one that has waited longest', async () => {
    const [a, b] = [await useConnection('a'), await useConnection('b')]
    expect(await useConnection('a')).toBe(a)
    await useConnection('c')
    expect([a, b].map(({ client }) => client.destroyed)).toEqual([false, true])
    expect(connections.take(originOf('b'))).not.toBe(b)
    expect(connections.take(originOf('a'))).toBe(a)
  })

  test('is taken before another that was used earlier', async () => {
    const [first, second] = [connections.take(originOf('a')), connections.take(originOf('a'))]
    await post(first, '/bytes/0')
    await post(second, '/bytes/0')
    expect(connections.take(originOf('a'))).toBe(second)
    expect(connections.take(originOf('a'))).toBe(first)
  })

  test('is let go of as soon as the receiver closes it', async () => {
    const { client } = await useConnection('a')
    const closed = once(client, 'disconnect')
    receiver.seen[0]?.socket.destroy()
    await closed
    expect(client.destroyed).toBe(true)
  })
})

describe('a connection', () => {
  test('is let go of when a request on it fails', async () => {
    const connection = connections.open(originOf('a'))
    expect(await post(connection, '/hang-up')).toEqual({ failure: 'connection_closed', wasStale: false })
    expect(connection.client.destroyed).toBe(true)
  })

  test('that was closed before a request and made again for it is as good as new', async () => {
    await useConnection('a')
    const connection = connections.take(originOf('a'))
    const closed = once(connection.client, 'disconnect')
    receiver.seen[0]?.socket.destroy()
    await closed
    expect(await post(connection, '/hang-up')).toEqual({ failure: 'connection_closed', wasStale: false })
  })

  test('that was used is stale when it closes under a request', async () => {
    const connection = await useConnection('a')
    expect(await post(connection, '/hang-up')).toEqual({ failure: 'connection_closed', wasStale: true })
  })

  test('that is opened after all were closed leads nowhere', async () => {
    await connections.close()
    expect(await post(connections.open(originOf('a')), '/bytes/0')).toEqual({
      failure: 'connection_failed',
      wasStale: false,
    })
    expect(await post(connections.take(originOf('a')), '/bytes/0')).toEqual({
      failure: 'connection_failed',
      wasStale: false,
    })
    expect(receiver.seen).toEqual([])
  })
})
