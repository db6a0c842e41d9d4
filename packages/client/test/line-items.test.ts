import { expect, test } from 'vitest'
import { openLiveClient } from './support/live-client.ts'

test('adds, changes, replaces and deletes the line items of a deal, with their totals', async () => {
  const { crm } = await openLiveClient()
  await crm.pipelines.create({ name: 'Sales', stages: [{ name: 'New' }] })
  const { id } = await crm.deals.create({ name: 'Roof', amount_source: 'items' })
  const { items } = crm.deals
  const line = { name: 'Chair', unit_price_cts: 250 }
  const [first, again] = await Promise.all([
    items.create(id, line, { idempotencyKey: 'k' }),
    items.create(id, line, { idempotencyKey: 'k' }),
  ])
  expect(again).toEqual(first)
  const changed = await items.update(id, first.data.id, { quantity: 2, discount: { percent: 10 } })
  expect(changed).toMatchObject({
    data: { total_cts: 450 },
    meta: { totals: { first_year: { net_cts: 450 } } },
  })
  const replaced = await items.replace(id, [line, { id: first.data.id }])
  expect(await items.list(id)).toEqual(replaced)
  expect(await crm.deals.get(id)).toMatchObject({ amount: 700 })
  expect((await items.delete(id, first.data.id)).data).toMatchObject([{ total_cts: 250, position: 0 }])
  await expect(items.list('a/b')).rejects.toThrow('dealId must be')
  await expect(items.create(id, line, { idempotencyKey: '' })).rejects.toThrow('idempotencyKey must be')
})
