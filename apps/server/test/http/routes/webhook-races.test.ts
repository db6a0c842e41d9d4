import { expect, test } from 'vitest'
import { dataOf } from '../../support/record-kind-cases.ts'
import { describeEachStore } from '../../support/stores.ts'
import { openService, openWorkspace } from '../../support/test-service.ts'

const HOOK = { url: 'https://hooks.example.com/crm', events: ['deal.won'] }

describeEachStore('calls at the same time', (open) => {
  test('turn a secret on once, though there are twenty of them', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const { id } = await acme.createRecord('/v1/webhooks', HOOK)
    const patched = (body: object) => acme.call('PATCH', `/v1/webhooks/${id}`, body)
    // Side by side, so that those who race next find connections open.
    await Promise.all(Array.from({ length: 20 }, () => acme.createRecord('/v1/webhooks', HOOK)))
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => patched({ auth_enable: true })))
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
      expect(answers.filter((answer) => 'webhook_secret' in dataOf(answer))).toHaveLength(1)
      await patched({ auth_enable: false })
    }
  })

  test('change different fields of a webhook, and both are kept', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const { id } = await acme.createRecord('/v1/webhooks', HOOK)
    for (let nth = 0; nth < 10; nth += 1) {
      const url = `https://hooks.example.com/${nth}`
      const events = [nth % 2 ? 'deal.won' : 'deal.lost']
      await Promise.all([{ url }, { events }].map((body) => acme.call('PATCH', `/v1/webhooks/${id}`, body)))
      expect(dataOf(await acme.call('GET', `/v1/webhooks/${id}`))).toMatchObject({ url, events })
    }
  })

  test('redelivering waits for whoever brings the delivery to its end, and then has it sent once more', async () => {
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
    let answer: ReturnType<typeof acme.call> | undefined
    await storage.transact(async (tx) => {
      const { deliveries } = tx.workspace(acme.id)
      const held = (await deliveries.getForUpdate(delivery))!
      answer ??= acme.call('POST', `/v1/webhooks/${id}/deliveries/${delivery}/redeliver`)
      for (let turn = 0; turn < 500; turn += 1) await deliveries.get(delivery)
      await deliveries.update({ ...held, status: 'dropped', reason: 'retries_exhausted', due_at: null }, held)
    })
    expect((await answer!).status).toBe(200)
    expect(await storage.read((tx) => tx.workspace(acme.id).deliveries.get(delivery))).toMatchObject({
      status: 'pending',
      reason: null,
      last_attempt: true,
    })
  })
})
