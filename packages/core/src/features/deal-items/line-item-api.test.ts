import { describe, expect, test } from 'vitest'
import { LINE, setUpDeal } from '../../../test/deal-with-items.ts'
import { catchFieldErrors, catchRejection, UNKNOWN_ID } from '../../../test/harness.ts'
import { MAX_LINE_ITEMS } from '../../schema/line-item-limits.ts'

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
