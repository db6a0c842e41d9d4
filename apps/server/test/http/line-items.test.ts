import { expect, test } from 'vitest'
import { dataOf } from '../support/record-kind-cases.ts'
import { describeEachStore } from '../support/stores.ts'
import { errorOf, openService, openWorkspace } from '../support/test-service.ts'

type Open = Parameters<Parameters<typeof describeEachStore>[1]>[0]

const LINE = { name: 'Chair', unit_price_cts: 250 }

async function openDeal(open: Open) {
  const service = await openService(await open())
  const acme = await openWorkspace(service)
  await acme.createRecord('/v1/pipelines', { name: 'Sales', stages: [{ name: 'New' }] })
  const deal = await acme.createRecord('/v1/deals', { name: 'Roof', amount_source: 'items' })
  const path = `/v1/deals/${deal.id}/items`
  const totals = (response: { readonly json: unknown }) =>
    (response.json as { meta: { totals: { first_year: { net_cts: number } } } }).meta.totals
  return { service, acme, deal, path, totals }
}

describeEachStore('line items', (open) => {
  test('are added, changed, replaced and deleted, and the amount follows them', async () => {
    const { acme, deal, path, totals } = await openDeal(open)
    const product = await acme.createRecord('/v1/products', {
      ...{ name: 'Plan', currency: 'USD', price_cts: 1000, code: 'P', billing_cycle: 'monthly' },
    })
    const amount = async () => dataOf(await acme.call('GET', `/v1/deals/${deal.id}`))['amount']
    const added = await acme.call('POST', path, { product_id: product.id, quantity: 1.5, tax_rate: 7.25 })
    expect([added.status, dataOf(added)]).toMatchObject([
      201,
      { name: 'Plan', code: 'P', quantity: 1.5, tax_rate: 7.25, total_cts: 1500, tax_cts: 109, position: 0 },
    ])
    expect(await amount()).toBe(18_000)
    const itemPath = `${path}/${dataOf(added)['id']}`
    const changed = await acme.call('PATCH', itemPath, { discount: { percent: 33.33 }, description: 'a\nb' })
    expect([changed.status, dataOf(changed)]).toMatchObject([200, { total_cts: 1000, description: 'a\nb' }])
    expect(await amount()).toBe(12_000)
    const items = [LINE, { id: dataOf(added)['id'] }, { ...LINE, discount: { amount_cts: 50 } }]
    const replaced = await acme.call('PUT', path, { items })
    expect(replaced.status).toBe(200)
    expect(replaced.json).toMatchObject({ data: [{ total_cts: 250 }, { code: 'P' }, { total_cts: 200 }] })
    expect(totals(replaced).first_year.net_cts).toBe(12_450)
    const listed = await acme.call('GET', path)
    expect(listed.json).toEqual(replaced.json)
    const removed = await acme.call('DELETE', itemPath)
    expect([removed.status, totals(removed).first_year.net_cts, await amount()]).toEqual([200, 450, 450])
    expect((await acme.call('DELETE', itemPath)).status).toBe(404)
    const currency = await acme.call('PATCH', `/v1/deals/${deal.id}`, { currency: 'JPY' })
    expect(errorOf(currency)).toMatchObject({
      fields: { currency: 'Must stay the same while the deal has items.' },
    })
  })

  test('of twenty sellers at once are all added, and the amount has them all', async () => {
    const { acme, deal, path, totals } = await openDeal(open)
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const position = index % 2 === 0 ? { position: 0 } : {}
        return (await acme.call('POST', path, { ...LINE, name: `Chair ${index}`, ...position })).status
      }),
    )
    expect(new Set(statuses)).toEqual(new Set([201]))
    const list = await acme.call('GET', path)
    const rows = (list.json as { data: { name: string; position: number }[] }).data
    expect(rows.map(({ position }) => position)).toEqual(rows.map((_, index) => index))
    expect(new Set(rows.map(({ name }) => name)).size).toBe(20)
    expect(totals(list).first_year.net_cts).toBe(5000)
    expect(dataOf(await acme.call('GET', `/v1/deals/${deal.id}`))).toMatchObject({ amount: 5000 })
  })

  test('that race with the source of the amount leave the amount that they come to', async () => {
    const { acme, deal, path, totals } = await openDeal(open)
    await acme.call('PATCH', `/v1/deals/${deal.id}`, { amount: 7 })
    const statuses = await Promise.all(
      Array.from({ length: 10 }, async (_, index) => {
        if (index % 2 === 0) return (await acme.call('POST', path, LINE)).status
        return (await acme.call('PATCH', `/v1/deals/${deal.id}`, { amount_source: 'items' })).status
      }),
    )
    expect(new Set(statuses)).toEqual(new Set([201, 200]))
    const { first_year } = totals(await acme.call('GET', path))
    const read = dataOf(await acme.call('GET', `/v1/deals/${deal.id}`))
    expect([first_year.net_cts, read['amount'], read['amount_source']]).toEqual([1250, 1250, 'items'])
  })

  test('are those of a deal that the caller sees and may change', async () => {
    const { service, acme, deal, path } = await openDeal(open)
    const id = dataOf(await acme.call('POST', path, LINE))['id']
    const [ann, ben] = [await acme.addMember('ann', 'member'), await acme.addMember('ben', 'member')]
    await acme.call('PATCH', `/v1/deals/${deal.id}`, { owner_user_id: ann.id })
    const other = await openWorkspace(service)
    const callAll = async (call: typeof acme.call, token?: string) => {
      const options = token === undefined ? {} : { token }
      const responses = [
        await call('GET', path, undefined, options),
        await call('POST', path, LINE, options),
        await call('PUT', path, { items: [] }, options),
        await call('PATCH', `${path}/${id}`, { quantity: 9 }, options),
        await call('DELETE', `${path}/${id}`, undefined, options),
      ]
      return responses.map(({ status }) => status)
    }
    expect(await callAll(other.call)).toEqual([404, 404, 404, 404, 404])
    expect(await callAll(acme.call, ben.token)).toEqual([200, 403, 403, 403, 403])
    await acme.call('PATCH', '/v1/workspace', { visibility: { deals: 'owner' } })
    expect(await callAll(acme.call, ben.token)).toEqual([404, 404, 404, 404, 404])
    const list = await acme.call('GET', path, undefined, { token: ann.token })
    expect(list.json).toMatchObject({ data: [{ id, quantity: 1 }] })
    await acme.call('DELETE', `/v1/deals/${deal.id}`)
    expect(await callAll(acme.call)).toEqual([404, 404, 404, 404, 404])
  })

  test('are refused with the fields that break a rule', async () => {
    const { acme, path } = await openDeal(open)
    const fieldsOf = async (method: string, at: string, body: object) => {
      const response = await acme.call(method, at, body)
      return [response.status, errorOf(response)['fields']]
    }
    expect(await fieldsOf('POST', path, { name: 'a\ud800', quantity: 0.0001, items: [] })).toEqual([
      422,
      {
        name: expect.any(String),
        quantity: 'Must be a number between 0.001 and 1000000 with at most 3 decimal places.',
        items: 'Unknown field.',
      },
    ])
    expect(await fieldsOf('POST', path, {})).toEqual([
      422,
      { name: 'Required.', unit_price_cts: 'Required.' },
    ])
    expect(await fieldsOf('PUT', path, { items: Array.from({ length: 501 }, () => LINE) })).toEqual([
      422,
      { items: 'Must have at most 500 items.' },
    ])
    expect(await fieldsOf('PUT', `${path}?x=1`, { items: [] })).toMatchObject([
      422,
      { x: expect.any(String) },
    ])
    const id = dataOf(await acme.call('POST', path, LINE))['id']
    expect((await acme.call('PATCH', `${path}/${id}`, {})).status).toBe(400)
    expect((await acme.call('PATCH', `${path}/x`, { quantity: 2 })).status).toBe(404)
  })

  test('with a key are written once', async () => {
    const { acme, path } = await openDeal(open)
    const once = { headers: { 'Idempotency-Key': 'k' } }
    const [first, again] = [
      await acme.call('POST', path, LINE, once),
      await acme.call('POST', path, LINE, once),
    ]
    expect([again.status, again.text]).toEqual([201, first.text])
    expect(again.headers.get('Idempotent-Replayed')).toBe('true')
    expect((await acme.call('POST', path, { name: 'Other', unit_price_cts: 1 }, once)).status).toBe(422)
    const itemPath = `${path}/${dataOf(first)['id']}`
    const double = () => acme.call('PATCH', itemPath, { quantity: 2 }, once)
    const changed = await double()
    await acme.call('PATCH', itemPath, { quantity: 3 })
    expect((await double()).text).toBe(changed.text)
    expect(dataOf(await acme.call('PATCH', itemPath, { position: 0 }))['quantity']).toBe(3)
    expect((await acme.call('PATCH', itemPath, { quantity: 4 }, once)).status).toBe(422)
  })
})
