import { describe, expect, test } from 'vitest'
import { catchFieldErrors, catchRejection, createTestCrm, UNKNOWN_ID } from '../../../test/harness.ts'
import { MAX_LINE_ITEMS } from '../../schema/deal-item.ts'

async function setUpDeal() {
  const base = await createTestCrm()
  const { crm, owner, storage } = base
  await crm.pipelines.create(owner, { name: 'Sales', stages: [{ name: 'New' }] })
  const deal = await crm.deals.create(owner, { name: 'Chairs', currency: 'BRL' })
  const product = await crm.products.create(owner, {
    ...{ name: 'Plan', currency: 'BRL', price_cts: 1000, code: 'P-1', billing_cycle: 'monthly' },
  })
  const { items } = crm.deals
  return {
    ...{ ...base, deal, product, items },
    add: (input: object) => items.create(owner, deal.id, input),
    names: async () => (await items.list(owner, deal.id)).data.map(({ name }) => name),
    amount: async () => (await crm.deals.get(owner, deal.id)).amount,
    errorsOf: (input: object) => catchFieldErrors(items.create(owner, deal.id, input)),
    stored: () => storage.read((tx) => tx.workspace(owner.workspaceId).deal_items.find([])),
  }
}

const LINE = { name: 'Chair', unit_price_cts: 250 }

describe('a new item', () => {
  test('has the values of its product, which it keeps', async () => {
    const { crm, owner, deal, product, items, add } = await setUpDeal()
    const { data } = await add({ product_id: product.id.toUpperCase(), quantity: 2 })
    const own = { name: 'Plan', code: 'P-1', unit_price_cts: 1000, billing_cycle: 'monthly' }
    expect(data).toMatchObject({
      ...own,
      quantity: 2,
      total_cts: 2000,
      tax_cts: 0,
      position: 0,
      tax_rate: null,
    })
    expect(data.product).toMatchObject({ id: product.id, price_cts: 1000 })
    const changes = { name: 'Old', price_cts: 1, code: null, billing_cycle: 'annually' } as const
    await crm.products.update(owner, product.id, changes)
    expect((await items.list(owner, deal.id)).data).toMatchObject([own])
    await crm.products.remove(owner, product.id)
    const [kept] = (await items.list(owner, deal.id)).data
    expect(kept).toMatchObject({ ...own, product: null })
    await items.replace(owner, deal.id, { items: [{ id: kept!.id, product_id: product.id, quantity: 3 }] })
    expect((await items.list(owner, deal.id)).data).toMatchObject([{ ...own, quantity: 3 }])
  })

  test('has what is sent instead, and defaults without a product', async () => {
    const { product, add } = await setUpDeal()
    const sent = { name: 'Chair', code: 'C', unit_price_cts: 5, billing_cycle: 'annually' } as const
    expect((await add({ product_id: product.id, ...sent })).data).toMatchObject(sent)
    expect((await add({ ...LINE, product_id: null, code: null, quantity: null })).data).toMatchObject({
      ...{ product: null, code: null, description: null, quantity: 1, discount: null, position: 1 },
      billing_cycle: 'one_time',
    })
  })

  test('needs a name and a price', async () => {
    const { crm, owner, product, errorsOf } = await setUpDeal()
    expect(await errorsOf({})).toEqual({ name: 'Required.', unit_price_cts: 'Required.' })
    const { id } = await crm.products.create(owner, { name: 'Import', currency: 'USD', price_cts: 9 })
    expect(await errorsOf({ product_id: id })).toEqual({
      unit_price_cts: 'Required: the product has a price in USD.',
    })
    await crm.products.remove(owner, product.id)
    for (const product_id of [product.id, UNKNOWN_ID])
      expect(await errorsOf({ ...LINE, product_id })).toEqual({ product_id: 'Product not found.' })
  })

  test('has values within their bounds', async () => {
    const { errorsOf } = await setUpDeal()
    const quantity = 'Must be a number between 0.001 and 1000000 with at most 3 decimal places.'
    for (const value of [0, -1, 0.0001, 1.0005, 1_000_001, Number.NaN, '1'])
      expect(await errorsOf({ ...LINE, quantity: value })).toEqual({ quantity })
    const tax_rate = 'Must be a number between 0 and 100 with at most 2 decimal places.'
    for (const value of [-1, 100.01, 0.001])
      expect(await errorsOf({ ...LINE, tax_rate: value })).toEqual({ tax_rate })
    const errors = await errorsOf({
      name: 'a\ud800',
      unit_price_cts: -1,
      description: 'x'.repeat(1001),
      position: 500,
    })
    expect(Object.keys(errors)).toEqual(['name', 'unit_price_cts', 'description', 'position'])
    for (const [discount, error] of [
      [{}, { discount: 'One of percent and amount_cts is required.' }],
      [{ percent: 1, amount_cts: 1 }, { discount: 'Must have only one of percent and amount_cts.' }],
      [{ percent: 101 }, { 'discount.percent': expect.any(String) }],
      [{ amount_cts: 251 }, { 'discount.amount_cts': 'Must not be more than quantity × price.' }],
      [5, { discount: 'Must be an object.' }],
      [{ percentage: 5 }, { discount: expect.any(String), 'discount.percentage': expect.any(String) }],
    ] as const)
      expect(await errorsOf({ ...LINE, discount })).toEqual(error)
  })

  test('is put at its position', async () => {
    const { add, names } = await setUpDeal()
    for (const name of ['a', 'b', 'c']) await add({ ...LINE, name })
    expect((await add({ ...LINE, name: 'd', position: 1 })).data.position).toBe(1)
    expect((await add({ ...LINE, name: 'e', position: 400 })).data.position).toBe(4)
    expect(await names()).toEqual(['a', 'd', 'b', 'c', 'e'])
  })
})

describe('a change of an item', () => {
  test('changes what is sent alone', async () => {
    const { owner, deal, product, items, add, clock } = await setUpDeal()
    const { data: before } = await add({ ...LINE, discount: { amount_cts: 50 }, tax_rate: 19 })
    clock.advance(60)
    const change = (changes: object) => items.update(owner, deal.id, before.id.toUpperCase(), changes)
    const { data, meta } = await change({ product_id: product.id, quantity: 0.5 })
    expect(data).toMatchObject({
      name: 'Chair',
      unit_price_cts: 250,
      quantity: 0.5,
      total_cts: 75,
      tax_cts: 14,
    })
    expect(data.updated_at > before.updated_at).toBe(true)
    expect(meta.totals.one_time).toEqual({ net_cts: 75, tax_cts: 14, gross_cts: 89 })
    expect((await change({ discount: null, tax_rate: null, product_id: null })).data).toMatchObject({
      ...{ product: null, discount: null, tax_rate: null, total_cts: 125 },
    })
    expect(await catchFieldErrors(change({ discount: { amount_cts: 126 } }))).toEqual({
      'discount.amount_cts': 'Must not be more than quantity × price.',
    })
    expect(await catchFieldErrors(change({ name: null }))).toEqual({ name: 'Must not be null.' })
    expect(await catchRejection(change({}))).toMatchObject({ code: 'bad_request' })
  })

  test('moves it', async () => {
    const { owner, deal, items, add, names } = await setUpDeal()
    const ids: string[] = []
    for (const name of ['a', 'b', 'c']) ids.push((await add({ ...LINE, name })).data.id)
    await items.update(owner, deal.id, ids[2]!, { position: 0 })
    expect(await names()).toEqual(['c', 'a', 'b'])
    await items.remove(owner, deal.id, ids[0]!)
    expect((await items.list(owner, deal.id)).data).toMatchObject([{ position: 0 }, { position: 1 }])
  })

  test('finds only items of the deal', async () => {
    const { crm, owner, otherOwner, deal, items, add } = await setUpDeal()
    const { id } = (await add(LINE)).data
    const other = await crm.deals.create(owner, { name: 'Tables' })
    const NO_ITEM = { code: 'not_found', message: 'Line item not found.' }
    const NO_DEAL = { code: 'not_found', message: 'Deal not found.' }
    expect(await catchRejection(items.update(owner, other.id, id, { quantity: 2 }))).toEqual(NO_ITEM)
    for (const each of [`${id}0`, 'x', '__proto__'])
      expect(await catchRejection(items.remove(owner, deal.id, each))).toEqual(NO_ITEM)
    for (const [actor, dealId] of [
      [otherOwner, deal.id],
      [owner, UNKNOWN_ID],
      [owner, 'x'],
    ] as const) {
      expect(await catchRejection(items.list(actor, dealId))).toEqual(NO_DEAL)
      expect(await catchRejection(items.create(actor, dealId, LINE))).toEqual(NO_DEAL)
      expect(await catchRejection(items.update(actor, dealId, id, { quantity: 2 }))).toEqual(NO_DEAL)
      expect(await catchRejection(items.remove(actor, dealId, id))).toEqual(NO_DEAL)
      expect(await catchRejection(items.replace(actor, dealId, { items: [] }))).toEqual(NO_DEAL)
    }
    await crm.deals.remove(owner, deal.id)
    expect(await catchRejection(items.list(owner, deal.id))).toEqual(NO_DEAL)
    expect(await catchRejection(items.create(owner, deal.id, LINE))).toEqual(NO_DEAL)
  })
})

describe('a replacement', () => {
  test('keeps the items with their ids, adds others and deletes the rest, in their order', async () => {
    const { owner, deal, items, add, names, clock } = await setUpDeal()
    const ids: string[] = []
    for (const name of ['a', 'b', 'c']) ids.push((await add({ ...LINE, name, code: name })).data.id)
    clock.advance(60)
    const { data } = await items.replace(owner, deal.id, {
      items: [
        { id: ids[2]!.toUpperCase() },
        { ...LINE, name: 'd' },
        { id: ids[0]!, quantity: 2, code: null },
      ],
    })
    expect(data).toMatchObject([
      { id: ids[2], name: 'c', code: 'c', position: 0 },
      { name: 'd', position: 1 },
      { id: ids[0], name: 'a', code: null, quantity: 2, position: 2 },
    ])
    expect(await names()).toEqual(['c', 'd', 'a'])
    expect((await items.replace(owner, deal.id, { items: [] })).data).toEqual([])
  })

  test('names every error, and changes nothing then', async () => {
    const { owner, deal, items, add, names } = await setUpDeal()
    const { id } = (await add(LINE)).data
    const replace = (entries: readonly object[]) =>
      catchFieldErrors(items.replace(owner, deal.id, { items: entries }))
    expect(
      await replace([{ id }, { id }, { id: UNKNOWN_ID }, {}, { ...LINE, product_id: UNKNOWN_ID }]),
    ).toEqual({
      'items[1].id': 'Must not be the same as another one.',
      'items[2].id': 'Line item not found.',
      'items[3].name': 'Required.',
      'items[3].unit_price_cts': 'Required.',
      'items[4].product_id': 'Product not found.',
    })
    expect(await replace([{ id, quantity: 0, position: 1 }])).toEqual({
      'items[0].position': 'Unknown field.',
      'items[0].quantity': expect.any(String),
    })
    expect(await replace(Array.from({ length: MAX_LINE_ITEMS + 1 }, () => LINE))).toEqual({
      items: 'Must have at most 500 items.',
    })
    expect(await names()).toEqual(['Chair'])
  })

  test('holds 500 items, and no more are added', async () => {
    const { owner, deal, items, errorsOf, names } = await setUpDeal()
    await items.replace(owner, deal.id, { items: Array.from({ length: MAX_LINE_ITEMS }, () => LINE) })
    expect(await errorsOf(LINE)).toEqual({
      items: 'The deal has 500 items, which is as many as it can have.',
    })
    expect(await names()).toHaveLength(MAX_LINE_ITEMS)
  })
})

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
