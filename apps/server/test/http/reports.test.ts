import { createCrm } from '@sales-crm/core'
import { nodePorts } from '@sales-crm/node'
import { expect, test } from 'vitest'
import { describeEachStore } from '../support/stores.ts'

const STAGES = [
  { name: 'New', probability: 25 },
  { name: 'Won', type: 'win' as const },
]

describeEachStore('the reports', (open) => {
  test('return the same on every store', async () => {
    let now = '2026-03-01T12:00:00.000Z'
    const crm = createCrm({ ...nodePorts(), storage: await open(), now: () => now })
    const slug = `acme-${crypto.randomUUID()}`
    await crm.operator.createWorkspace({
      name: 'Acme',
      slug,
      owner_name: 'Olga',
      owner_email: `olga@${slug}.example`,
    })
    const owner = await crm.operator.actorFor({ workspace: slug, email: `olga@${slug}.example` })
    const { stages } = await crm.pipelines.create(owner, { name: 'Sales', stages: STAGES })
    const person = await crm.people.create(owner, { full_name: 'Ana' })
    const add = (name: string, amount: number, currency: 'USD' | 'JPY') =>
      crm.deals.create(owner, { name, amount, currency, person_id: person.id })
    await add('Quiet', 1002, 'USD')
    await add('Yen', 50, 'JPY')
    const won = await add('Won', 9, 'USD')
    now = '2026-03-02T18:00:00.000Z'
    await crm.deals.update(owner, won.id, { stage_id: stages[1]!.id })
    now = '2026-04-05T12:00:00.000Z'
    const yen = (await crm.deals.list(owner, { search: 'yen' })).data[0]!
    await crm.tasks.create(owner, { title: 'Call', deal_id: yen.id })

    const { data, meta } = await crm.people.timeline(owner, person.id, { limit: 2 })
    expect(data.map(({ kind, at }) => [kind, at])).toEqual([
      ['stage_move', '2026-03-02T18:00:00.000Z'],
      ['deal', '2026-03-01T12:00:00.000Z'],
    ])
    expect(meta).toMatchObject({ total: 4, limit: 2, has_more: true, left_out: [] })
    const older = await crm.people.timeline(owner, person.id, { cursor: meta.next_cursor! })
    expect(older.data.map(({ kind, at }) => [kind, at])).toEqual([
      ['deal', '2026-03-01T12:00:00.000Z'],
      ['deal', '2026-03-01T12:00:00.000Z'],
    ])
    expect(older.meta).toMatchObject({ total: 2, has_more: false, next_cursor: null })

    const sums = await crm.reports.aggregate(owner, {
      entity: 'deals',
      metric: 'sum',
      field: 'amount',
      group_by: 'closed_month',
    })
    expect(sums.groups.map(({ key, currency, count, value }) => [key, currency, count, value])).toEqual([
      ['2026-03', 'USD', 1, 9],
      [null, 'USD', 1, 1002],
      [null, 'JPY', 1, 50],
    ])
    const byCompletion = await crm.reports.aggregate(owner, {
      entity: 'tasks',
      metric: 'count',
      group_by: 'completed',
      filter: { deal_id: yen.id },
    })
    expect(byCompletion.groups).toMatchObject([{ key: false, count: 1, value: 1 }])

    expect(await crm.reports.pipelineReport(owner)).toMatchObject({
      open: {
        count: 2,
        amounts: [
          { currency: 'JPY', amount: 50, forecast: 13 },
          { currency: 'USD', amount: 1002, forecast: 251 },
        ],
      },
      win_rate: 1,
      median_days_to_close: 1.3,
      quiet: { count: 1, deals: [{ name: 'Quiet', last_activity_at: '2026-03-01T12:00:00.000Z' }] },
    })
  })
})
