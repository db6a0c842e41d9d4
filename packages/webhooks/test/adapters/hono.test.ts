import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { honoReceiver } from '../../src/adapters/hono.ts'
import { deliveryRequest, personCreated } from '../deliveries.ts'
import { listen, openReceiver } from './adapter-harness.ts'
import { describeAdapter } from './describe-adapter.ts'

describeAdapter('Hono', (receiver) => {
  const app = new Hono().post('/webhooks', honoReceiver(receiver))
  return listen(createAdaptorServer({ fetch: app.fetch }) as Server)
})

test('the error for a body that other middleware has read goes to the error handler of Hono', async () => {
  const messages: string[] = []
  const app = new Hono()
    .use(async ({ req }, next) => {
      await req.json()
      await next()
    })
    .post('/webhooks', honoReceiver(openReceiver().receiver))
    .onError((error, context) => {
      messages.push(error.message)
      return context.text('Failed.', 500)
    })
  const response = await app.request('/webhooks', deliveryRequest(personCreated('parsed')))
  expect(response.status).toBe(500)
  expect(messages).toEqual([expect.stringContaining('Mount the receiver before the body parser')])
})
