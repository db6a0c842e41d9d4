import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createOutboundClient } from '../../src/outbound-http/outbound-client.ts'
import { fakeLookup, type Lab, openLab, PUBLIC } from './network-lab.ts'

let lab: Lab

beforeAll(async () => {
  lab = await openLab()
})

afterEach(async () => {
  expect(await lab.reset()).toEqual({ visits: 0 })
})

afterAll(() => lab.close())

describe('an outbound client', () => {
  test('connects to any address with allowPrivate', async () => {
    const { lookup } = fakeLookup({ 'anywhere.lab.test': [[PUBLIC]] })
    const client = lab.createClient({ lookup, allowPrivate: true, allowCidrs: [] })
    const response = await client.fetch(`https://anywhere.lab.test:${lab.port}/bytes/1`, {
      deadlineMs: 5000,
      maxBytes: 1,
    })
    expect(response).toEqual({ bytes: Uint8Array.of(7), headers: expect.anything() })
  })

  test('rejects an invalid address range', () => {
    expect(() => createOutboundClient({ allowPrivate: false, allowCidrs: ['10/8'] })).toThrow(
      '"10/8" is no address range.',
    )
  })
})
