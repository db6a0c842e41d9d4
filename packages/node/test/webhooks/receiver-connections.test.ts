import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addressPolicy } from '../../src/outbound-http/address-policy.ts'
import { type Connection, ConnectionPool } from '../../src/webhooks/receiver-connections.ts'
import { sendRequest } from '../../src/webhooks/request.ts'
import { LAB_CERTIFICATE } from '../outbound-http/certificate.ts'
import { PUBLIC } from '../outbound-http/network-lab.ts'
import { openReceiver, type Receiver } from './test-receiver.ts'

let receiver: Receiver
let pool: ConnectionPool

beforeAll(async () => {
  receiver = await openReceiver()
})

beforeEach(() => {
  const network = {
    policy: addressPolicy({ allowPrivate: true, allowCidrs: [] }),
    lookup: async () => [{ address: PUBLIC, family: 4 }],
    ca: LAB_CERTIFICATE,
  }
  pool = new ConnectionPool(network, 2)
})

afterEach(async () => {
  await pool.close()
  expect(await receiver.reset()).toEqual({ visits: 0 })
})

afterAll(() => receiver.close())

const originOf = (host: string) => `https://${host}.lab.test:${receiver.port}`
const post = (connection: Connection, path: string) =>
  sendRequest(connection, { path, headers: {}, body: '{}' })

async function useConnection(host: string): Promise<Connection> {
  const connection = pool.acquire(originOf(host))
  await post(connection, '/bytes/0')
  return connection
}

describe('an idle connection', () => {
  test('is closed beyond the maximum, the longest idle one first', async () => {
    const [a, b] = [await useConnection('a'), await useConnection('b')]
    expect(await useConnection('a')).toBe(a)
    await useConnection('c')
    expect([a, b].map(({ client }) => client.destroyed)).toEqual([false, true])
    expect(pool.acquire(originOf('b'))).not.toBe(b)
    expect(pool.acquire(originOf('a'))).toBe(a)
  })

  test('is reused before one that was used earlier', async () => {
    const [first, second] = [pool.acquire(originOf('a')), pool.acquire(originOf('a'))]
    await post(first, '/bytes/0')
    await post(second, '/bytes/0')
    expect(pool.acquire(originOf('a'))).toBe(second)
    expect(pool.acquire(originOf('a'))).toBe(first)
  })

  test('is destroyed when the receiver closes it', async () => {
    const { client } = await useConnection('a')
    const closed = once(client, 'disconnect')
    receiver.requests[0]?.socket.destroy()
    await closed
    expect(client.destroyed).toBe(true)
  })
})

describe('a pooled connection', () => {
  test('is destroyed when a request on it fails', async () => {
    const connection = pool.open(originOf('a'))
    expect(await post(connection, '/hang-up')).toEqual({ failure: 'connection_closed', wasStale: false })
    expect(connection.client.destroyed).toBe(true)
  })

  test('that reconnected for a request is fresh', async () => {
    await useConnection('a')
    const connection = pool.acquire(originOf('a'))
    const closed = once(connection.client, 'disconnect')
    receiver.requests[0]?.socket.destroy()
    await closed
    expect(await post(connection, '/hang-up')).toEqual({ failure: 'connection_closed', wasStale: false })
  })

  test('that was reused is stale when it closes during a request', async () => {
    const connection = await useConnection('a')
    expect(await post(connection, '/hang-up')).toEqual({ failure: 'connection_closed', wasStale: true })
  })

  test('that is opened after the pool was closed fails', async () => {
    await pool.close()
    expect(await post(pool.open(originOf('a')), '/bytes/0')).toEqual({
      failure: 'connection_failed',
      wasStale: false,
    })
    expect(await post(pool.acquire(originOf('a')), '/bytes/0')).toEqual({
      failure: 'connection_failed',
      wasStale: false,
    })
    expect(receiver.requests).toEqual([])
  })
})
