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
  expect(await lab.reset()).toEqual({ visits: 0 })
})

afterAll(() => lab.close())

/** Sends a request without any check except the connector's. */
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

describe('a restricted connector', () => {
  test.each([
    'https://127.0.0.2',
    'https://2130706434',
    'https://[::1]',
    'https://[::ffff:127.0.0.2]',
    'https://private.lab.test',
    'http://public.lab.test',
    `http://${PUBLIC}`,
  ])('refuses to connect to %s', async (origin) => {
    const connections = lab.connections.count()
    await expect(request(origin)).rejects.toThrow(AddressNotAllowed)
    expect(lab.connections.count()).toBe(connections)
  })

  test('reports a name without an address', async () => {
    await expect(request('https://unknown.lab.test')).rejects.toThrow(NameNotFound)
  })
})
