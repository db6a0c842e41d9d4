import { type DispatcherOptions, startDelivering, webhookSender } from '@sales-crm/node'
import { expect, onTestFinished, test } from 'vitest'
import { openService, openWorkspace } from './harness.ts'
import { RECEIVER_CERTIFICATE } from './receiver-certificate.ts'
import { startReceiver } from './receiving.ts'
import { describeEachStore } from './stores.ts'

const TWO_HOURS = 7_200_000

describeEachStore('a clock that jumps by two hours', (open) => {
  test.each([
    ['back', -TWO_HOURS],
    ['forth', TWO_HOURS],
  ])('%s neither loses nor holds up what is on its way', async (_, jump) => {
    const storage = await open()
    const service = await openService(storage)
    const receiver = await startReceiver()
    const acme = await openWorkspace(service)
    const at = service.ports.now()
    const webhook = { id: service.ports.newId(), client_id: acme.client_id, url: receiver.url('/first-refused'), host: '127.0.0.1' }
    const more = { events: ['task.created'], sealed_secret: null, created_at: at, updated_at: at } as const
    await storage.transact((tx) => tx.workspace(acme.id).webhooks.insert({ ...webhook, ...more }))
    const deliveries = () => storage.read((tx) => tx.workspace(acme.id).deliveries.find([]))
    const actor = await service.crm.operator.actorFor({ workspace: acme.slug, email: acme.owner.email })
    const worker = workerOf(service)

    await service.crm.tasks.create(actor, { title: 'Before' })
    await expect.poll(deliveries).toMatchObject([{ attempts_count: 1, due_at: '2026-03-01T12:15:00.000Z' }])
    service.pass(jump)
    await service.crm.tasks.create(actor, { title: 'After' })
    await receiver.until(({ length }) => length === 3)
    service.pass(15 * 60_000)
    await expect.poll(deliveries).toMatchObject([
      { status: 'delivered', attempts_count: 2 },
      { status: 'delivered', attempts_count: 2 },
    ])
    await worker.stop(0)
    expect(receiver.all()).toHaveLength(4)
  })
})

function workerOf({ crm, ports }: Awaited<ReturnType<typeof openService>>) {
  const options: DispatcherOptions = {
    delivering: crm.deliverWith({ retries: 3, retrySeconds: 900, leaseSeconds: 30 }),
    sender: webhookSender({ timeoutMs: 10_000, outbound: { allowPrivate: true }, ca: RECEIVER_CERTIFICATE }),
    now: ports.now,
    pollMs: 50,
  }
  const worker = startDelivering(options)
  onTestFinished(() => worker.stop(0))
  return worker
}
