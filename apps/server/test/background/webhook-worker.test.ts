import { createHmac } from 'node:crypto'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { describeEachStore, describePersistentStores, testDatabaseUrl } from '../support/stores.ts'
import { openService, openWorkspace } from '../support/test-service.ts'
import { startTestWorker } from '../support/test-worker.ts'
import { createWebhookEnvironment } from '../support/webhook-environment.ts'
import { addWebhook } from '../support/webhook-fixtures.ts'
import { startWebhookReceiver } from '../support/webhook-receiver.ts'

const postgresUrl = inject('postgresUrl')
const AN_HOUR_MS = 3_600_000

describePersistentStores('the worker', (createDatabase) => {
  test("sends events in the contract's shape, signed with the webhook's secret", async () => {
    const { database } = await createDatabase()
    const receiver = await startWebhookReceiver()
    const acme = await createWebhookEnvironment(database, receiver)
    const { address, stop } = await acme.start()
    const { id: webhookId, webhook_secret } = await acme.subscribe(address, receiver.url('/hook'))
    const id = await acme.createTask(address, 'Ligue já 📞\u2028"/"')
    const [received] = await receiver.waitUntil(({ length }) => length > 0)
    expect(Object.keys(received!.envelope)).toEqual(['id', 'event', 'version', 'created_at', 'task'])
    expect(received!.envelope).toMatchObject({
      event: 'task.created',
      version: 'v1',
      task: (await acme.send(address, 'GET', `/v1/tasks/${id}`)).data,
    })
    expect(received).toMatchObject({
      path: '/hook',
      type: 'application/json',
      signature: `sha256=${createHmac('sha256', webhook_secret).update(received!.body).digest('hex')}`,
    })
    await expect
      .poll(
        async () =>
          (await acme.send(address, 'GET', `/v1/webhooks/${webhookId}/deliveries/${received!.envelope.id}`))
            .data,
      )
      .toMatchObject({ status: 'delivered', attempts_count: 1, attempts: [{ status: 200, error: null }] })
    expect(await stop()).toEqual([0, null])
    expect(receiver.all()).toHaveLength(1)
  })

  test('logs a dropped delivery without its URL or content', async () => {
    const { database } = await createDatabase()
    const receiver = await startWebhookReceiver()
    const acme = await createWebhookEnvironment(database, receiver)
    const service = await acme.start({ WEBHOOK_RETRY_SECONDS: '1', WEBHOOK_RETRIES: '1' })
    const { id: webhook_id } = await acme.subscribe(service.address, receiver.url('/refused'))
    await acme.createTask(service.address, 'Hush')
    const logLine = await service.waitForLine('A delivery was dropped.')
    const [first, second, ...rest] = receiver.all()
    expect([first, rest]).toEqual([second, []])
    expect(logLine).toEqual({
      level: 40,
      time: expect.any(String),
      workspace_id: acme.workspace_id,
      webhook_id,
      delivery_id: first!.envelope.id,
      event: 'task.created',
      reason: 'retries_exhausted',
      msg: 'A delivery was dropped.',
    })
    expect(await service.stop()).toEqual([0, null])
  })

  test("holds a lease of the attempt's timeout plus eighty seconds", async () => {
    const { database, open } = await createDatabase()
    const receiver = await startWebhookReceiver()
    const acme = await createWebhookEnvironment(database, receiver)
    const { address, kill } = await acme.start({ WEBHOOK_TIMEOUT_SECONDS: '45' })
    await acme.subscribe(address, receiver.url('/first-silent'))
    const before = Date.now()
    await acme.createTask(address)
    await receiver.waitUntil(({ length }) => length === 1)
    const after = Date.now()
    const [delivery] = await acme.deliveries(await open())
    const leaseEnd = Date.parse(delivery!.due_at!)
    expect(delivery).toMatchObject({ status: 'pending', sending: true, lease: 1 })
    expect(leaseEnd).toBeGreaterThanOrEqual(before + 125_000)
    expect(leaseEnd).toBeLessThanOrEqual(after + 125_000)
    await kill()
  })

  test('returns unanswered deliveries when it stops, and the next process sends them at once', async () => {
    const { database, open } = await createDatabase()
    const receiver = await startWebhookReceiver()
    const acme = await createWebhookEnvironment(database, receiver)
    const env = { WEBHOOK_TIMEOUT_SECONDS: '60' }
    const first = await acme.start(env)
    await acme.subscribe(first.address, receiver.url('/first-silent'))
    await acme.createTask(first.address)
    await receiver.waitUntil(({ length }) => length === 1)
    expect(await first.stop()).toEqual([0, null])
    const storage = await open()
    expect(await acme.deliveries(storage)).toMatchObject([
      { status: 'pending', sending: false, attempts: [], attempts_count: 0 },
    ])

    const second = await acme.start(env)
    const [firstSend, secondSend] = await receiver.waitUntil(({ length }) => length === 2)
    expect(secondSend).toEqual(firstSend)
    expect(await second.stop()).toEqual([0, null])
    expect(await acme.deliveries(storage)).toMatchObject([{ status: 'delivered', attempts_count: 1 }])
  })
})

describeEachStore('a worker', (open) => {
  test('is notified of commits in its own process', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const receiver = await startWebhookReceiver()
    await addWebhook(service, acme, { events: ['task.created'], url: receiver.url('/hook') })
    const { stop } = startTestWorker(service, { pollMs: AN_HOUR_MS })
    onTestFinished(() => stop(0))
    // Several, because the first poll at the start could find one.
    for (const title of ['First', 'Second', 'Third']) {
      await acme.createRecord('/v1/tasks', { title })
      await receiver.waitUntil((received) =>
        received.some(({ envelope }) => (envelope['task'] as { title: string }).title === title),
      )
    }
    expect(receiver.all()).toHaveLength(3)
  })
})

describe.skipIf(postgresUrl === null)('workers of several processes', () => {
  const postgresDatabase = async () =>
    ({ driver: 'postgres', location: await testDatabaseUrl(postgresUrl!) }) as const

  test('are notified of commits of another process', async () => {
    const receiver = await startWebhookReceiver()
    const acme = await createWebhookEnvironment(await postgresDatabase(), receiver)
    const { stop } = startTestWorker(await acme.open(), { pollMs: AN_HOUR_MS })
    try {
      const { address } = await acme.start({ WORKER: 'false' })
      await acme.subscribe(address, receiver.url('/hook'))
      // Several, because the first poll at the start could find one.
      for (const title of ['First', 'Second', 'Third']) {
        await acme.createTask(address, title)
        await receiver.waitUntil((received) =>
          received.some(({ envelope }) => (envelope['task'] as { title: string }).title === title),
        )
      }
    } finally {
      await stop(0)
    }
    expect(receiver.all()).toHaveLength(3)
  })

  test('send each delivery once, and a process with WORKER=false sends none', async () => {
    const receiver = await startWebhookReceiver()
    const acme = await createWebhookEnvironment(await postgresDatabase(), receiver)
    const server = await acme.start({ WORKER: 'false' })
    await acme.subscribe(server.address, receiver.url('/hook'))
    const firstTask = await acme.createTask(server.address)
    expect(await acme.deliveries((await acme.open()).storage)).toMatchObject([
      { status: 'pending', lease: 0 },
    ])

    const workers = await Promise.all([acme.start(), acme.start()])
    const addresses = [server, ...workers].map(({ address }) => address)
    const otherTasks = await Promise.all(
      Array.from({ length: 60 }, (_, index) => acme.createTask(addresses[index % 3]!)),
    )
    await receiver.waitUntil(({ length }) => length >= 61)
    expect(await Promise.all([...workers, server].map(({ stop }) => stop()))).toEqual(
      Array(3).fill([0, null]),
    )
    const deliveredTasks = receiver.all().map(({ envelope }) => (envelope['task'] as { id: string }).id)
    expect(deliveredTasks.sort()).toEqual([firstTask, ...otherTasks].sort())
  })
})

describePersistentStores('the delivery settings', (createDatabase) => {
  test('allow private addresses for registration and sends, and forbid them again', async () => {
    const { database, open } = await createDatabase()
    const receiver = await startWebhookReceiver()
    const acme = await createWebhookEnvironment(database, receiver)
    const first = await acme.start()
    const { id } = await acme.subscribe(first.address, receiver.url('/hook'))
    expect(await first.stop()).toEqual([0, null])
    const second = await acme.start({ WEBHOOK_ALLOW_PRIVATE: 'false', WEBHOOK_RETRIES: '0' })
    await acme.createTask(second.address)
    await second.waitForLine('A delivery was dropped.')
    const [delivery] = await acme.deliveries(await open())
    expect(delivery).toMatchObject({
      status: 'dropped',
      attempts: [{ status: null, error: 'address_not_allowed', response: null }],
    })
    expect(receiver.all()).toEqual([])
    expect(
      await acme.send(second.address, 'PATCH', `/v1/webhooks/${id}`, { url: receiver.url('/other') }),
    ).toMatchObject({ status: 422 })
  })

  test('end an attempt at the configured timeout', async () => {
    const { database, open } = await createDatabase()
    const receiver = await startWebhookReceiver()
    const acme = await createWebhookEnvironment(database, receiver)
    const { address, waitForLine } = await acme.start({
      WEBHOOK_TIMEOUT_SECONDS: '1',
      WEBHOOK_RETRIES: '0',
    })
    await acme.subscribe(address, receiver.url('/first-silent'))
    await acme.createTask(address)
    await waitForLine('A delivery was dropped.')
    const [{ attempts } = { attempts: [] }] = await acme.deliveries(await open())
    expect(attempts).toMatchObject([{ status: null, error: 'timeout' }])
    expect(attempts[0]!.duration_ms).toBeLessThan(8000)
  })
})
