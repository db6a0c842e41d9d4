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

describePersistentStores('the worker', (found) => {
  test("what happens is told to the subscriber in the contract's shape, and signed with the webhook's secret", async () => {
    const { database: place } = await found()
    const receiver = await startWebhookReceiver()
    const acme = await createWebhookEnvironment(place, receiver)
    const { address, stop } = await acme.start()
    const { id: webhook, webhook_secret } = await acme.subscribe(address, receiver.url('/heard'))
    const id = await acme.createTask(address, 'Ligue já 📞\u2028"/"')
    const [told] = await receiver.waitUntil(({ length }) => length > 0)
    expect(Object.keys(told!.envelope)).toEqual(['id', 'event', 'version', 'created_at', 'task'])
    expect(told!.envelope).toMatchObject({
      event: 'task.created',
      version: 'v1',
      task: (await acme.send(address, 'GET', `/v1/tasks/${id}`)).data,
    })
    expect(told).toMatchObject({
      path: '/heard',
      type: 'application/json',
      signature: `sha256=${createHmac('sha256', webhook_secret).update(told!.body).digest('hex')}`,
    })
    await expect
      .poll(
        async () =>
          (await acme.send(address, 'GET', `/v1/webhooks/${webhook}/deliveries/${told!.envelope.id}`)).data,
      )
      .toMatchObject({ status: 'delivered', attempts_count: 1, attempts: [{ status: 200, error: null }] })
    expect(await stop()).toEqual([0, null])
    expect(receiver.all()).toHaveLength(1)
  })

  test('a delivery that is given up is told to the operator, without where it went or what stood in it', async () => {
    const { database: place } = await found()
    const receiver = await startWebhookReceiver()
    const acme = await createWebhookEnvironment(place, receiver)
    const service = await acme.start({ WEBHOOK_RETRY_SECONDS: '1', WEBHOOK_RETRIES: '1' })
    const { id: webhook_id } = await acme.subscribe(service.address, receiver.url('/refused'))
    await acme.createTask(service.address, 'Hush')
    const dropped = await service.waitForLine('A delivery was dropped.')
    const [first, second, ...more] = receiver.all()
    expect([first, more]).toEqual([second, []])
    expect(dropped).toEqual({
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

  test("what is being sent is nobody else's for twenty seconds longer than an attempt may take", async () => {
    const { database: place, open } = await found()
    const receiver = await startWebhookReceiver()
    const acme = await createWebhookEnvironment(place, receiver)
    const { address, kill } = await acme.start({ WEBHOOK_TIMEOUT_SECONDS: '45' })
    await acme.subscribe(address, receiver.url('/first-silent'))
    const before = Date.now()
    await acme.createTask(address)
    await receiver.waitUntil(({ length }) => length === 1)
    const after = Date.now()
    const [held] = await acme.deliveries(await open())
    const until = Date.parse(held!.due_at!)
    expect(held).toMatchObject({ status: 'pending', sending: true, lease: 1 })
    expect(until).toBeGreaterThanOrEqual(before + 65_000)
    expect(until).toBeLessThanOrEqual(after + 65_000)
    await kill()
  })

  test('a process that stops gives back what is not answered within seconds, and the next one sends it at once', async () => {
    const { database: place, open } = await found()
    const receiver = await startWebhookReceiver()
    const acme = await createWebhookEnvironment(place, receiver)
    const patient = { WEBHOOK_TIMEOUT_SECONDS: '60' }
    const first = await acme.start(patient)
    await acme.subscribe(first.address, receiver.url('/first-silent'))
    await acme.createTask(first.address)
    await receiver.waitUntil(({ length }) => length === 1)
    expect(await first.stop()).toEqual([0, null])
    const storage = await open()
    expect(await acme.deliveries(storage)).toMatchObject([
      { status: 'pending', sending: false, attempts: [], attempts_count: 0 },
    ])

    const second = await acme.start(patient)
    const [once, again] = await receiver.waitUntil(({ length }) => length === 2)
    expect(again).toEqual(once)
    expect(await second.stop()).toEqual([0, null])
    expect(await acme.deliveries(storage)).toMatchObject([{ status: 'delivered', attempts_count: 1 }])
  })
})

describeEachStore('a worker', (open) => {
  test('is woken by what its own process commits, however seldom it looks by itself', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const receiver = await startWebhookReceiver()
    await addWebhook(service, acme, { events: ['task.created'], url: receiver.url('/heard') })
    const { stop } = startTestWorker(service, { pollMs: AN_HOUR_MS })
    onTestFinished(() => stop(0))
    // Of several, so that more than the look at the start is needed.
    for (const title of ['First', 'Second', 'Third']) {
      await acme.createRecord('/v1/tasks', { title })
      await receiver.waitUntil((received) =>
        received.some(({ envelope }) => (envelope['task'] as { title: string }).title === title),
      )
    }
    expect(receiver.all()).toHaveLength(3)
  })
})

describe.skipIf(postgresUrl === null)('the workers of several processes', () => {
  const place = async () => ({ driver: 'postgres', location: await testDatabaseUrl(postgresUrl!) }) as const

  test('are woken by what another process commits, however seldom they look by themselves', async () => {
    const receiver = await startWebhookReceiver()
    const acme = await createWebhookEnvironment(await place(), receiver)
    const { stop } = startTestWorker(await acme.open(), { pollMs: AN_HOUR_MS })
    try {
      const { address } = await acme.start({ WORKER: 'false' })
      await acme.subscribe(address, receiver.url('/heard'))
      // Of several, so that more than the look at the start is needed.
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

  test('send each delivery once between them, and a process that does no work sends none', async () => {
    const receiver = await startWebhookReceiver()
    const acme = await createWebhookEnvironment(await place(), receiver)
    const serving = await acme.start({ WORKER: 'false' })
    await acme.subscribe(serving.address, receiver.url('/heard'))
    const early = await acme.createTask(serving.address)
    expect(await acme.deliveries((await acme.open()).storage)).toMatchObject([
      { status: 'pending', lease: 0 },
    ])

    const working = await Promise.all([acme.start(), acme.start()])
    const addresses = [serving, ...working].map(({ address }) => address)
    const later = await Promise.all(
      Array.from({ length: 60 }, (_, index) => acme.createTask(addresses[index % 3]!)),
    )
    await receiver.waitUntil(({ length }) => length >= 61)
    expect(await Promise.all([...working, serving].map(({ stop }) => stop()))).toEqual(
      Array(3).fill([0, null]),
    )
    const told = receiver.all().map(({ envelope }) => (envelope['task'] as { id: string }).id)
    expect(told.sort()).toEqual([early, ...later].sort())
  })
})

describePersistentStores('the settings of deliveries', (found) => {
  test('open private addresses to what is registered and to what is sent, and shut them again', async () => {
    const { database: place, open } = await found()
    const receiver = await startWebhookReceiver()
    const acme = await createWebhookEnvironment(place, receiver)
    const first = await acme.start()
    const { id } = await acme.subscribe(first.address, receiver.url('/heard'))
    expect(await first.stop()).toEqual([0, null])
    const second = await acme.start({ WEBHOOK_ALLOW_PRIVATE: 'false', WEBHOOK_RETRIES: '0' })
    await acme.createTask(second.address)
    await second.waitForLine('A delivery was dropped.')
    const [dropped] = await acme.deliveries(await open())
    expect(dropped).toMatchObject({
      status: 'dropped',
      attempts: [{ status: null, error: 'address_not_allowed', response: null }],
    })
    expect(receiver.all()).toEqual([])
    expect(
      await acme.send(second.address, 'PATCH', `/v1/webhooks/${id}`, { url: receiver.url('/other') }),
    ).toMatchObject({ status: 422 })
  })

  test('an attempt is over when the time that is set for it is', async () => {
    const { database: place, open } = await found()
    const receiver = await startWebhookReceiver()
    const acme = await createWebhookEnvironment(place, receiver)
    const { address, waitForLine: said } = await acme.start({
      WEBHOOK_TIMEOUT_SECONDS: '1',
      WEBHOOK_RETRIES: '0',
    })
    await acme.subscribe(address, receiver.url('/first-silent'))
    await acme.createTask(address)
    await said('A delivery was dropped.')
    const [{ attempts } = { attempts: [] }] = await acme.deliveries(await open())
    expect(attempts).toMatchObject([{ status: null, error: 'timeout' }])
    expect(attempts[0]!.duration_ms).toBeLessThan(8000)
  })
})
