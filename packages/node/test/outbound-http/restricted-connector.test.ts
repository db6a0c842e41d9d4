import { Client } from 'undici'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { addressPolicy } from '../../src/outbound-http/address-policy.ts'
import {
  AddressNotAllowed,
  NameNotFound,
  restrictedConnector,
} from '../../src/outbound-http/restricted-connector.ts'
import { fakeLookup, type Lab, openLab, PUBLIC } from './network-lab.ts'

let lab: Lab

beforeAll(async () => {
  lab = await openLab()
})

afterEach(async () => {
  expect(await lab.settled()).toEqual({ visits: 0 })
})

afterAll(() => lab.close())

/** A request with nothing but the connector between it and the network. */
async function request(origin: string): Promise<unknown> {
  const policy = addressPolicy({ allowPrivate: false, allowCidrs: [`${PUBLIC}/32`] })
  const { lookup } = fakeLookup({ 'public.lab.test': [[PUBLIC]], 'private.lab.test': [['127.0.0.2']] })
  const client = new Client(`${origin}:${lab.port}`, {
    connect: restrictedConnector({ policy, lookup }, new AbortController().signal),
  })
  try {
    return await client.request({ path: '/bytes/1', method: 'GET' })
  } finally {
    await client.destroy()
  }
}

describe('a guarded connector', () => {
  test.each([
    'https://127.0.0.2',
    'https://2130706434',
    'https://[::1]',
    'https://[::ffff:127.0.0.2]',
    'https://private.lab.test',
    'http://public.lab.test',
    `http://${PUBLIC}`,
  ])('refuses %s by itself', async (origin) => {
    const connections = lab.connections.count()
    await expect(request(origin)).rejects.toThrow(AddressNotAllowed)
    expect(lab.connections.count()).toBe(connections)
  })

  test('tells a name without an address', async () => {
    await expect(request('https://unknown.lab.test')).rejects.toThrow(NameNotFound)
  })
})
