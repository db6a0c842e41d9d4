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

/** One attempt, with a lease longer than the test. */
const ONE_ATTEMPT = { retries: 0, retrySeconds: 900, leaseSeconds: 60 }

/** Starts a server that accepts connections and never responds. Its host name differs from the receiver's. */
async function startSilentServer(): Promise<string> {
  const server = createServer(() => {}).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return `https://localhost:${(server.address() as AddressInfo).port}/`
}

async function insertDeliveries(
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
  (createDatabase) => {
    test('send twenty thousand deliveries once each', { timeout: 120_000 }, async () => {
      await expectOneDeliveryEach(await createDatabase(), 20_000, 2)
    })
  },
  ['postgres'],
)

describePersistentStores(
  'a worker',
  (createDatabase) => {
    test('sends five thousand deliveries once each', { timeout: 120_000 }, async () => {
      await expectOneDeliveryEach(await createDatabase(), 5_000, 1)
    })
  },
  ['sqlite'],
)

describePersistentStores('ten thousand deliveries to a dead host', (createDatabase) => {
  test('do not delay others', async () => {
    const { database } = await createDatabase()
    const receiver = await startWebhookReceiver()
    const acme = await createWebhookEnvironment(database, receiver)
    const store = await acme.open()
    const url = await startSilentServer()
    const { id } = await store.crm.webhooks.create(acme.actor, { url, events: ['task.updated'] })
    await insertDeliveries(store, acme, 10_000, id)
    // Longer than the test: no attempt to the dead host ends before the other delivery arrives.
    const { address } = await acme.start({ WEBHOOK_TIMEOUT_SECONDS: '60' })
    await acme.subscribe(address, receiver.url('/hook'))
    await acme.createTask(address)
    await receiver.waitUntil(({ length }) => length === 1)
    const unsent = (await acme.deliveries(store.storage)).filter(({ webhook_id }) => webhook_id === id)
    expect(
      unsent.filter(({ status, attempts_count }) => status === 'pending' && attempts_count === 0),
    ).toHaveLength(10_000)
    const claimedCount = unsent.filter(({ sending }) => sending).length
    expect(claimedCount).toBeGreaterThan(0)
    // A webhook without a response so far may use few concurrent sends.
    expect(claimedCount).toBeLessThanOrEqual(4)
  })
})

describePersistentStores('thousands of deliveries of a deleted webhook', (createDatabase) => {
  test('do not delay others to the same host', async () => {
    const { database } = await createDatabase()
    const receiver = await startWebhookReceiver()
    const acme = await createWebhookEnvironment(database, receiver)
    const store = await acme.open()
    await insertDeliveries(store, acme, 3_000, store.ports.newId())
    const { address } = await acme.start()
    await acme.subscribe(address, receiver.url('/hook'))
    await acme.createTask(address)
    await receiver.waitUntil(({ length }) => length === 1)
    const listStatuses = async () => (await acme.deliveries(store.storage)).map(({ status }) => status)
    await expect.poll(listStatuses, { timeout: 20_000 }).toEqual(['delivered'])
  })
})

async function expectOneDeliveryEach(
  { database }: { readonly database: Parameters<typeof createWebhookEnvironment>[0] },
  count: number,
  workers: number,
) {
  const receiver = await startWebhookReceiver()
  const acme = await createWebhookEnvironment(database, receiver)
  const stores = await Promise.all(Array.from({ length: workers }, () => acme.open()))
  const [store] = stores
  const { id } = await store!.crm.webhooks.create(acme.actor, {
    url: receiver.url('/hook'),
    events: ['task.created'],
    auth_enable: true,
  })
  const deliveries = await insertDeliveries(store!, acme, count, id)
  const running = stores.map((workerStore) =>
    startTestWorker(workerStore, { deliveries: workerStore.crm.deliveryApi(ONE_ATTEMPT) }),
  )
  await receiver.waitUntil(({ length }) => length >= count)
  await Promise.all(running.map(({ stop }) => stop(10_000)))
  const receivedIds = receiver.all().map(({ envelope }) => envelope.id)
  expect(receivedIds.sort()).toEqual(deliveries.map((delivery) => delivery.id).sort())
  const { data, meta } = await store!.crm.webhooks.deliveries(acme.actor, id, {
    status: 'delivered',
    per_page: 1,
  })
  expect([data, meta.total]).toMatchObject([[{ attempts_count: 1 }], count])
}
