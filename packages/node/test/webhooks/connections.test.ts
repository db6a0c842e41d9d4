import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addressPolicy } from '../../src/guard/addresses.ts'
import { type Connection, openConnections } from '../../src/webhooks/connections.ts'
import { exchange } from '../../src/webhooks/exchange.ts'
import { LAB_CERTIFICATE } from '../guard/certificate.ts'
import { PUBLIC } from '../guard/lab.ts'
import { openReceiver, type Receiver } from './receiver.ts'

let receiver: Receiver
let connections: ReturnType<typeof openConnections>

beforeAll(async () => {
  receiver = await openReceiver()
})

beforeEach(() => {
  const network = {
    policy: addressPolicy({ allowPrivate: true, allowCidrs: [] }),
    lookup: async () => [{ address: PUBLIC, family: 4 }],
    ca: LAB_CERTIFICATE,
  }
  connections = openConnections(network, 2)
})

afterEach(async () => {
  await connections.close()
  expect(await receiver.settled()).toEqual({ visits: 0 })
})

afterAll(() => receiver.close())

const at = (host: string) => `https://${host}.lab.test:${receiver.port}`
const post = (connection: Connection, path: string) => exchange(connection, { path, headers: {}, body: '{}' })

async function used(host: string): Promise<Connection> {
  const connection = connections.take(at(host))
  await post(connection, '/bytes/0')
  return connection
}

describe('a connection without work', () => {
  test('makes way for another, when it is the one that has waited longest', async () => {
    const [a, b] = [await used('a'), await used('b')]
    expect(await used('a')).toBe(a)
    await used('c')
    expect([a, b].map(({ client }) => client.destroyed)).toEqual([false, true])
    expect(connections.take(at('b'))).not.toBe(b)
    expect(connections.take(at('a'))).toBe(a)
  })

  test('is taken before another that was used earlier', async () => {
    const [first, second] = [connections.take(at('a')), connections.take(at('a'))]
    await post(first, '/bytes/0')
    await post(second, '/bytes/0')
    expect(connections.take(at('a'))).toBe(second)
    expect(connections.take(at('a'))).toBe(first)
  })

  test('is let go of as soon as the receiver closes it', async () => {
    const { client } = await used('a')
    const closed = once(client, 'disconnect')
    receiver.seen[0]?.socket.destroy()
    await closed
    expect(client.destroyed).toBe(true)
  })
})

describe('a connection', () => {
  test('is let go of when a request on it fails', async () => {
    const connection = connections.open(at('a'))
    expect(await post(connection, '/hang-up')).toEqual({ failure: 'connection_closed', wasStale: false })
    expect(connection.client.destroyed).toBe(true)
  })

  test('that was closed before a request and made again for it is as good as new', async () => {
    await used('a')
    const connection = connections.take(at('a'))
    const closed = once(connection.client, 'disconnect')
    receiver.seen[0]?.socket.destroy()
    await closed
    expect(await post(connection, '/hang-up')).toEqual({ failure: 'connection_closed', wasStale: false })
  })

  test('that was used is stale when it closes under a request', async () => {
    const connection = await used('a')
    expect(await post(connection, '/hang-up')).toEqual({ failure: 'connection_closed', wasStale: true })
  })

  test('that is opened after all were closed leads nowhere', async () => {
    await connections.close()
    expect(await post(connections.open(at('a')), '/bytes/0')).toEqual({ failure: 'connection_failed', wasStale: false })
    expect(await post(connections.take(at('a')), '/bytes/0')).toEqual({ failure: 'connection_failed', wasStale: false })
    expect(receiver.seen).toEqual([])
  })
})
