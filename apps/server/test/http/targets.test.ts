import { expect, test } from 'vitest'
import { dataOf, rowsOf } from '../support/record-kind-cases.ts'
import { describeEachStore } from '../support/stores.ts'
import { errorOf, openService, openWorkspace } from '../support/test-service.ts'

const TARGET = { month: '2026-11', currency: 'BRL', amount: 1000 }

describeEachStore('targets', (open) => {
  test('are one for each month, owner and currency, also of twenty at once', async () => {
    const service = await openService(await open())
    const [acme, rival] = [await openWorkspace(service), await openWorkspace(service, 'Rival')]
    const ann = await acme.addMember('ann', 'member')
    const target = { ...TARGET, owner_id: ann.id }
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => acme.call('POST', '/v1/targets', target)),
    )
    const created = responses.filter(({ status }) => status === 201)
    expect([created.length, responses.filter(({ status }) => status === 409).length]).toEqual([1, 19])
    const refused = responses.find(({ status }) => status === 409)!
    expect(errorOf(refused)['fields']).toEqual({
      month: 'The member has a target for this month in this currency.',
    })
    expect(refused.headers.get('X-Existing-Id')).toBe(dataOf(created[0]!)['id'])
    const path = `/v1/targets/${dataOf(created[0]!)['id']}`
    for (const [method, body] of [['GET'], ['PATCH', { amount: 1 }], ['DELETE']] as const)
      expect((await rival.call(method, path, body)).status).toBe(404)
    expect(errorOf(await rival.call('POST', '/v1/targets', target))['fields']).toEqual({
      owner_id: 'Member not found.',
    })
    expect((await acme.call('POST', '/v1/targets', target, { token: ann.token })).status).toBe(403)
    expect((await acme.call('PATCH', path, { amount: 1 }, { token: ann.token })).status).toBe(403)
    expect((await acme.call('DELETE', path, undefined, { token: ann.token })).status).toBe(403)
    expect((await acme.call('POST', '/v1/targets', {})).status).toBe(422)
    const before = dataOf(await acme.call('GET', '/v1/workspace'))['storage']
    expect((await acme.call('DELETE', path)).status).toBe(204)
    const records = (before as { records: number }).records - 1
    expect(dataOf(await acme.call('GET', '/v1/workspace'))['storage']).toMatchObject({ records })
    expect((await acme.call('POST', '/v1/targets', target)).status).toBe(201)
  })

  test('are listed by months, and a removed member keeps those that it has', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const ann = await acme.addMember('ann', 'member')
    for (const month of ['2025-12', '2026-01', '2026-11', '2026-12'])
      await acme.createRecord('/v1/targets', { ...TARGET, month, owner_id: ann.id })
    await acme.call('DELETE', `/v1/members/${ann.id}`)
    const list = async (query: string) =>
      rowsOf(await acme.call('GET', `/v1/targets?order_by=month&order=asc${query}`))
    expect((await list('&from=2026-01&to=2026-11')).map(({ month, owner }) => [month, owner])).toEqual([
      ['2026-01', null],
      ['2026-11', null],
    ])
    expect(await list(`&owner_id=${ann.id}&per_page=1&page=4`)).toMatchObject([{ month: '2026-12' }])
    expect(await list('&currency=EUR')).toEqual([])
    expect((await acme.call('GET', '/v1/targets?month=2026')).status).toBe(422)
    const refused = await acme.call('POST', '/v1/targets', { ...TARGET, month: '2027-01', owner_id: ann.id })
    expect(errorOf(refused)['fields']).toEqual({ owner_id: 'Member not found.' })
  })
})

describeEachStore('the report on targets', (open) => {
  test('has the numbers of the aggregates of its owners', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    await acme.call('PATCH', '/v1/workspace', { time_zone: 'America/Sao_Paulo' })
    const [ann, ben, gone] = [
      await acme.addMember('ann', 'member'),
      await acme.addMember('ben', 'member'),
      await acme.addMember('gone', 'member'),
    ]
    const stages = [
      { name: 'New', probability: 15 },
      { name: 'Demo', probability: 33 },
    ]
    const [sales, other] = [
      await acme.createRecord('/v1/pipelines', {
        name: 'Sales',
        stages: [...stages, { name: 'Won', type: 'win' }, { name: 'Lost', type: 'lost' }],
      }),
      await acme.createRecord('/v1/pipelines', { name: 'Other', stages: [{ name: 'New' }] }),
    ]
    const { data } = (await acme.call('GET', `/v1/pipelines/${sales.id}`)).json as {
      data: { stages: readonly { id: string; probability: number; type: string }[] }
    }
    const [fresh, demo, won, lost] = data.stages.map(({ id }) => id)
    const create = (fields: object) =>
      acme.createRecord('/v1/deals', { name: 'Deal', currency: 'BRL', stage_id: fresh, ...fields })
    const at = dataOf(await acme.call('GET', `/v1/deals/${(await create({})).id}`))['created_at'] as string
    const now = new Date(Date.parse(at) - 3 * 3_600_000).toISOString().slice(0, 7)
    const forecast_date = '2020-01-01T00:00:00Z'
    await create({ stage_id: won, amount: 700, owner_user_id: ann.id })
    await create({ stage_id: won, amount: 2 ** 40, owner_user_id: ann.id })
    await create({ stage_id: won, amount: 5, currency: 'USD', owner_user_id: ann.id })
    await create({ stage_id: won, amount: 40, owner_user_id: gone.id })
    await create({ stage_id: lost, amount: 900, owner_user_id: ann.id })
    await create({ amount: 101, forecast_date, owner_user_id: ann.id })
    await create({ amount: 3, forecast_date, stage_id: demo, owner_user_id: ann.id })
    await create({ amount: 10, forecast_date, owner_user_id: ben.id })
    await create({ amount: 9, forecast_date, pipeline_id: other.id, stage_id: undefined })
    await create({ amount: 5000, owner_user_id: ben.id })
    await create({ amount: 5000, forecast_date: '2999-01-01T00:00:00Z', owner_user_id: ben.id })
    await acme.call('DELETE', `/v1/deals/${(await create({ stage_id: won, amount: 1 })).id}`)
    for (const [owner_id, amount, currency] of [
      [ann.id, 1000, 'BRL'],
      [gone.id, 50, 'BRL'],
      [ben.id, 30, 'USD'],
    ] as const)
      await acme.createRecord('/v1/targets', { month: now, owner_id, amount, currency })
    await acme.call('DELETE', `/v1/members/${gone.id}`)

    const report = async (query: string, token = acme.token) =>
      dataOf(await acme.call('GET', `/v1/reports/targets?month=${now}&${query}`, undefined, { token }))
    const rowOf = (owner: typeof ann | null, numbers: object) => ({
      owner: owner && expect.objectContaining({ id: owner.id }),
      ...numbers,
    })
    // 101 × 15% and 3 × 33%, each rounded half up; 10 × 15%.
    const ofAnn = { target: 1000, won: 700 + 2 ** 40, forecast: 15 + 1, difference: 2 ** 40 - 284 }
    const ofBen = { target: null, won: 0, forecast: 2, difference: null }
    const all = await report('currency=BRL')
    expect(all).toEqual({
      ...{ month: now, currency: 'BRL', pipeline: null, owner: null },
      rows: [
        rowOf(ann, ofAnn),
        // The won deal of the removed member, and 9 × 50%.
        rowOf(null, { target: 50, won: 40, forecast: 5, difference: -5 }),
        rowOf(ben, ofBen),
      ],
      total: expect.objectContaining({ target: 1050, won: 740 + 2 ** 40 }),
    })

    // The same from the aggregates of deals.
    const start = `${now}-01T03:00:00Z`
    const [year, number] = now.split('-').map(Number) as [number, number]
    const end = new Date(Date.UTC(year, number, 1, 3) - 1).toISOString()
    const aggregate = async (query: string) =>
      (
        dataOf(await acme.call('GET', `/v1/reports/aggregate?entity=deals&metric=sum&field=amount&${query}`))[
          'groups'
        ] as readonly { key: string | null; currency: string; value: number }[]
      ).filter(({ currency }) => currency === 'BRL')
    const wonByOwner = await aggregate(`group_by=owner&status=win&closed_after=${start}&closed_before=${end}`)
    const rows = all['rows'] as readonly {
      owner: { id: string; email: string } | null
      won: number
      forecast: number
    }[]
    expect(rows.map(({ owner, won }) => [owner?.id ?? null, won]).filter(([, won]) => won !== 0)).toEqual(
      wonByOwner.map(({ key, value }) => [key, value]),
    )
    const weights = new Map(data.stages.map(({ id, probability }) => [id, probability]))
    for (const { owner, forecast } of rows.filter((row) => row.owner !== null)) {
      const byStage = await aggregate(
        `group_by=stage_id&status=open&forecast_before=${end}&owner_email=${owner!.email}`,
      )
      const shares = byStage.map(({ key, value }) => Math.floor((value * weights.get(key!)! + 50) / 100))
      expect(forecast).toBe(shares.reduce((sum, share) => sum + share, 0))
    }

    expect(await report(`currency=BRL&owner_id=${ann.id}&pipeline_id=${sales.id}`)).toMatchObject({
      ...{ owner: { id: ann.id }, pipeline: { name: 'Sales' }, rows: [rowOf(ann, ofAnn)], total: ofAnn },
    })
    expect((await report(`currency=BRL&pipeline_id=${other.id}`))['rows']).toMatchObject([
      // The target of a removed member, and what nobody owns: 9 × 50%.
      { owner: null, target: 50, won: 0, forecast: 5, difference: -45 },
      { owner: { id: ann.id }, target: 1000, won: 0, forecast: 0, difference: -1000 },
    ])
    expect(await report('currency=DKK')).toMatchObject({
      ...{ rows: [], total: { target: null, won: 0, forecast: 0, difference: null } },
    })
    expect((await report('currency=USD'))['rows']).toMatchObject([
      { owner: { id: ben.id }, target: 30, difference: -30 },
      { owner: { id: ann.id }, target: null, won: 5 },
    ])
    await acme.call('PATCH', '/v1/workspace', { visibility: { deals: 'owner' } })
    expect((await report('currency=BRL', ben.token))['rows']).toEqual([
      // Everybody sees what nobody owns, and nobody but admins what a removed member does.
      rowOf(null, { target: null, won: 0, forecast: 5, difference: null }),
      rowOf(ben, ofBen),
    ])
    for (const [query, fields] of [
      ['', { month: 'Required.', currency: 'Required.' }],
      ['month=2026-13&currency=BRL', { month: expect.stringContaining('Must be a month') }],
      ['month=2026-11&currency=brl', { currency: expect.stringContaining('Must be one of') }],
      [`month=2026-11&currency=BRL&pipeline_id=${ann.id}`, { pipeline_id: 'Pipeline not found.' }],
      [`month=2026-11&currency=BRL&owner_id=${gone.id}`, { owner_id: 'Member not found.' }],
      ['month=2026-11&currency=BRL&team_id=x', { team_id: expect.any(String) }],
    ] as const) {
      const refused = await acme.call('GET', `/v1/reports/targets?${query}`)
      expect([refused.status, errorOf(refused)['fields']]).toEqual([422, fields])
    }
  })
})
