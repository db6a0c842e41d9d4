import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createOutboundClient } from '../../src/outbound-http/outbound-client.ts'
import { fakeLookup, type Lab, openLab, PUBLIC } from './network-lab.ts'

let lab: Lab

beforeAll(async () => {
  lab = await openLab()
})

afterEach(async () => {
  expect(await lab.settled()).toEqual({ visits: 0 })
})

afterAll(() => lab.close())

describe('a guard', () => {
  test('opens every address in development', async () => {
    const { lookup } = fakeLookup({ 'anywhere.lab.test': [[PUBLIC]] })
    const guard = lab.guard({ lookup, allowPrivate: true, allowCidrs: [] })
    const fetched = await guard.fetch(`https://anywhere.lab.test:${lab.port}/bytes/1`, {
      deadlineMs: 5000,
      maxBytes: 1,
    })
    expect(fetched).toEqual({ bytes: Uint8Array.of(7), headers: expect.anything() })
  })

  test('is not made of ranges that cannot be read', () => {
    expect(() => createOutboundClient({ allowPrivate: false, allowCidrs: ['10/8'] })).toThrow(
      '"10/8" is no address range.',
    )
  })
})
