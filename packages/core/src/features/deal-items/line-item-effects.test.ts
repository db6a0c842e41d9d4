import { describe, expect, test } from 'vitest'
import { LINE, setUpDeal } from '../../../test/deal-with-items.ts'
import { catchFieldErrors, catchRejection } from '../../../test/harness.ts'

describe('the amount of a deal', () => {
  test('follows its items if they are its source, until an amount is typed', async () => {
    const { crm, owner, deal, items, product, add, amount } = await setUpDeal()
    const { id } = (await add(LINE)).data
    expect(await amount()).toBe(0)
    const update = (changes: object) => crm.deals.update(owner, deal.id, changes)
    expect(await update({ amount_source: 'items' })).toMatchObject({ amount: 250, amount_source: 'items' })
    await add({ product_id: product.id })
    expect(await amount()).toBe(250 + 12 * 1000)
    await items.update(owner, deal.id, id, { quantity: 2 })
    expect(await amount()).toBe(500 + 12 * 1000)
    await items.remove(owner, deal.id, id)
    expect(await amount()).toBe(12 * 1000)
    expect(await update({ name: 'Sofas' })).toMatchObject({ amount: 12_000, amount_source: 'items' })
    expect(await update({ amount: 7 })).toMatchObject({ amount: 7, amount_source: 'typed' })
    await items.replace(owner, deal.id, { items: [] })
    expect(await amount()).toBe(7)
    expect(await update({ amount_source: 'items' })).toMatchObject({ amount: 0 })
    expect(await update({ amount_source: 'typed' })).toMatchObject({ amount: 0, amount_source: 'typed' })
  })

  test('is not sent together with that source, unless it is that of the items', async () => {
    const { crm, owner, deal, add } = await setUpDeal()
    await add(LINE)
    const update = (amount: number) => crm.deals.update(owner, deal.id, { amount_source: 'items', amount })
    expect(await catchFieldErrors(update(249))).toEqual({
      amount: 'Must be left out, or be that of the items: 250.',
    })
    expect(await update(250)).toMatchObject({ amount: 250, amount_source: 'items' })
    const create = (input: object) =>
      crm.deals.create(owner, { name: 'New', amount_source: 'items', ...input })
    expect(await create({})).toMatchObject({ amount: 0, amount_source: 'items' })
    expect(Object.keys(await catchFieldErrors(create({ amount: 5 })))).toEqual(['amount'])
    expect((await crm.deals.list(owner, { include: 'amount_source' })).data[0]).toMatchObject({
      amount_source: expect.any(String),
    })
    expect((await crm.deals.list(owner)).data[0]).not.toHaveProperty('amount_source')
  })

  test('is bounded, whatever its source', async () => {
    const { owner, deal, items, add, errorsOf, amount, crm } = await setUpDeal()
    const most = { name: 'House', unit_price_cts: 1e15 }
    expect(await errorsOf({ ...most, quantity: 1.001 })).toEqual({
      unit_price_cts: 'Quantity × price must come to at most 1000000000000000.',
    })
    const rule = 'The items of a deal must come to at most 1000000000000000 in the first year.'
    expect(await errorsOf({ ...most, billing_cycle: 'monthly' })).toEqual({ unit_price_cts: rule })
    const { id } = (await add({ ...most, tax_rate: 100 })).data
    expect(await errorsOf({ name: 'Key', unit_price_cts: 1 })).toEqual({ unit_price_cts: rule })
    const toMonthly = { billing_cycle: 'monthly' } as const
    expect(await catchFieldErrors(items.update(owner, deal.id, id, toMonthly))).toEqual({
      billing_cycle: rule,
    })
    const two = { items: [{ id }, { name: 'Key', unit_price_cts: 1 }] }
    expect(await catchFieldErrors(items.replace(owner, deal.id, two))).toEqual({ items: rule })
    await crm.deals.update(owner, deal.id, { amount_source: 'items' })
    expect(await amount()).toBe(1e15)
    const { gross_cts } = (await items.list(owner, deal.id)).meta.totals.first_year
    expect(gross_cts).toBe(2e15)
  })

  test('keeps its currency as long as there are items', async () => {
    const { crm, owner, deal, items, add } = await setUpDeal()
    const { id } = (await add(LINE)).data
    const update = (changes: object) => crm.deals.update(owner, deal.id, changes)
    expect(await catchFieldErrors(update({ currency: 'USD' }))).toEqual({
      currency: 'Must stay the same while the deal has items.',
    })
    expect((await update({ currency: 'BRL', amount: 5 })).amount).toBe(5)
    await items.remove(owner, deal.id, id)
    expect((await update({ currency: 'USD' })).currency).toBe('USD')
  })
})

test('who may not change the deal changes no item, and who does not see it sees none', async () => {
  const { crm, owner, ann, ben, deal, items, add, stored } = await setUpDeal()
  const { id } = (await add(LINE)).data
  await crm.deals.update(owner, deal.id, { owner_user_id: ann.userId })
  expect((await items.list(ben, deal.id)).data).toHaveLength(1)
  const forbidden = { code: 'forbidden', message: 'You do not have permission to update this deal.' }
  const writes = [
    () => items.create(ben, deal.id, LINE),
    () => items.update(ben, deal.id, id, { quantity: 1 }),
    () => items.remove(ben, deal.id, id),
    () => items.replace(ben, deal.id, { items: [{ id }] }),
  ]
  for (const write of writes) expect(await catchRejection(write)).toMatchObject(forbidden)
  await crm.workspace.update(owner, { visibility: { deals: 'owner' } })
  for (const write of [...writes, () => items.list(ben, deal.id)])
    expect(await catchRejection(write)).toEqual({ code: 'not_found', message: 'Deal not found.' })
  expect((await items.create(ann, deal.id, LINE)).data.position).toBe(1)
  await crm.deals.remove(owner, deal.id)
  expect(await stored()).toHaveLength(2)
})

test('a change sends one event of the deal, and one that changes nothing sends none', async () => {
  const { crm, owner, deal, items, storage } = await setUpDeal()
  await crm.deals.update(owner, deal.id, { amount_source: 'items' })
  await crm.webhooks.create(owner, { url: 'https://hooks.example/', events: ['deal.updated'] })
  const events = () =>
    storage.read(async (tx) => (await tx.workspace(owner.workspaceId).snapshots.find([])).length)
  const { data } = await items.replace(owner, deal.id, { items: [LINE, LINE, LINE] })
  expect(await events()).toBe(1)
  await items.create(owner, deal.id, { ...LINE, position: 0 })
  expect(await events()).toBe(2)
  const { id } = data[0]!
  await items.update(owner, deal.id, id, { unit_price_cts: 250, discount: null })
  expect(await events()).toBe(2)
  await items.remove(owner, deal.id, id)
  expect(await events()).toBe(3)
})

test('a key creates one item and changes it once, and is another one for another deal', async () => {
  const { crm, owner, ben, deal, items } = await setUpDeal()
  const create = (dealId: string, actor = owner) => items.createIdempotent(actor, 'k', dealId, LINE)
  const first = await create(deal.id)
  expect(await create(deal.id.toUpperCase())).toEqual({ response: first.response, isReplay: true })
  const [item] = (await items.list(owner, deal.id)).data
  expect(item).toEqual(first.response.data)
  const double = () => items.updateIdempotent(owner, 'k', deal.id, item!.id, { quantity: 2 })
  expect((await double()).isReplay).toBe(false)
  await items.update(owner, deal.id, item!.id, { quantity: 3 })
  expect(await double()).toMatchObject({ isReplay: true, response: { data: { quantity: 2 } } })
  expect((await items.list(owner, deal.id)).data).toMatchObject([{ quantity: 3 }])
  const other = await crm.deals.create(owner, { name: 'Tables' })
  expect((await create(other.id)).isReplay).toBe(false)
  await crm.deals.update(owner, deal.id, { owner_user_id: owner.userId })
  await crm.workspace.update(owner, { visibility: { deals: 'owner' } })
  expect(await catchRejection(create(deal.id, ben))).toMatchObject({ code: 'not_found' })
})
