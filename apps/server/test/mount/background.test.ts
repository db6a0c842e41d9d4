import { createCrm } from '@sales-crm/core'
import { memoryStorage } from '@sales-crm/core/memory'
import { type Mail, nodePorts } from '@sales-crm/node'
import { expect, onTestFinished, test } from 'vitest'
import { createServer } from '../../src/create-server.ts'
import { OLGA, openMountedService } from './mounted-service.ts'

test('mail is sent by the mailer of the host, which is closed at the end', async () => {
  const { server } = await openMountedService()
  const sent: Mail[] = []
  let isClosed = false
  const background = server.startBackground({
    mailer: {
      async send(mail) {
        sent.push(mail)
        return {}
      },
      async close() {
        isClosed = true
      },
    },
  })
  const registered = await server.request('/v1/auth/register-app', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      name: 'Radar',
      email: 'dev@radar.example',
      redirect_uris: ['https://radar.example/cb'],
      scopes: ['people:read'],
    }),
  })
  expect(registered.status).toBe(201)
  await expect.poll(() => sent, { timeout: 10_000 }).toMatchObject([{ to: 'dev@radar.example' }])
  expect(sent[0]!.text).toContain('https://shop.example/crm/credentials/')
  await background.stop()
  expect(isClosed).toBe(true)
})

test('a second start in a process is reported', async () => {
  const warnings: (string | object)[] = []
  const log = { info() {}, warn: (line: string | object) => void warnings.push(line), error() {} }
  const { server } = await openMountedService({ options: () => ({ log }) })
  const first = server.startBackground()
  expect(warnings).toEqual([])
  const second = server.startBackground()
  expect(warnings).toEqual(['startBackground was called before: its work now runs twice in this process.'])
  await Promise.all([first.stop(), second.stop()])
})

test.each([
  [{}, 'address_not_allowed'],
  [{ outbound: { allowPrivate: true } }, 'connection_failed'],
])('webhooks are sent to the addresses that nodePorts allows: %j', async (options, error) => {
  const storage = memoryStorage()
  // The webhook is created by a process that allows the address.
  const ports = {
    ...nodePorts({ issuer: 'https://shop.example', outbound: { allowPrivate: true } }),
    storage,
  }
  const crm = createCrm(ports)
  await crm.operator.createWorkspace({
    name: 'Acme',
    slug: OLGA.workspace,
    owner_name: 'Olga',
    owner_email: OLGA.email,
  })
  const olga = await crm.operator.actorFor(OLGA)
  const webhook = await crm.webhooks.create(olga, { url: 'https://127.0.0.1:1/', events: ['task.created'] })
  await crm.tasks.create(olga, { title: 'Call' })

  const senderPorts = { ...ports, ...nodePorts({ issuer: ports.issuer, ...options }), storage }
  const background = createServer({ crm: createCrm(senderPorts), ports: senderPorts }).startBackground()
  onTestFinished(() => background.stop())
  const attempts = async () => {
    const [delivery] = (await crm.webhooks.deliveries(olga, webhook.id)).data
    return delivery && (await crm.webhooks.delivery(olga, webhook.id, delivery.id)).attempts
  }
  await expect.poll(attempts, { timeout: 10_000 }).toMatchObject([{ error }])
})

test('limits are those of the options, and the others of the service', async () => {
  const { server } = await openMountedService({ options: () => ({ limits: { GET: 2 } }) })
  const limitOf = async (method: string) =>
    (await server.request('/v1/tasks', { method })).headers.get('X-RateLimit-Limit')
  expect([await limitOf('GET'), await limitOf('POST')]).toEqual(['2', '200'])
  await server.request('/v1/tasks')
  expect((await server.request('/v1/tasks')).status).toBe(429)
})
