import { expect, test } from 'vitest'
import { dataOf, rowsOf } from '../support/record-kind-cases.ts'
import { describeEachStore } from '../support/stores.ts'
import { errorOf, openService, openWorkspace } from '../support/test-service.ts'

const LOSS = { name: 'Chairs', lost_note: 'Back in June.\nMaybe.' }

describeEachStore('a lost deal', (open) => {
  async function setUp() {
    const service = await openService(await open())
    const acme = await openWorkspace(service, 'Acme')
    const { id: pipeline } = await acme.createRecord('/v1/pipelines', {
      name: 'Sales',
      stages: [{ name: 'New' }, { name: 'Lost', type: 'lost', required_fields: ['lost_reason'] }],
    })
    const settings = dataOf(await acme.call('GET', `/v1/pipelines/${pipeline}?include=settings`))
    const [fresh, lost] = (settings['stages'] as readonly { id: string }[]).map(({ id }) => id)
    const { id: price } = await acme.createRecord('/v1/lost-reasons', { name: 'Price' })
    return { service, acme, settings, fresh: fresh!, lost: lost!, price }
  }

  test('keeps its reason, also a deleted one, in lists, filters, exports and events', async () => {
    const { service, acme, settings, lost, price, fresh } = await setUp()
    expect(settings['stages']).toMatchObject([
      { required_fields: [], stale_after_days: null },
      { required_fields: ['lost_reason'], stale_after_days: null },
    ])
    const refused = await acme.call('POST', '/v1/deals', { ...LOSS, stage_id: lost })
    expect([refused.status, errorOf(refused)['fields']]).toEqual([
      422,
      { lost_reason_id: 'Required in this stage.' },
    ])
    const { id } = await acme.createRecord('/v1/deals', { ...LOSS, stage_id: lost, lost_reason_id: price })
    await acme.createRecord('/v1/deals', { name: 'Open' })
    expect((await acme.call('DELETE', `/v1/lost-reasons/${price}`)).status).toBe(204)
    const shown = { lost_reason: { id: price, name: 'Price' }, lost_note: LOSS.lost_note }
    expect(dataOf(await acme.call('GET', `/v1/deals/${id}?include=lost_reason`))).toMatchObject(shown)
    const filter = encodeURIComponent(JSON.stringify({ field: 'lost_reason', op: 'is', value: price }))
    const rows = rowsOf(await acme.call('GET', `/v1/deals?filter=${filter}&include=lost_reason,lost_note`))
    expect(rows).toEqual([expect.objectContaining({ id, ...shown })])
    const byName = encodeURIComponent(
      JSON.stringify({ field: 'lost_reason.name', op: 'contains', value: 'PRI' }),
    )
    expect(rowsOf(await acme.call('GET', `/v1/deals?filter=${byName}`))).toHaveLength(1)
    const empty = encodeURIComponent(JSON.stringify({ field: 'lost_reason', op: 'is_empty' }))
    expect(rowsOf(await acme.call('GET', `/v1/deals?filter=${empty}`))).toMatchObject([{ name: 'Open' }])
    const { text } = await acme.call('GET', '/v1/deals/export')
    expect(text.split('\r\n')[0]).toContain(',lost_reason,lost_reason_id,lost_note')
    expect(text).toContain(`,Price,${price},"Back in June.\nMaybe."`)
    const rival = await openWorkspace(service, 'Rival')
    expect((await rival.call('GET', `/v1/lost-reasons/${price}`)).status).toBe(404)
    const reopened = await acme.call('PATCH', `/v1/deals/${id}`, { stage_id: fresh })
    expect(dataOf(reopened)).toMatchObject({ lost_reason: null, lost_note: null })
  })

  test('has one of reasons that are created, named and deleted at the same time', async () => {
    const { acme, price } = await setUp()
    const names = Array.from({ length: 6 }, (_, index) => `Reason ${index}`)
    await Promise.all(names.map((name) => acme.createRecord('/v1/lost-reasons', { name, position: 0 })))
    const taken = await Promise.all(
      Array.from({ length: 6 }, () => acme.call('POST', '/v1/lost-reasons', { name: 'Same' })),
    )
    expect(taken.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409, 409])
    const deleted = await Promise.all(
      Array.from({ length: 4 }, () => acme.call('DELETE', `/v1/lost-reasons/${price}`)),
    )
    expect(deleted.map(({ status }) => status).toSorted()).toEqual([204, 404, 404, 404])
    const rows = rowsOf(await acme.call('GET', '/v1/lost-reasons?order_by=position&order=asc'))
    expect(rows.map(({ position }) => position)).toEqual([0, 1, 2, 3, 4, 5, 6])
  })
})

describeEachStore('the report of lost reasons', (open) => {
  test('has exact numbers of each reason, split and filtered, and of what the caller sees', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service, 'Acme')
    const rival = await openWorkspace(service, 'Rival')
    for (const each of [acme, rival])
      await each.createRecord('/v1/pipelines', {
        name: 'Sales',
        stages: [
          { name: 'New' },
          { name: 'Demo' },
          { name: 'Lost', type: 'lost' },
          { name: 'Gone', type: 'lost' },
        ],
      })
    const [pipeline] = rowsOf(await acme.call('GET', '/v1/pipelines'))
    const [fresh, demo, lost, gone] = (pipeline!['stages'] as readonly { id: string }[]).map(({ id }) => id)
    const price = (await acme.createRecord('/v1/lost-reasons', { name: 'Price' })).id
    const timing = (await acme.createRecord('/v1/lost-reasons', { name: 'Timing' })).id
    const lose = async (fields: object, stage_id: string | undefined, lost_reason_id: string | null) => {
      const { id } = await acme.createRecord('/v1/deals', { name: 'Deal', stage_id: fresh, ...fields })
      if (stage_id !== fresh) await acme.call('PATCH', `/v1/deals/${id}`, { stage_id })
      expect((await acme.call('PATCH', `/v1/deals/${id}`, { stage_id: lost, lost_reason_id })).status).toBe(
        200,
      )
      return id
    }
    const owner = { owner_email: acme.owner.email }
    await lose({ amount: 100, currency: 'BRL', ...owner }, demo, price)
    await lose({ amount: 9_007_199_254_740, currency: 'BRL' }, fresh, price)
    const moved = await lose({ amount: 7, currency: 'USD' }, demo, price)
    await acme.call('PATCH', `/v1/deals/${moved}`, { stage_id: gone })
    await lose({ amount: 5, currency: 'BRL' }, fresh, timing)
    await acme.createRecord('/v1/deals', { name: 'Created as lost', currency: 'BRL', stage_id: lost })
    await acme.createRecord('/v1/deals', { name: 'Open', stage_id: demo, amount: 3 })
    await rival.createRecord('/v1/deals', { name: 'Theirs' })
    await acme.call('DELETE', `/v1/lost-reasons/${price}`)
    const report = async (query = '') => dataOf(await acme.call('GET', `/v1/reports/lost-reasons${query}`))
    const BRL = (amount: number) => ({ currency: 'BRL', amount })
    const USD = { currency: 'USD', amount: 7 }

    expect(await report()).toEqual({
      ...{ pipeline: null, owner: null, team: null, from: null, to: null, group_by: null, more: false },
      reasons: [
        {
          ...{ reason: { id: price, name: 'Price' }, count: 3, groups: [] },
          amounts: [BRL(9_007_199_254_840), USD],
        },
        expect.objectContaining({ count: 1 }),
        expect.objectContaining({ count: 1 }),
      ],
    })
    const byStage = (await report('?group_by=stage'))['reasons'] as readonly {
      readonly reason: { readonly name: string } | null
      readonly groups: readonly object[]
    }[]
    expect(Object.fromEntries(byStage.map(({ reason, groups }) => [reason?.name ?? null, groups]))).toEqual({
      Price: [
        { key: demo, name: 'Demo', count: 2, amounts: [BRL(100), USD] },
        { key: fresh, name: 'New', count: 1, amounts: [BRL(9_007_199_254_740)] },
      ],
      Timing: [{ key: fresh, name: 'New', count: 1, amounts: [BRL(5)] }],
      null: [{ key: null, name: null, count: 1, amounts: [BRL(0)] }],
    })
    expect((await report('?group_by=month'))['reasons']).toMatchObject([
      { groups: [{ name: null, key: expect.stringMatching(/^\d{4}-\d\d$/), count: 3 }] },
      {},
      {},
    ])
    expect((await report('?group_by=owner'))['reasons']).toMatchObject([
      {
        groups: [
          { key: null, name: null, count: 2 },
          { key: acme.owner.id, name: acme.owner.email, count: 1, amounts: [BRL(100)] },
        ],
      },
      {},
      {},
    ])
    expect((await report(`?owner_email=${acme.owner.email}`))['reasons']).toMatchObject([
      { count: 1, amounts: [BRL(100)] },
    ])
    expect((await report('?to=2020-01-01T00:00:00Z'))['reasons']).toEqual([])
    const view = await acme.createRecord('/v1/views', {
      ...{ kind: 'deals', name: 'Dollars', filter: { field: 'currency', op: 'is', value: 'USD' } },
    })
    expect((await report(`?view=${view.id}`))['reasons']).toMatchObject([{ count: 1, amounts: [USD] }])
    expect(dataOf(await rival.call('GET', '/v1/reports/lost-reasons'))['reasons']).toEqual([])
    for (const [query, status, fields] of [
      ['?group_by=person', 422, { group_by: 'Must be one of: stage, owner, month.' }],
      ['?from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z', 422, { to: 'Must not be before from.' }],
      [`?pipeline_id=${price}`, 422, { pipeline_id: 'Pipeline not found.' }],
    ] as const) {
      const refused = await acme.call('GET', `/v1/reports/lost-reasons${query}`)
      expect([refused.status, errorOf(refused)['fields']]).toEqual([status, fields])
    }
  })
})
