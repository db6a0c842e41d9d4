import { expect, test } from 'vitest'
import { dataOf } from '../support/record-kind-cases.ts'
import { describeEachStore } from '../support/stores.ts'
import { errorOf, openService, openWorkspace } from '../support/test-service.ts'

describeEachStore('the funnel', (open) => {
  test('counts the deals of a pipeline by the stages they came to, of one workspace', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const pipeline = await acme.createRecord('/v1/pipelines', {
      name: 'Large',
      stages: [{ name: 'New' }, { name: 'Offer' }, { name: 'Won', type: 'win' }],
    })
    const stages = pipeline['stages'] as readonly { readonly id: string }[]
    const create = (stage: number) =>
      acme.createRecord('/v1/deals', { name: 'D', pipeline_id: pipeline.id, stage_id: stages[stage]!.id })
    const moved = await create(0)
    await create(0)
    await create(2)
    expect((await acme.call('PATCH', `/v1/deals/${moved.id}`, { stage_id: stages[1]!.id })).status).toBe(200)
    const path = `/v1/reports/funnel?pipeline_id=${pipeline.id}`
    expect(dataOf(await acme.call('GET', path))).toMatchObject({
      ...{ created: 3, lost: 0, open: 2, won: { count: 1, share: 0.3333, median_days: 0 } },
      stages: [
        { name: 'New', entered: 3, went_on: 2, share: 0.6667, median_days: 0, open: 1 },
        { name: 'Offer', entered: 2, went_on: 1, share: 0.5, median_days: null, open: 1 },
      ],
    })
    expect(dataOf(await acme.call('GET', `${path}&to=2020-01-01T00:00:00Z`))['created']).toBe(0)
    const rival = await openWorkspace(service, 'Rival')
    expect((await rival.call('GET', path)).status).toBe(404)
    const range = 'from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z'
    const refused = await acme.call('GET', `/v1/reports/funnel?${range}`)
    expect([refused.status, errorOf(refused)['fields']]).toEqual([422, { to: 'Must not be before from.' }])
  })
})
