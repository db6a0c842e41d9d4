import { describe, expect, test } from 'vitest'
import { catchFieldErrors, catchRejection, createTestCrm, NOON } from '../../../test/harness.ts'
import { createEngine } from '../../crm.ts'
import { recordApi } from '../../engine/crud.ts'
import { productEvents, products } from './product.ts'

const CODE_CONFLICT = {
  code: 'conflict',
  message: 'A record with this value already exists.',
  fields: { code: 'A record with this value already exists.' },
}

async function createProductTest() {
  const base = await createTestCrm()
  return { ...base, products: recordApi(products, createEngine(base.ports)) }
}

test('creates a product from a name and a currency, with defaults', async () => {
  const { products, owner } = await createProductTest()
  const plan = await products.create(owner, { name: ' Plan ', currency: 'BRL' })
  expect(plan).toEqual({
    id: plan.id,
    name: 'Plan',
    currency: 'BRL',
    price_cts: 0,
    description: null,
    code: null,
    is_active: true,
    billing_cycle: 'one_time',
    image_url: null,
    external_ids: [],
    created_at: NOON,
  })
  expect(await products.get(owner, plan.id)).toEqual(plan)
  expect(await products.list(owner, { include: 'external_ids' })).toEqual({
    data: [plan],
    meta: { total: 1, page: 1, per_page: 50, has_more: false },
  })
})

test('null equals an omitted field in a creation', async () => {
  const { products, owner } = await createProductTest()
  const optional = {
    price_cts: null,
    description: null,
    code: null,
    is_active: null,
    billing_cycle: null,
    image: null,
  }
  const { id, ...made } = await products.create(owner, { name: 'Plan', currency: 'BRL', ...optional })
  const { id: _, ...plain } = await products.create(owner, { name: 'Plan', currency: 'BRL' })
  expect(made).toEqual(plain)
})

test('stores the given fields', async () => {
  const { products, owner } = await createProductTest()
  const given = {
    name: 'Plan',
    currency: 'JPY',
    price_cts: 1e15,
    description: ' For teams.\nUp to ten. ',
    code: 'SKU 1',
    is_active: false,
    billing_cycle: 'annually',
  } as const
  expect(await products.create(owner, given)).toMatchObject(given)
})

test('stores a blank description or code as null', async () => {
  const { products, owner } = await createProductTest()
  const plan = await products.create(owner, { name: 'Plan', currency: 'BRL', description: ' \n', code: ' ' })
  expect(plan).toMatchObject({ description: null, code: null })
  await products.create(owner, { name: 'Another', currency: 'BRL', code: '' })
  await products.update(owner, plan.id, { description: 'For teams.', code: 'A' })
  expect(await products.update(owner, plan.id, { description: '', code: '' })).toEqual(plan)
})

test('reports all invalid fields at once', async () => {
  const { products, owner } = await createProductTest()
  const wrong = {
    name: 'x'.repeat(81),
    currency: 'brl',
    price_cts: -1,
    description: 'x'.repeat(1001),
    code: 'x'.repeat(61),
    is_active: 'true',
    billing_cycle: 'weekly',
    image_url: 'https://a.example/x.png',
  }
  const faults = {
    name: 'Must be between 1 and 80 characters.',
    currency: expect.stringMatching(/^Must be one of: AED, ARS, .*, ZAR\.$/),
    price_cts: 'Must be an integer between 0 and 1000000000000000.',
    description: 'Must be at most 1000 characters.',
    code: 'Must be at most 60 characters.',
    is_active: 'Must be true or false.',
    billing_cycle: 'Must be one of: one_time, monthly, quarterly, annually.',
    image_url: 'Unknown field.',
  }
  const { id } = await products.create(owner, { name: 'Plan', currency: 'BRL' })
  expect(await catchFieldErrors(products.create(owner, wrong as never))).toEqual(faults)
  expect(await catchFieldErrors(products.update(owner, id, wrong as never))).toEqual(faults)
  expect(await catchFieldErrors(products.create(owner, {} as never))).toEqual({
    name: 'Required.',
    currency: 'Required.',
  })
})

test.each([-1, 1.5, 1e15 + 1, Number('1e400'), Number.NaN, '100', true, [1]])(
  'rejects %s as a price',
  async (price_cts) => {
    const { products, owner } = await createProductTest()
    expect(
      await catchFieldErrors(products.create(owner, { name: 'Plan', currency: 'BRL', price_cts } as never)),
    ).toEqual({
      price_cts: 'Must be an integer between 0 and 1000000000000000.',
    })
  },
)

describe('an update', () => {
  test('changes only the fields sent', async () => {
    const { products, owner, storage, clock } = await createProductTest()
    const plan = await products.create(owner, {
      name: 'Plan',
      currency: 'BRL',
      price_cts: 100,
      description: 'A',
      code: 'A',
    })
    clock.advance(60)
    expect(await products.update(owner, plan.id, { name: 'Big plan' })).toEqual({ ...plan, name: 'Big plan' })
    const kept = await storage.read((tx) => tx.workspace(owner.workspaceId).products.get(plan.id))
    expect(kept).toMatchObject({ created_at: NOON, updated_at: '2026-03-01T12:01:00.000Z' })
  })

  test('clears fields by null, or resets them to the default', async () => {
    const { products, owner } = await createProductTest()
    const plan = await products.create(owner, { name: 'Plan', currency: 'BRL' })
    const full = {
      price_cts: 5,
      description: 'A',
      code: 'A',
      is_active: false,
      billing_cycle: 'monthly',
    } as const
    expect(await products.update(owner, plan.id, full)).toEqual({ ...plan, ...full })
    const emptied = await products.update(owner, plan.id, { price_cts: null, description: null, code: null })
    expect(emptied).toEqual({ ...plan, is_active: false, billing_cycle: 'monthly' })
    const fixed = { name: null, currency: null, is_active: null, billing_cycle: null }
    expect(await catchFieldErrors(products.update(owner, plan.id, fixed as never))).toEqual({
      name: 'Must not be null.',
      currency: 'Must not be null.',
      is_active: 'Must not be null.',
      billing_cycle: 'Must not be null.',
    })
  })

  test('with the current values keeps updated_at', async () => {
    const { products, owner, storage, clock } = await createProductTest()
    const plan = await products.create(owner, { name: 'Plan', currency: 'BRL' })
    const kept = () => storage.read((tx) => tx.workspace(owner.workspaceId).products.get(plan.id))
    const before = await kept()
    clock.advance(60)
    await products.update(owner, plan.id, { name: 'Plan', price_cts: 0, code: undefined, image: null })
    expect(await kept()).toEqual(before)
  })

  test('without fields is rejected', async () => {
    const { products, owner } = await createProductTest()
    const { id } = await products.create(owner, { name: 'Plan', currency: 'BRL' })
    for (const input of [{}, null, JSON.parse('{"__proto__":{"image":"x","name":"Mine"}}')]) {
      expect(await catchRejection(products.update(owner, id, input))).toMatchObject({
        code: 'bad_request',
        message: 'No fields provided for update.',
      })
    }
  })
})

describe('the code', () => {
  test('is unique, and case-sensitive', async () => {
    const { products, owner } = await createProductTest()
    const first = await products.create(owner, { name: 'A', currency: 'BRL', code: 'sku' })
    const second = await products.create(owner, { name: 'B', currency: 'BRL', code: 'SKU' })
    expect(
      await catchRejection(products.create(owner, { name: 'C', currency: 'BRL', code: ' sku ' })),
    ).toEqual(CODE_CONFLICT)
    expect(await catchRejection(products.update(owner, second.id, { code: 'sku' }))).toEqual(CODE_CONFLICT)
    expect(await products.update(owner, first.id, { code: 'sku' })).toEqual(first)
  })

  test('is free in another workspace, and again after the deletion of its product', async () => {
    const { products, owner, otherOwner } = await createProductTest()
    const first = await products.create(owner, { name: 'A', currency: 'BRL', code: 'sku' })
    await products.create(otherOwner, { name: 'A', currency: 'BRL', code: 'sku' })
    await products.remove(owner, first.id)
    expect(await products.create(owner, { name: 'B', currency: 'BRL', code: 'sku' })).toMatchObject({
      code: 'sku',
    })
  })

  test('is given to one of twenty concurrent creations', async () => {
    const { products, owner } = await createProductTest()
    const input = { name: 'A', currency: 'BRL', code: 'sku' } as const
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => products.create(owner, input)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    for (const reason of refused) expect(await catchRejection(Promise.reject(reason))).toEqual(CODE_CONFLICT)
    expect((await products.list(owner)).meta.total).toBe(1)
  })
})

describe('a list', () => {
  test('is searched by the prefixes of words in the name and the code', async () => {
    const { products, owner } = await createProductTest()
    const coffee = await products.create(owner, { name: 'Café expresso', currency: 'BRL', code: 'BEV-01' })
    const tea = await products.create(owner, {
      name: 'Tea',
      currency: 'BRL',
      code: 'BEV-02',
      description: 'Not coffee.',
    })
    const found = async (search: string) =>
      new Set((await products.list(owner, { search })).data.map(({ id }) => id))
    expect(await found('cafe')).toEqual(new Set([coffee.id]))
    expect(await found('EXP caf')).toEqual(new Set([coffee.id]))
    expect(await found('bev')).toEqual(new Set([coffee.id, tea.id]))
    expect(await found('bev-02')).toEqual(new Set([tea.id]))
    expect(await found('coffee')).toEqual(new Set())
    expect(await found('presso')).toEqual(new Set())
    await products.update(owner, tea.id, { name: 'Mate', code: null })
    expect(await found('bev')).toEqual(new Set([coffee.id]))
    expect(await found('tea')).toEqual(new Set())
    expect(await found('mate')).toEqual(new Set([tea.id]))
  })

  test('filters by active', async () => {
    const { products, owner } = await createProductTest()
    const on = await products.create(owner, { name: 'On', currency: 'BRL' })
    const off = await products.create(owner, { name: 'Off', currency: 'BRL', is_active: false })
    expect((await products.list(owner, { is_active: true })).data).toMatchObject([{ id: on.id }])
    expect((await products.list(owner, { is_active: 'false' as never })).data).toMatchObject([{ id: off.id }])
    expect(await catchFieldErrors(products.list(owner, { is_active: 'yes', search: ' ' } as never))).toEqual({
      is_active: 'Must be true or false.',
      search: 'Required.',
    })
  })

  test('is ordered by time or by name', async () => {
    const { products, owner, clock } = await createProductTest()
    for (const name of ['B', 'A', 'C']) {
      await products.create(owner, { name, currency: 'BRL' })
      clock.advance(1)
    }
    const names = async (query: Parameters<typeof products.list>[1]) =>
      (await products.list(owner, query)).data.map(({ name }) => name)
    expect(await names({})).toEqual(['C', 'A', 'B'])
    expect(await names({ order_by: 'name', order: 'asc' })).toEqual(['A', 'B', 'C'])
    expect(await catchFieldErrors(products.list(owner, { order_by: 'updated_at' } as never))).toEqual({
      order_by: 'Must be one of: created_at, name, currency, price_cts, description, code, billing_cycle.',
    })
  })
})

test('emits an event for each change of a product', () => {
  expect([productEvents(undefined, {}), productEvents({}, {}), productEvents({}, undefined)]).toEqual([
    ['product.created'],
    ['product.updated'],
    ['product.deleted'],
  ])
})
