import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { catchFieldErrors, catchRejection, createTestCrm, UNKNOWN_ID } from '../../../test/harness.ts'
import { reportResponses } from '../../declarations.ts'

const STAGES = [
  { name: 'New', probability: 25 },
  { name: 'Talks', probability: 50 },
  { name: 'Won', type: 'win' as const },
  { name: 'Lost', type: 'lost' as const },
]

async function withPipeline() {
  const acme = await createTestCrm()
  const { crm, owner, clock } = acme
  const pipeline = await crm.pipelines.create(owner, { name: 'Sales', stages: STAGES })
  const [first, talks, won, lost] = pipeline.stages.map(({ id }) => id) as [string, string, string, string]
  const createDeal = (stage_id: string, amount: number, fields: object = {}) =>
    crm.deals.create(owner, { name: 'Deal', amount, currency: 'USD', stage_id, ...fields })
  /** Creates a deal, advances the clock by `days` and moves the deal to the stage. */
  async function closeDeal(stage_id: string, amount: number, days: number, fields: object = {}) {
    const { id } = await createDeal(first, amount, fields)
    clock.advance(days * 86_400)
    await crm.deals.update(owner, id, { stage_id })
    return id
  }
  const loadReport = async (input?: Parameters<typeof crm.reports.pipelineReport>[1], actor = owner) => {
    const result = await crm.reports.pipelineReport(actor, input)
    expect(v.parse(reportResponses.pipeline, JSON.parse(JSON.stringify(result)))).toEqual(result)
    return result
  }
  return { ...acme, pipeline, first, talks, won, lost, createDeal, closeDeal, loadReport }
}

describe('the pipeline report', () => {
  test('lists every stage in order with amounts and forecasts per currency', async () => {
    const { createDeal, loadReport, first, talks, won, pipeline } = await withPipeline()
    await createDeal(first, 1002)
    await createDeal(first, 100)
    await createDeal(first, 50, { currency: 'JPY' })
    await createDeal(talks, 301)
    await createDeal(won, 7)
    const result = await loadReport()
    expect(result.pipeline).toEqual({ id: pipeline.id, name: 'Sales' })
    expect(result.stages.map(({ name, type, count, amounts }) => [name, type, count, amounts])).toEqual([
      [
        'New',
        'open',
        3,
        [
          { currency: 'JPY', amount: 50, forecast: 13 },
          { currency: 'USD', amount: 1102, forecast: 276 },
        ],
      ],
      ['Talks', 'open', 1, [{ currency: 'USD', amount: 301, forecast: 151 }]],
      ['Won', 'win', 1, [{ currency: 'USD', amount: 7, forecast: null }]],
      ['Lost', 'lost', 0, []],
    ])
    expect(result.open).toEqual({
      count: 4,
      amounts: [
        { currency: 'JPY', amount: 50, forecast: 13 },
        { currency: 'USD', amount: 1403, forecast: 427 },
      ],
    })
    expect([result.won, result.lost]).toEqual([
      { count: 1, amounts: [{ currency: 'USD', amount: 7 }] },
      { count: 0, amounts: [] },
    ])
  })

  test('of an empty pipeline has no win rate, no median and no quiet deals', async () => {
    const { loadReport } = await withPipeline()
    expect(await loadReport()).toMatchObject({
      owner: null,
      from: null,
      to: null,
      open: { count: 0, amounts: [] },
      win_rate: null,
      median_days_to_close: null,
      quiet: { since: '2026-01-30T12:00:00.000Z', count: 0, deals: [] },
    })
  })

  test('counts deals closed between from and to, inclusive, and all open deals', async () => {
    const { closeDeal, loadReport, createDeal, clock, won, lost, first } = await withPipeline()
    await closeDeal(won, 10, 1) // 2 March
    await closeDeal(lost, 20, 2) // 4 March
    await closeDeal(won, 30, 4) // 8 March
    await closeDeal(won, 40, 8) // 16 March
    await createDeal(first, 5)
    expect(await loadReport()).toMatchObject({ win_rate: 0.75, median_days_to_close: 4 })
    const limited = await loadReport({ from: '2026-03-04T12:00:00Z', to: '2026-03-08T12:00:00Z' })
    expect(limited).toMatchObject({
      from: '2026-03-04T12:00:00.000Z',
      win_rate: 0.5,
      median_days_to_close: 4,
      won: { count: 1, amounts: [{ currency: 'USD', amount: 30 }] },
      lost: { count: 1 },
      open: { count: 1 },
    })
    expect(limited.stages.map(({ count }) => count)).toEqual([1, 0, 1, 1])
    expect(
      await loadReport({ from: '2026-03-08T12:00:00.001Z', to: '2026-03-16T11:59:59.999Z' }),
    ).toMatchObject({
      win_rate: null,
      median_days_to_close: null,
      won: { count: 0 },
    })
    clock.advance(0)
    expect(await loadReport({ from: '2026-03-08T12:00:00Z' })).toMatchObject({
      win_rate: 1,
      median_days_to_close: 6,
    })
  })

  test('rounds the win rate to four decimals and the days to one', async () => {
    const { closeDeal, loadReport, won, lost } = await withPipeline()
    await closeDeal(won, 1, 1.26)
    await closeDeal(won, 1, 0)
    await closeDeal(lost, 1, 0)
    expect(await loadReport()).toMatchObject({ win_rate: 0.6667, median_days_to_close: 0.6 })
  })

  test('filters by owner, team and pipeline', async () => {
    const { crm, owner, ann, createDeal, loadReport, first } = await withPipeline()
    await createDeal(first, 1)
    await createDeal(first, 2, { owner_user_id: ann.userId })
    const annReport = await loadReport({ owner_email: 'Ann@acme.example' })
    expect(annReport).toMatchObject({
      owner: { id: ann.userId, name: 'Ann Member' },
      open: { count: 1, amounts: [{ amount: 2 }] },
    })
    const { id: team_id } = await crm.teams.create(owner, { name: 'South', members: [{ id: ann.userId }] })
    expect(await loadReport({ team_id })).toMatchObject({
      ...{ owner: null, team: { id: team_id, name: 'South' } },
      open: { count: 1, amounts: [{ amount: 2 }] },
    })
    expect(await catchFieldErrors(loadReport({ team_id: UNKNOWN_ID }))).toEqual({
      team_id: 'Team not found.',
    })
    const otherPipeline = await crm.pipelines.create(owner, { name: 'Renewals', stages: [{ name: 'Due' }] })
    expect(await loadReport({ pipeline_id: otherPipeline.id })).toMatchObject({
      pipeline: { name: 'Renewals' },
      open: { count: 0 },
      stages: { length: 1 },
    })
  })

  test('excludes deleted deals and other workspaces', async () => {
    const { crm, owner, otherOwner, createDeal, loadReport, first } = await withPipeline()
    const { id } = await createDeal(first, 1)
    await crm.deals.remove(owner, id)
    expect(await loadReport()).toMatchObject({ open: { count: 0 } })
    await crm.pipelines.create(otherOwner, { name: 'Theirs', stages: STAGES })
    await crm.deals.create(otherOwner, { name: 'Theirs' })
    expect(await loadReport()).toMatchObject({ open: { count: 0 } })
    expect(await loadReport({}, otherOwner)).toMatchObject({
      pipeline: { name: 'Theirs' },
      open: { count: 1 },
    })
  })

  test('lists open deals without activity for thirty days, the longest unchanged first', async () => {
    const { crm, owner, clock, createDeal, loadReport, first, talks, won } = await withPipeline()
    const createNamed = async (name: string, stage_id = first) => (await createDeal(stage_id, 1, { name })).id
    const unchangedId = await createNamed('Unchanged')
    const editedId = await createNamed('Activity edited')
    const taskDealId = await createNamed('Task')
    const movedId = await createNamed('Moved')
    await createNamed('Won', won)
    const activityDealId = await createNamed('Activity')
    clock.advance(86_400)
    await crm.activities.create(owner, { content_html: 'Hi', entity: 'deals', entity_id: activityDealId })
    const activity = await crm.activities.create(owner, {
      content_html: 'Hi',
      entity: 'deals',
      entity_id: editedId,
    })
    const task = await crm.tasks.create(owner, { title: 'Call', deal_id: taskDealId })
    clock.advance(29 * 86_400)
    const listQuietNames = async () => (await loadReport()).quiet.deals.map(({ name }) => name)
    expect((await loadReport()).quiet).toEqual({
      since: '2026-03-01T12:00:00.000Z',
      count: 2,
      deals: [
        { id: unchangedId, name: 'Unchanged', last_activity_at: '2026-03-01T12:00:00.000Z' },
        { id: movedId, name: 'Moved', last_activity_at: '2026-03-01T12:00:00.000Z' },
      ],
    })
    await crm.deals.update(owner, movedId, { stage_id: talks })
    expect(await listQuietNames()).toEqual(['Unchanged'])
    clock.advance(86_400 - 0.001)
    expect(await listQuietNames()).toEqual(['Unchanged'])
    clock.advance(0.001)
    expect((await loadReport()).quiet).toMatchObject({
      count: 4,
      deals: expect.arrayContaining([
        { id: activityDealId, name: 'Activity', last_activity_at: '2026-03-02T12:00:00.000Z' },
      ]),
    })
    await crm.tasks.update(owner, task.id, { completed: true })
    await crm.activities.update(owner, activity.id, { content_html: 'Bye' })
    expect(await listQuietNames()).toEqual(['Unchanged', 'Activity'])
    await crm.tasks.remove(owner, task.id)
    expect(await listQuietNames()).toEqual(['Unchanged', 'Task', 'Activity'])
  })

  test('lists twenty quiet deals and counts all', async () => {
    const { clock, createDeal, loadReport, first } = await withPipeline()
    for (let nth = 0; nth < 22; nth += 1) await createDeal(first, 1)
    clock.advance(31 * 86_400)
    const { quiet } = await loadReport()
    expect([quiet.count, quiet.deals.length]).toEqual([22, 20])
  })

  test('rejects unknown records and a range that ends before it begins', async () => {
    const { crm, owner, otherOwner, pipeline } = await withPipeline()
    const requestReport = (input: object, actor = owner) => crm.reports.pipelineReport(actor, input)
    const notFound = { code: 'not_found', message: 'Pipeline not found.' }
    expect(await catchRejection(requestReport({ pipeline_id: UNKNOWN_ID }))).toEqual(notFound)
    expect(await catchRejection(requestReport({ pipeline_id: pipeline.id }, otherOwner))).toEqual(notFound)
    expect(await catchRejection(requestReport({}, otherOwner))).toEqual(notFound)
    expect(await catchFieldErrors(requestReport({ owner_email: 'sam@other.example' }))).toEqual({
      owner_email: 'Member not found.',
    })
    expect(
      await catchFieldErrors(requestReport({ from: '2026-03-02T00:00:00Z', to: '2026-03-01T00:00:00Z' })),
    ).toEqual({
      to: 'Must not be before from.',
    })
    expect(await catchFieldErrors(requestReport({ pipeline: 'x', from: 'May' }))).toEqual({
      pipeline: expect.stringContaining('Unknown parameter.'),
      from: 'Must be an ISO 8601 date-time with a time zone, such as 2026-03-01T12:00:00Z.',
    })
  })

  test('rejects a sum beyond the safe integers', async () => {
    const { createDeal, loadReport, first } = await withPipeline()
    for (let nth = 0; nth < 10; nth += 1) await createDeal(first, 1e15)
    expect(await catchFieldErrors(loadReport())).toEqual({
      pipeline_id: 'What this comes to is beyond 9007199254740991. Ask for fewer records at once.',
    })
  })

  test('requires the scope deals:read', async () => {
    const { crm, owner } = await withPipeline()
    const actor = { ...owner, scopes: new Set(['people:read']) }
    expect(await catchRejection(crm.reports.pipelineReport(actor))).toMatchObject({
      code: 'insufficient_scope',
    })
  })
})
