import { SCOPES } from '@sales-crm/core'
import { memoryStorage } from '@sales-crm/core/memory'
import { describe, expect, test } from 'vitest'
import { describeEachStore } from '../../support/stores.ts'
import { errorOf, openService, openWorkspace } from '../../support/test-service.ts'

const UNKNOWN_ID = '0198c0de-0000-7000-8000-000000000000'

async function withDeals(storage = memoryStorage()) {
  const service = await openService(storage)
  const acme = await openWorkspace(service)
  const pipeline = await acme.createRecord('/v1/pipelines', {
    name: 'Sales',
    stages: [
      { name: 'New', probability: 50 },
      { name: 'Won', type: 'win' },
    ],
  })
  const person = await acme.createRecord('/v1/people', { full_name: 'Ana' })
  const create = (name: string, amount: number, currency = 'USD') => {
    service.advanceClock(1000)
    return acme.createRecord('/v1/deals', { name, amount, currency, person_id: person.id, source: 'fair' })
  }
  const deals = [await create('Roof', 1000), await create('Door', 500), await create('Wall', 7, 'EUR')]
  return { service, acme, pipeline, person, deals }
}

describeEachStore('the reports over HTTP', (open) => {
  test('count and sum by the filters of the list', async () => {
    const { acme, pipeline } = await withDeals(await open())
    const query = `entity=deals&metric=sum&field=amount&group_by=source&pipeline_id=${pipeline.id}&search=o`
    expect((await acme.call('GET', `/v1/reports/aggregate?${query}`)).json).toMatchObject({
      data: { groups: [] },
    })
    const response = await acme.call('GET', `/v1/reports/aggregate?${query.replace('&search=o', '')}`)
    expect(response.json).toEqual({
      data: {
        entity: 'deals',
        metric: 'sum',
        field: 'amount',
        group_by: 'source',
        groups: [
          { key: 'fair', name: null, currency: 'USD', count: 2, value: 1500 },
          { key: 'fair', name: null, currency: 'EUR', count: 1, value: 7 },
        ],
        more: false,
      },
    })
  })

  test('count the records of a removed owner as those of nobody', async () => {
    const { service, acme, deals } = await withDeals(await open())
    const [ann, ben] = [await acme.addMember('ann', 'member'), await acme.addMember('ben', 'member')]
    for (const [index, { id }] of [ann, ben].entries())
      await acme.call('PATCH', `/v1/deals/${deals[index]!.id}`, { owner_user_id: id })
    await service.crm.operator.removeMember({ workspace: acme.slug, email: ann.email })
    const { json } = await acme.call('GET', '/v1/reports/aggregate?entity=deals&metric=count&group_by=owner')
    expect(json).toMatchObject({
      data: {
        groups: [
          { key: null, name: null, count: 2 },
          { key: ben.id, name: ben.email, count: 1 },
        ],
        more: false,
      },
    })
  })

  test('contain the state of a pipeline', async () => {
    const { acme, pipeline } = await withDeals(await open())
    const { json } = await acme.call('GET', `/v1/reports/pipeline?pipeline_id=${pipeline.id}`)
    expect(json).toMatchObject({
      data: {
        pipeline: { name: 'Sales' },
        stages: [
          { name: 'New', count: 3, amounts: [{ currency: 'EUR', amount: 7, forecast: 4 }, { amount: 1500 }] },
          { count: 0 },
        ],
        win_rate: null,
      },
    })
  })

  test('contain the board of a pipeline, with the next cards in the list of deals', async () => {
    const { acme, pipeline, deals } = await withDeals(await open())
    await acme.createRecord('/v1/tasks', {
      title: 'Later',
      deal_id: deals[2]!.id,
      due_date: '2026-03-09T12:00:00Z',
    })
    await acme.createRecord('/v1/tasks', {
      title: 'Soon',
      deal_id: deals[2]!.id,
      due_date: '2026-03-02T12:00:00Z',
    })
    const query = 'order_by=amount&order=asc'
    const board = await acme.call('GET', `/v1/pipelines/${pipeline.id}/board?${query}&limit=1`)
    const { stages } = (board.json as { data: { stages: { id: string; deals: { name: string }[] }[] } }).data
    expect(stages).toMatchObject([
      {
        count: 3,
        amounts: [
          { currency: 'EUR', amount: 7 },
          { currency: 'USD', amount: 1500 },
        ],
        deals: [{ name: 'Wall', next_task: { title: 'Soon' }, stage_entered_at: '2026-03-01T12:00:03.000Z' }],
        has_more: true,
      },
      { count: 0, deals: [], has_more: false },
    ])
    const next = await acme.call(
      'GET',
      `/v1/deals?stage_id=${stages[0]!.id}&${query}&per_page=1&page=2&include=next_task,stage_entered_at`,
    )
    expect(next.json).toMatchObject({
      data: [{ name: 'Door', next_task: null, stage_entered_at: '2026-03-01T12:00:02.000Z' }],
    })
  })

  test('order and filter deals by amount, forecast and time of closing', async () => {
    const { acme, pipeline, deals } = await withDeals(await open())
    const [roof, door, wall] = deals as [(typeof deals)[0], (typeof deals)[0], (typeof deals)[0]]
    const [, won] = pipeline['stages'] as { id: string }[]
    await acme.call('PATCH', `/v1/deals/${door.id}`, { forecast_date: '2026-04-01T00:00:00Z' })
    await acme.call('PATCH', `/v1/deals/${roof.id}`, {
      forecast_date: '2026-05-01T00:00:00Z',
      stage_id: won!.id,
    })
    const namesBy = async (query: string) => {
      const { json } = await acme.call('GET', `/v1/deals?${query}`)
      return (json as { data: { name: string }[] }).data.map(({ name }) => name)
    }
    expect(wall['name']).toBe('Wall')
    expect(await namesBy('order_by=amount')).toEqual(['Roof', 'Door', 'Wall'])
    expect(await namesBy('order_by=forecast_date&order=asc')).toEqual(['Wall', 'Door', 'Roof'])
    // The order of open deals, whose closed_at is null, is the order of their ids, which is random
    // within a millisecond.
    expect((await namesBy('order_by=closed_at'))[0]).toBe('Roof')
    expect((await namesBy('order_by=closed_at&order=asc'))[2]).toBe('Roof')
    expect(await namesBy('forecast_after=2026-04-01T00:00:00Z&forecast_before=2026-04-30T00:00:00Z')).toEqual(
      ['Door'],
    )
    expect(await namesBy('closed_after=2026-03-01T12:00:00Z')).toEqual(['Roof'])
    expect(await namesBy('closed_before=2026-03-01T11:59:59Z')).toEqual([])
  })

  test('search over all kinds', async () => {
    const { acme } = await withDeals(await open())
    const { json } = await acme.call('GET', '/v1/search?search=an&limit=1')
    expect(json).toMatchObject({
      data: {
        people: { total: 1, records: [{ full_name: 'Ana' }] },
        companies: { total: 0 },
        deals: { total: 0 },
      },
    })
    const token = await acme.tokenFor(acme.owner.email, ['tasks:read'])
    expect((await acme.call('GET', '/v1/search?search=an', undefined, { token })).status).toBe(403)
    const wrong = await acme.call('GET', '/v1/search?q=an')
    expect(errorOf(wrong)['fields']).toEqual({
      search: 'Required.',
      q: expect.stringContaining('Unknown parameter.'),
    })
  })

  test('page the timeline of a record', async () => {
    const { acme, person, deals } = await withDeals(await open())
    const first = await acme.call('GET', `/v1/people/${person.id}/timeline?limit=2`)
    const { data, meta } = first.json as {
      data: { kind: string; deal: { name: string } }[]
      meta: { next_cursor: string }
    }
    expect(data.map(({ kind, deal }) => [kind, deal.name])).toEqual([
      ['deal', 'Wall'],
      ['deal', 'Door'],
    ])
    const next = await acme.call('GET', `/v1/people/${person.id}/timeline?cursor=${meta.next_cursor}`)
    expect(next.json).toMatchObject({
      data: [{ kind: 'deal', deal: { id: deals[0]!.id } }],
      meta: { total: 1, has_more: false, next_cursor: null },
    })
    expect((await acme.call('GET', `/v1/deals/${deals[0]!.id}/timeline`)).json).toMatchObject({ data: [] })
    const company = await acme.createRecord('/v1/companies', { full_name: 'Pampa' })
    expect((await acme.call('GET', `/v1/companies/${company.id}/timeline`)).json).toMatchObject({ data: [] })
  })
})

describe('the parameters of reports', () => {
  test.each([
    ['/v1/reports/aggregate', { entity: 'Required.', metric: 'Required.' }],
    [
      '/v1/reports/aggregate?entity=deals&metric=sum&group_by=color&stauts=open&status=lots',
      {
        field: 'Required: one of: amount.',
        group_by: expect.stringContaining('Must be one of: stage_id,'),
        stauts: expect.stringContaining('Unknown parameter.'),
        status: 'Must be one of: open, win, lost.',
      },
    ],
    ['/v1/reports/aggregate?entity=tasks&entity=deals&metric=count', { entity: 'Must be sent only once.' }],
    [
      '/v1/reports/pipeline?from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z',
      { to: 'Must not be before from.' },
    ],
    ['/v1/reports/pipeline?form=x', { form: 'Unknown parameter. Did you mean "from"?' }],
  ])('are checked: %s', async (path, fields) => {
    const { acme } = await withDeals()
    const response = await acme.call('GET', path)
    expect([response.status, errorOf(response)['fields']]).toEqual([422, fields])
  })

  test('name a pipeline and a record of the own workspace', async () => {
    const { service, pipeline, person } = await withDeals()
    const other = await openWorkspace(service, 'Other')
    for (const path of [
      `/v1/reports/pipeline?pipeline_id=${pipeline.id}`,
      `/v1/people/${person.id}/timeline`,
      '/v1/people/x/timeline',
      `/v1/companies/${UNKNOWN_ID}/timeline`,
      `/v1/deals/${UNKNOWN_ID}/timeline`,
    ])
      expect([path, (await other.call('GET', path)).status]).toEqual([path, 404])
  })

  test('require the scope of the entity', async () => {
    const { acme } = await withDeals()
    const token = await acme.tokenFor(
      acme.owner.email,
      SCOPES.filter((scope) => scope !== 'tasks:read'),
    )
    const count = (entity: string) =>
      acme.call('GET', `/v1/reports/aggregate?entity=${entity}&metric=count`, undefined, { token })
    expect((await count('people')).status).toBe(200)
    const refused = await count('tasks')
    expect([refused.status, errorOf(refused)['message']]).toEqual([
      403,
      "This endpoint requires the 'tasks:read' scope.",
    ])
  })
})
