import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { catchFieldErrors, catchRejection, createTestCrm, UNKNOWN_ID } from '../../../test/harness.ts'
import { reportResponses } from '../../index.ts'

const STAGES = [
  { name: 'New', probability: 25 },
  { name: 'Talks', probability: 50 },
  { name: 'Won', type: 'win' as const },
  { name: 'Lost', type: 'lost' as const },
]

async function sales() {
  const acme = await createTestCrm()
  const { crm, owner, clock } = acme
  const pipeline = await crm.pipelines.create(owner, { name: 'Sales', stages: STAGES })
  const [first, talks, won, lost] = pipeline.stages.map(({ id }) => id) as [string, string, string, string]
  const add = (stage_id: string, amount: number, more: object = {}) =>
    crm.deals.create(owner, { name: 'Deal', amount, currency: 'USD', stage_id, ...more })
  /** A deal that is closed so many days after it was made, or so long before it at the latest. */
  async function closed(stage_id: string, amount: number, days: number, more: object = {}) {
    const { id } = await add(first, amount, more)
    clock.advance(days * 86_400)
    await crm.deals.update(owner, id, { stage_id })
    return id
  }
  const report = async (input?: Parameters<typeof crm.reports.pipelineReport>[1], actor = owner) => {
    const found = await crm.reports.pipelineReport(actor, input)
    expect(v.parse(reportResponses.pipeline, JSON.parse(JSON.stringify(found)))).toEqual(found)
    return found
  }
  return { ...acme, pipeline, first, talks, won, lost, add, closed, report }
}

describe('the report of a pipeline', () => {
  test('has every stage in order, with what its deals come to in each currency, and what that is worth by its probability', async () => {
    const { add, report, first, talks, won, pipeline } = await sales()
    await add(first, 1002)
    await add(first, 100)
    await add(first, 50, { currency: 'JPY' })
    await add(talks, 301)
    await add(won, 7)
    const found = await report()
    expect(found.pipeline).toEqual({ id: pipeline.id, name: 'Sales' })
    expect(found.stages.map(({ name, type, count, amounts }) => [name, type, count, amounts])).toEqual([
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
    expect(found.open).toEqual({
      count: 4,
      amounts: [
        { currency: 'JPY', amount: 50, forecast: 13 },
        { currency: 'USD', amount: 1403, forecast: 427 },
      ],
    })
    expect([found.won, found.lost]).toEqual([
      { count: 1, amounts: [{ currency: 'USD', amount: 7 }] },
      { count: 0, amounts: [] },
    ])
  })

  test('is of an empty pipeline too: no rate, no median, nothing quiet', async () => {
    const { report } = await sales()
    expect(await report()).toMatchObject({
      owner: null,
      from: null,
      to: null,
      open: { count: 0, amounts: [] },
      win_rate: null,
      median_days_to_close: null,
      quiet: { since: '2026-01-30T12:00:00.000Z', count: 0, deals: [] },
    })
  })

  test('counts as won and lost what was closed in the time asked for, its bounds included, and open deals always', async () => {
    const { closed, report, add, clock, won, lost, first } = await sales()
    await closed(won, 10, 1) // 2 March
    await closed(lost, 20, 2) // 4 March
    await closed(won, 30, 4) // 8 March
    await closed(won, 40, 8) // 16 March
    await add(first, 5)
    expect(await report()).toMatchObject({ win_rate: 0.75, median_days_to_close: 4 })
    const part = await report({ from: '2026-03-04T12:00:00Z', to: '2026-03-08T12:00:00Z' })
    expect(part).toMatchObject({
      from: '2026-03-04T12:00:00.000Z',
      win_rate: 0.5,
      median_days_to_close: 4,
      won: { count: 1, amounts: [{ currency: 'USD', amount: 30 }] },
      lost: { count: 1 },
      open: { count: 1 },
    })
    expect(part.stages.map(({ count }) => count)).toEqual([1, 0, 1, 1])
    expect(await report({ from: '2026-03-08T12:00:00.001Z', to: '2026-03-16T11:59:59.999Z' })).toMatchObject({
      win_rate: null,
      median_days_to_close: null,
      won: { count: 0 },
    })
    clock.advance(0)
    expect(await report({ from: '2026-03-08T12:00:00Z' })).toMatchObject({
      win_rate: 1,
      median_days_to_close: 6,
    })
  })

  test('rounds: a rate to four decimals, days to one', async () => {
    const { closed, report, won, lost } = await sales()
    await closed(won, 1, 1.26)
    await closed(won, 1, 0)
    await closed(lost, 1, 0)
    expect(await report()).toMatchObject({ win_rate: 0.6667, median_days_to_close: 0.6 })
  })

  test('is of one owner where one is named, and of the pipeline that is named', async () => {
    const { crm, owner, ann, add, report, first } = await sales()
    await add(first, 1)
    await add(first, 2, { owner_user_id: ann.userId })
    const mine = await report({ owner_email: 'Ann@acme.example' })
    expect(mine).toMatchObject({
      owner: { id: ann.userId, name: 'Ann Member' },
      open: { count: 1, amounts: [{ amount: 2 }] },
    })
    const other = await crm.pipelines.create(owner, { name: 'Renewals', stages: [{ name: 'Due' }] })
    expect(await report({ pipeline_id: other.id })).toMatchObject({
      pipeline: { name: 'Renewals' },
      open: { count: 0 },
      stages: { length: 1 },
    })
  })

  test('counts neither deleted deals nor those of another workspace', async () => {
    const { crm, owner, otherOwner, add, report, first } = await sales()
    const { id } = await add(first, 1)
    await crm.deals.remove(owner, id)
    expect(await report()).toMatchObject({ open: { count: 0 } })
    await crm.pipelines.create(otherOwner, { name: 'Theirs', stages: STAGES })
    await crm.deals.create(otherOwner, { name: 'Theirs' })
    expect(await report()).toMatchObject({ open: { count: 0 } })
    expect(await report({}, otherOwner)).toMatchObject({ pipeline: { name: 'Theirs' }, open: { count: 1 } })
  })

  test('names the open deals of which nothing is newer than thirty days, the longest unchanged first, and when something last was', async () => {
    const { crm, owner, clock, add, report, first, talks, won } = await sales()
    const made = async (name: string, stage_id = first) => (await add(stage_id, 1, { name })).id
    const [still, said, todo, moved, done, told] = [
      await made('Still'),
      await made('Said'),
      await made('Todo'),
      await made('Moved'),
      await made('Done', won),
      await made('Told'),
    ]
    clock.advance(86_400)
    await crm.activities.create(owner, { content_html: 'Hi', entity: 'deals', entity_id: told })
    const activity = await crm.activities.create(owner, {
      content_html: 'Hi',
      entity: 'deals',
      entity_id: said,
    })
    const task = await crm.tasks.create(owner, { title: 'Call', deal_id: todo })
    clock.advance(29 * 86_400)
    const names = async () => (await report()).quiet.deals.map(({ name }) => name)
    expect((await report()).quiet).toEqual({
      since: '2026-03-01T12:00:00.000Z',
      count: 2,
      deals: [
        { id: still, name: 'Still', last_activity_at: '2026-03-01T12:00:00.000Z' },
        { id: moved, name: 'Moved', last_activity_at: '2026-03-01T12:00:00.000Z' },
      ],
    })
    await crm.deals.update(owner, moved, { stage_id: talks })
    expect(await names()).toEqual(['Still'])
    clock.advance(86_400 - 0.001)
    expect(await names()).toEqual(['Still'])
    clock.advance(0.001)
    expect((await report()).quiet).toMatchObject({
      count: 4,
      deals: expect.arrayContaining([
        { id: told, name: 'Told', last_activity_at: '2026-03-02T12:00:00.000Z' },
      ]),
    })
    await crm.tasks.update(owner, task.id, { completed: true })
    await crm.activities.update(owner, activity.id, { content_html: 'Bye' })
    expect(await names()).toEqual(['Still', 'Told'])
    await crm.tasks.remove(owner, task.id)
    expect(await names()).toEqual(['Still', 'Todo', 'Told'])
    expect(done).not.toBe(still)
  })

  test('names twenty of the quiet deals and counts them all', async () => {
    const { clock, add, report, first } = await sales()
    for (let nth = 0; nth < 22; nth += 1) await add(first, 1)
    clock.advance(31 * 86_400)
    const { quiet } = await report()
    expect([quiet.count, quiet.deals.length]).toEqual([22, 20])
  })

  test('refuses what is not there, and a time that ends before it begins', async () => {
    const { crm, owner, otherOwner, pipeline } = await sales()
    const asked = (input: object, actor = owner) => crm.reports.pipelineReport(actor, input)
    const missing = { code: 'not_found', message: 'Pipeline not found.' }
    expect(await catchRejection(asked({ pipeline_id: UNKNOWN_ID }))).toEqual(missing)
    expect(await catchRejection(asked({ pipeline_id: pipeline.id }, otherOwner))).toEqual(missing)
    expect(await catchRejection(asked({}, otherOwner))).toEqual(missing)
    expect(await catchFieldErrors(asked({ owner_email: 'sam@other.example' }))).toEqual({
      owner_email: 'Member not found.',
    })
    expect(
      await catchFieldErrors(asked({ from: '2026-03-02T00:00:00Z', to: '2026-03-01T00:00:00Z' })),
    ).toEqual({
      to: 'Must not be before from.',
    })
    expect(await catchFieldErrors(asked({ pipeline: 'x', from: 'May' }))).toEqual({
      pipeline: expect.stringContaining('Unknown field.'),
      from: 'Must be an ISO 8601 date-time with a time zone, such as 2026-03-01T12:00:00Z.',
    })
  })

  test('refuses what no number holds exactly', async () => {
    const { add, report, first } = await sales()
    for (let nth = 0; nth < 10; nth += 1) await add(first, 1e15)
    expect(await catchFieldErrors(report())).toEqual({
      pipeline_id: 'What this comes to is beyond 9007199254740991. Ask for fewer records at once.',
    })
  })

  test('needs the scope of deals', async () => {
    const { crm, owner } = await sales()
    const some = { ...owner, scopes: new Set(['people:read']) }
    expect(await catchRejection(crm.reports.pipelineReport(some))).toMatchObject({
      code: 'insufficient_scope',
    })
  })
})
