import { expect, onTestFinished, test } from 'vitest'
import { describeEachStore } from '../support/stores.ts'
import { openService, openWorkspace } from '../support/test-service.ts'
import { startTestWorker } from '../support/test-worker.ts'
import { addWebhook } from '../support/webhook-fixtures.ts'
import { startWebhookReceiver } from '../support/webhook-receiver.ts'

const TWO_HOURS = 7_200_000

describeEachStore('a clock that jumps two hours', (open) => {
  test.each([
    ['back', -TWO_HOURS],
    ['forward', TWO_HOURS],
  ])('%s neither loses nor delays deliveries', async (_, milliseconds) => {
    const storage = await open()
    const service = await openService(storage)
    const receiver = await startWebhookReceiver()
    const acme = await openWorkspace(service)
    await addWebhook(service, acme, { events: ['task.created'], url: receiver.url('/first-refused') })
    const deliveries = async () =>
      (await storage.read((tx) => tx.workspace(acme.id).deliveries.find([]))).toSorted(
        (a, b) => a.attempts_count - b.attempts_count,
      )
    const actor = await service.crm.operator.actorFor({ workspace: acme.slug, email: acme.owner.email })
    const worker = startTestWorker(service, { pollMs: 50 })
    onTestFinished(() => worker.stop(0))

    await service.crm.tasks.create(actor, { title: 'Before' })
    await expect.poll(deliveries).toMatchObject([{ attempts_count: 1, due_at: '2026-03-01T12:15:00.000Z' }])
    service.advanceClock(milliseconds)
    await service.crm.tasks.create(actor, { title: 'After' })
    // A lease ends during a jump, so an attempt whose outcome is not saved yet would be repeated.
    await expect.poll(deliveries).toMatchObject([
      { status: 'pending', attempts_count: 1 },
      { status: 'delivered', attempts_count: 2 },
    ])
    service.advanceClock(15 * 60_000)
    await expect.poll(deliveries).toMatchObject([
      { status: 'delivered', attempts_count: 2 },
      { status: 'delivered', attempts_count: 2 },
    ])
    await worker.stop(0)
    expect(receiver.all()).toHaveLength(4)
  })
})
