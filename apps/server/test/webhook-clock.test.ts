import { expect, onTestFinished, test } from 'vitest'
import { openService, openWorkspace } from './harness.ts'
import { startReceiver } from './receiving.ts'
import { describeEachStore } from './stores.ts'
import { addWebhook } from './webhooks.ts'
import { workerHere } from './worker-here.ts'

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
    await addWebhook(service, acme, { events: ['task.created'], url: receiver.url('/first-refused') })
    const deliveries = () => storage.read((tx) => tx.workspace(acme.id).deliveries.find([]))
    const actor = await service.crm.operator.actorFor({ workspace: acme.slug, email: acme.owner.email })
    const worker = workerHere(service, { pollMs: 50 })
    onTestFinished(() => worker.stop(0))

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
