import { expect, test } from 'vitest'
import { openLiveClient } from './support/live-client.ts'

test('makes, downloads and links the offers of a deal', async () => {
  const { crm } = await openLiveClient()
  await crm.pipelines.create({ name: 'Sales', stages: [{ name: 'New' }] })
  const { id } = await crm.deals.create({ name: 'Roof' })
  await crm.deals.items.create(id, { name: 'Chair', unit_price_cts: 250 })
  await crm.workspace.update({ sender: { legal_name: 'Acme' } })
  const { offers } = crm.deals
  const input = { valid_until: '9999-12-31', language: 'en' } as const
  const [offer, again] = await Promise.all([
    offers.create(id, input, { idempotencyKey: 'k' }),
    offers.create(id, input, { idempotencyKey: 'k' }),
  ])
  expect(again).toEqual(offer)
  expect(await offers.get(id, offer.id)).toEqual(offer)
  const bytes = await offers.download(id, offer.id)
  expect(new TextDecoder().decode(bytes.subarray(0, 5))).toBe('%PDF-')
  expect((await offers.createLink(id, offer.id)).url).toContain('/offers/')
  expect(await offers.list(id)).toMatchObject([{ number: offer.number, link_created_at: expect.any(String) }])
  await offers.deleteLink(id, offer.id)
  expect((await offers.list(id))[0]!.link_created_at).toBeNull()
  await expect(offers.download(id, 'unknown')).rejects.toMatchObject({ status: 404 })
})
