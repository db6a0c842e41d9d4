import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { fastifyReceiver } from '../../src/adapters/fastify.ts'
import { personCreated } from '../deliveries.ts'
import { deliver, openReceiver } from './adapter-harness.ts'
import { describeAdapter } from './describe-adapter.ts'

function openApp() {
  const app = fastify({ forceCloseConnections: true })
  onTestFinished(() => app.close())
  return app
}

describeAdapter('Fastify', async (receiver) => {
  const app = openApp()
  await app.register(fastifyReceiver(receiver, '/webhooks'))
  return `${await app.listen({ host: '127.0.0.1', port: 0 })}/webhooks`
})

test('the parsers of other routes stay as they are', async () => {
  const { receiver } = openReceiver()
  const app = openApp()
  app.post('/before', async ({ body }) => body)
  await app.register(fastifyReceiver(receiver, '/webhooks'))
  app.post('/after', async ({ body }) => body)
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  for (const path of ['/before', '/after'])
    expect(await deliver(`${address}${path}`, '{ "a": 1 }')).toEqual({ status: 200, text: '{"a":1}' })
  expect((await deliver(`${address}/webhooks`, personCreated('a'))).status).toBe(200)
})
