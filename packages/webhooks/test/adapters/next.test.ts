import { expect, test } from 'vitest'
import { nextReceiver } from '../../src/adapters/next.ts'
import { deliveryRequest, personCreated } from '../deliveries.ts'
import { openReceiver } from './adapter-harness.ts'

test('the adapter for Next.js is a route handler', async () => {
  const { receiver, names } = openReceiver()
  const POST = nextReceiver(receiver)
  expect((await POST(deliveryRequest(personCreated('a')))).status).toBe(200)
  expect((await POST(deliveryRequest(personCreated('b'), 'wrong'))).status).toBe(401)
  expect(names).toEqual(['Ana'])
})
