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
  const create = (name: string, amount: number, currency = 'USD') =>
    acme.createRecord('/v1/deals', { name, amount, currency, person_id: person.id, source: 'fair' })
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
