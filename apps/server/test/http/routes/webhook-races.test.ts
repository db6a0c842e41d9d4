import { AsyncLocalStorage } from 'node:async_hooks'
import { expect, test } from 'vitest'
import { dataOf } from '../../support/record-kind-cases.ts'
import { describeEachStore } from '../../support/stores.ts'
import { openService, openWorkspace } from '../../support/test-service.ts'

const HOOK = { url: 'https://hooks.example.com/crm', events: ['deal.won'] }

describeEachStore('concurrent calls', (open) => {
  test('of which twenty enable the secret return it once', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const { id } = await acme.createRecord('/v1/webhooks', HOOK)
    const patchWebhook = (body: object) => acme.call('PATCH', `/v1/webhooks/${id}`, body)
    // Opens twenty connections in advance.
    await Promise.all(Array.from({ length: 20 }, () => acme.createRecord('/v1/webhooks', HOOK)))
    for (let round = 0; round < 5; round += 1) {
      const responses = await Promise.all(
        Array.from({ length: 20 }, () => patchWebhook({ auth_enable: true })),
      )
      expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200))
      expect(responses.filter((response) => 'webhook_secret' in dataOf(response))).toHaveLength(1)
      await patchWebhook({ auth_enable: false })
    }
  })

  test('that change different fields of a webhook are both stored', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const { id } = await acme.createRecord('/v1/webhooks', HOOK)
    for (let index = 0; index < 10; index += 1) {
      const url = `https://hooks.example.com/${index}`
      const events = [index % 2 ? 'deal.won' : 'deal.lost']
      await Promise.all([{ url }, { events }].map((body) => acme.call('PATCH', `/v1/webhooks/${id}`, body)))
      expect(dataOf(await acme.call('GET', `/v1/webhooks/${id}`))).toMatchObject({ url, events })
    }
  })

  test('redelivery waits for the transaction that ends the delivery, and then queues it again', async () => {
    const storage = await open()
    const service = await openService(storage)
    const acme = await openWorkspace(service)
    const { id } = await acme.createRecord('/v1/webhooks', HOOK)
    const delivery = String((await acme.createRecord(`/v1/webhooks/${id}/test`, {})).id)
    await storage.transact(async (tx) => {
      const { deliveries } = tx.workspace(acme.id)
      await deliveries.update({
        ...(await deliveries.getForUpdate(delivery))!,
        due_at: '2026-03-01T12:15:00.000Z',
      })
    })
    let response: ReturnType<typeof acme.call> | undefined
    const outside = AsyncLocalStorage.snapshot()
    const redeliver = () => acme.call('POST', `/v1/webhooks/${id}/deliveries/${delivery}/redeliver`)
    await storage.transact(async (tx) => {
      const { deliveries } = tx.workspace(acme.id)
      const locked = (await deliveries.getForUpdate(delivery))!
      response ??= outside(redeliver)
      for (let count = 0; count < 500; count += 1) await deliveries.get(delivery)
      await deliveries.update({ ...locked, status: 'dropped', reason: 'retries_exhausted', due_at: null })
    })
    expect((await response!).status).toBe(200)
    expect(await storage.read((tx) => tx.workspace(acme.id).deliveries.get(delivery))).toMatchObject({
      status: 'pending',
      reason: null,
      last_attempt: true,
    })
  })
})
