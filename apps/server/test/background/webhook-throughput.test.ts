import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { OpenStore } from '../../src/process/open-store.ts'
import { describePersistentStores } from '../support/stores.ts'
import { startTestWorker } from '../support/test-worker.ts'
import {
  createWebhookEnvironment,
  pendingDeliveries,
  type WebhookEnvironment,
} from '../support/webhook-environment.ts'
import { startWebhookReceiver } from '../support/webhook-receiver.ts'

/** With a lease that outlasts the test. */
const ONE_TRY = { retries: 0, retrySeconds: 900, leaseSeconds: 60 }

/** Accepts, and says nothing. Its name is another than the receiver's. */
async function blackHole(): Promise<string> {
  const server = createServer(() => {}).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return `https://localhost:${(server.address() as AddressInfo).port}/`
}

async function fill(
  { storage, ports }: OpenStore,
  acme: WebhookEnvironment,
  count: number,
  webhookId: string,
) {
  const { snapshot, deliveries } = pendingDeliveries(count, webhookId, ports.newId)
  await storage.transact(async (tx) => {
    const stores = tx.workspace(acme.workspace_id)
    await stores.snapshots.insert(snapshot)
    await stores.deliveries.insertMany(deliveries)
  })
  return deliveries
}

describePersistentStores(
  'two workers',
  (found) => {
    test('send twenty thousand deliveries, and none of them twice', { timeout: 120_000 }, async () => {
      await everyOneOnce(await found(), 20_000, 2)
    })
  },
  ['postgres'],
)

describePersistentStores(
  'a worker',
  (found) => {
    test('sends five thousand deliveries, and none of them twice', { timeout: 120_000 }, async () => {
      await everyOneOnce(await found(), 5_000, 1)
    })
  },
  ['sqlite'],
)

describePersistentStores('ten thousand deliveries to a host that is dead', (found) => {
  test('keep nobody else waiting', async () => {
    const { database: place } = await found()
    const receiver = await startWebhookReceiver()
    const acme = await createWebhookEnvironment(place, receiver)
    const store = await acme.open()
    const url = await blackHole()
    const { id } = await store.crm.webhooks.create(acme.actor, { url, events: ['task.updated'] })
    await fill(store, acme, 10_000, id)
    // Longer than the test: none of them is over when the other is heard.
    const { address } = await acme.start({ WEBHOOK_TIMEOUT_SECONDS: '60' })
    await acme.subscribe(address, receiver.url('/heard'))
    await acme.createTask(address)
    await receiver.waitUntil(({ length }) => length === 1)
    const dead = (await acme.deliveries(store.storage)).filter(({ webhook_id }) => webhook_id === id)
    expect(
      dead.filter(({ status, attempts_count }) => status === 'pending' && attempts_count === 0),
    ).toHaveLength(10_000)
    const held = dead.filter(({ sending }) => sending).length
    expect(held).toBeGreaterThan(0)
    // A webhook that has not answered yet gets few places.
    expect(held).toBeLessThanOrEqual(4)
  })
})

describePersistentStores('thousands of deliveries of a webhook that is deleted', (found) => {
  test('keep nobody else at the same host waiting', async () => {
    const { database: place } = await found()
    const receiver = await startWebhookReceiver()
    const acme = await createWebhookEnvironment(place, receiver)
    const store = await acme.open()
    await fill(store, acme, 3_000, store.ports.newId())
    const { address } = await acme.start()
    await acme.subscribe(address, receiver.url('/heard'))
    await acme.createTask(address)
    await receiver.waitUntil(({ length }) => length === 1)
    const left = async () => (await acme.deliveries(store.storage)).map(({ status }) => status)
    await expect.poll(left, { timeout: 20_000 }).toEqual(['delivered'])
  })
})

async function everyOneOnce(
  { database }: { readonly database: Parameters<typeof createWebhookEnvironment>[0] },
  count: number,
  workers: number,
) {
  const receiver = await startWebhookReceiver()
  const acme = await createWebhookEnvironment(database, receiver)
  const stores = await Promise.all(Array.from({ length: workers }, () => acme.open()))
  const [store] = stores
  const { id } = await store!.crm.webhooks.create(acme.actor, {
    url: receiver.url('/heard'),
    events: ['task.created'],
    auth_enable: true,
  })
  const made = await fill(store!, acme, count, id)
  const working = stores.map((each) => startTestWorker(each, { delivering: each.crm.deliveryApi(ONE_TRY) }))
  await receiver.waitUntil(({ length }) => length >= count)
  await Promise.all(working.map(({ stop }) => stop(10_000)))
  const heard = receiver.all().map(({ envelope }) => envelope.id)
  expect(heard.sort()).toEqual(made.map((delivery) => delivery.id).sort())
  const { data, meta } = await store!.crm.webhooks.deliveries(acme.actor, id, {
    status: 'delivered',
    per_page: 1,
  })
  expect([data, meta.total]).toMatchObject([[{ attempts_count: 1 }], count])
}
