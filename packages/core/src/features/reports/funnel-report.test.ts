import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTestCrm } from '../../../test/harness.ts'
import { countStages, type Place } from './funnel-report.ts'

async function setUpDeals() {
  const base = await createTestCrm()
  const { crm, owner, clock } = base
  const { stages, id: pipeline_id } = await crm.pipelines.create(owner, {
    name: 'Sales',
    stages: [
      { name: 'New' },
      { name: 'Demo' },
      { name: 'Offer' },
      { name: 'Won', type: 'win' },
      { name: 'Lost', type: 'lost' },
    ],
  })
  const [first, demo, offer, won, lost] = stages.map(({ id }) => id) as [
    string,
    string,
    string,
    string,
    string,
  ]
  /** Each stage after the first is entered a number of days later. */
  async function create(path: readonly (readonly [stage: string, days: number])[], input: object = {}) {
    clock.set('2026-03-01T12:00:00.000Z')
    const { id } = await crm.deals.create(owner, { name: 'D', pipeline_id, ...input })
    let day = 1
    for (const [stage_id, days] of path) {
      day += days
      clock.set(`2026-03-${String(day).padStart(2, '0')}T12:00:00.000Z`)
      await crm.deals.update(owner, id, { stage_id })
    }
    return id
  }
  return { ...base, pipeline_id, first, demo, offer, won, lost, create }
}

test('the funnel counts how far deals came, and how long they stayed', async () => {
  const { crm, owner, ann, pipeline_id, demo, offer, won, lost, create } = await setUpDeals()
  await create([])
  await create([
    [demo, 2],
    [won, 6],
  ])
  await create(
    [
      [demo, 4],
      [lost, 1],
    ],
    { owner_user_id: ann.userId },
  )
  await create([
    [demo, 3],
    [offer, 5],
  ])
  await create([[lost, 9]])
  await crm.deals.create(owner, { name: 'Lost at once', pipeline_id, stage_id: lost })
  const report = await crm.reports.funnel(owner, { pipeline_id })
  expect(report).toMatchObject({
    ...{ created: 6, lost: 3, open: 2 },
    won: { count: 1, share: 0.1667, median_days: 8 },
    stages: [
      { name: 'New', entered: 5, went_on: 3, share: 0.6, median_days: 3.5, lost: 1, open: 1 },
      { name: 'Demo', entered: 3, went_on: 2, share: 0.6667, median_days: 5, lost: 1, open: 0 },
      { name: 'Offer', entered: 2, went_on: 1, share: 0.5, median_days: null, lost: 0, open: 1 },
    ],
  })
  expect((await crm.reports.funnel(owner, { to: '2026-02-01T00:00:00Z' })).won.share).toBe(null)
  await crm.workspace.update(owner, { visibility: { deals: 'owner' } })
  await crm.deals.update(owner, await create([]), { owner_user_id: owner.userId })
  const ofAnn = await crm.reports.funnel(ann, { owner_email: 'ann@acme.example' })
  expect([ofAnn.created, ofAnn.stages.map(({ entered }) => entered)]).toEqual([1, [1, 1, 0]])
})

test('a funnel and the report of a pipeline take a view', async () => {
  const { crm, owner, create } = await setUpDeals()
  await create([], { source: 'Fair' })
  await create([])
  const { id: view } = await crm.views.create(owner, {
    ...{ kind: 'deals', name: 'From fairs', filter: { field: 'source', op: 'is', value: 'Fair' } },
  })
  expect((await crm.reports.funnel(owner, { view })).created).toBe(1)
  expect((await crm.reports.pipelineReport(owner, { view })).open.count).toBe(1)
})

test('each deal that came to a stage is there, was lost there, or went on', () => {
  const stages = ['a', 'b', 'c'].map((id) => ({ id, name: id }))
  const place = fc.record({
    outcome: fc.constantFrom('open' as const, 'win' as const, 'lost' as const),
    stageId: fc.option(fc.constantFrom('a', 'b', 'c', 'elsewhere')),
    count: fc.nat(50),
  })
  fc.assert(
    fc.property(fc.array(place), (all) => {
      const places = all.map((each): Place => (each.outcome === 'win' ? { ...each, stageId: 'won' } : each))
      const counts = countStages(stages, places)
      for (const [index, { entered, went_on, lost, open }] of counts.entries()) {
        expect(entered).toBe(went_on + lost + open)
        const next = counts[index + 1]
        if (next) expect(went_on).toBe(next.entered)
      }
    }),
  )
})
