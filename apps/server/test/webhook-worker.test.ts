import { createHmac } from 'node:crypto'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { openService, openWorkspace } from './harness.ts'
import { startReceiver } from './receiving.ts'
import { databaseOf, describeEachStore, describeLastingStores } from './stores.ts'
import { webhookPlace } from './webhook-place.ts'
import { addWebhook } from './webhooks.ts'
import { workerHere } from './worker-here.ts'

const postgresUrl = inject('postgresUrl')
const AN_HOUR_MS = 3_600_000

describeLastingStores('the worker', (found) => {
  test("what happens is told to the subscriber in the contract's shape, and signed with the webhook's secret", async () => {
    const { place } = await found()
    const receiver = await startReceiver()
    const acme = await webhookPlace(place, receiver)
    const { address, stop } = await acme.start()
    const { id: webhook, webhook_secret } = await acme.subscribe(address, receiver.url('/heard'))
    const id = await acme.task(address, 'Ligue já 📞\u2028"/"')
    const [told] = await receiver.until(({ length }) => length > 0)
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
      .poll(async () => (await acme.send(address, 'GET', `/v1/webhooks/${webhook}/deliveries/${told!.envelope.id}`)).data)
      .toMatchObject({ status: 'delivered', attempts_count: 1, attempts: [{ status: 200, error: null }] })
    expect(await stop()).toEqual([0, null])
    expect(receiver.all()).toHaveLength(1)
  })

  test('a delivery that is given up is told to the operator, without where it went or what stood in it', async () => {
    const { place } = await found()
    const receiver = await startReceiver()
    const acme = await webhookPlace(place, receiver)
    const service = await acme.start({ WEBHOOK_RETRY_SECONDS: '1', WEBHOOK_RETRIES: '1' })
    const { id: webhook_id } = await acme.subscribe(service.address, receiver.url('/refused'))
    await acme.task(service.address, 'Hush')
    const dropped = await service.said('A delivery was dropped.')
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
    const { place, open } = await found()
    const receiver = await startReceiver()
    const acme = await webhookPlace(place, receiver)
    const { address, kill } = await acme.start({ WEBHOOK_TIMEOUT_SECONDS: '45' })
    await acme.subscribe(address, receiver.url('/first-silent'))
    const before = Date.now()
    await acme.task(address)
    await receiver.until(({ length }) => length === 1)
    const after = Date.now()
    const [held] = await acme.deliveries(await open())
    const until = Date.parse(held!.due_at!)
    expect(held).toMatchObject({ status: 'pending', sending: true, lease: 1 })
    expect(until).toBeGreaterThanOrEqual(before + 65_000)
    expect(until).toBeLessThanOrEqual(after + 65_000)
    await kill()
  })

  test('a process that stops gives back what is not answered within seconds, and the next one sends it at once', async () => {
    const { place, open } = await found()
    const receiver = await startReceiver()
    const acme = await webhookPlace(place, receiver)
    const patient = { WEBHOOK_TIMEOUT_SECONDS: '60' }
    const first = await acme.start(patient)
    await acme.subscribe(first.address, receiver.url('/first-silent'))
    await acme.task(first.address)
    await receiver.until(({ length }) => length === 1)
    expect(await first.stop()).toEqual([0, null])
    const storage = await open()
    expect(await acme.deliveries(storage)).toMatchObject([{ status: 'pending', sending: false, attempts: [], attempts_count: 0 }])

    const second = await acme.start(patient)
    const [once, again] = await receiver.until(({ length }) => length === 2)
    expect(again).toEqual(once)
    expect(await second.stop()).toEqual([0, null])
    expect(await acme.deliveries(storage)).toMatchObject([{ status: 'delivered', attempts_count: 1 }])
  })
})

describeEachStore('a worker', (open) => {
  test('is woken by what its own process commits, however seldom it looks by itself', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const receiver = await startReceiver()
    await addWebhook(service, acme, { events: ['task.created'], url: receiver.url('/heard') })
    const { stop } = workerHere(service, { pollMs: AN_HOUR_MS })
    onTestFinished(() => stop(0))
    // Of several, so that more than the look at the start is needed.
    for (const title of ['First', 'Second', 'Third']) {
      await acme.made('/v1/tasks', { title })
      await receiver.until((received) => received.some(({ envelope }) => (envelope['task'] as { title: string }).title === title))
    }
    expect(receiver.all()).toHaveLength(3)
  })
})

describe.skipIf(postgresUrl === null)('the workers of several processes', () => {
  const place = async () => ({ driver: 'postgres', where: await databaseOf(postgresUrl!) }) as const

  test('are woken by what another process commits, however seldom they look by themselves', async () => {
    const receiver = await startReceiver()
    const acme = await webhookPlace(await place(), receiver)
    const { stop } = workerHere(await acme.open(), { pollMs: AN_HOUR_MS })
    try {
      const { address } = await acme.start({ WORKER: 'false' })
      await acme.subscribe(address, receiver.url('/heard'))
      // Of several, so that more than the look at the start is needed.
      for (const title of ['First', 'Second', 'Third']) {
        await acme.task(address, title)
        await receiver.until((received) => received.some(({ envelope }) => (envelope['task'] as { title: string }).title === title))
      }
    } finally {
      await stop(0)
    }
    expect(receiver.all()).toHaveLength(3)
  })

  test('send each delivery once between them, and a process that does no work sends none', async () => {
    const receiver = await startReceiver()
    const acme = await webhookPlace(await place(), receiver)
    const serving = await acme.start({ WORKER: 'false' })
    await acme.subscribe(serving.address, receiver.url('/heard'))
    const early = await acme.task(serving.address)
    expect(await acme.deliveries((await acme.open()).storage)).toMatchObject([{ status: 'pending', lease: 0 }])

    const working = await Promise.all([acme.start(), acme.start()])
    const addresses = [serving, ...working].map(({ address }) => address)
    const later = await Promise.all(Array.from({ length: 60 }, (_, index) => acme.task(addresses[index % 3]!)))
    await receiver.until(({ length }) => length >= 61)
    expect(await Promise.all([...working, serving].map(({ stop }) => stop()))).toEqual(Array(3).fill([0, null]))
    const told = receiver.all().map(({ envelope }) => (envelope['task'] as { id: string }).id)
    expect(told.sort()).toEqual([early, ...later].sort())
  })
})

describeLastingStores('the settings of deliveries', (found) => {
  test('open private addresses to what is registered and to what is sent, and shut them again', async () => {
    const { place, open } = await found()
    const receiver = await startReceiver()
    const acme = await webhookPlace(place, receiver)
    const first = await acme.start()
    const { id } = await acme.subscribe(first.address, receiver.url('/heard'))
    expect(await first.stop()).toEqual([0, null])
    const second = await acme.start({ WEBHOOK_ALLOW_PRIVATE: 'false', WEBHOOK_RETRIES: '0' })
    await acme.task(second.address)
    await second.said('A delivery was dropped.')
    const [dropped] = await acme.deliveries(await open())
    expect(dropped).toMatchObject({ status: 'dropped', attempts: [{ status: null, error: 'address_not_allowed', response: null }] })
    expect(receiver.all()).toEqual([])
    expect(await acme.send(second.address, 'PATCH', `/v1/webhooks/${id}`, { url: receiver.url('/other') })).toMatchObject({ status: 422 })
  })

  test('an attempt is over when the time that is set for it is', async () => {
    const { place, open } = await found()
    const receiver = await startReceiver()
    const acme = await webhookPlace(place, receiver)
    const { address, said } = await acme.start({ WEBHOOK_TIMEOUT_SECONDS: '1', WEBHOOK_RETRIES: '0' })
    await acme.subscribe(address, receiver.url('/first-silent'))
    await acme.task(address)
    await said('A delivery was dropped.')
    const [{ attempts } = { attempts: [] }] = await acme.deliveries(await open())
    expect(attempts).toMatchObject([{ status: null, error: 'timeout' }])
    expect(attempts[0]!.duration_ms).toBeLessThan(8000)
  })
})
