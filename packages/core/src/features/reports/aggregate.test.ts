import { toJsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import {
  ANN,
  BEN,
  catchFieldErrors,
  catchRejection,
  createTestCrm,
  OWNER,
  type TestCrm,
} from '../../../test/harness.ts'
import { aggregateInput, reportResponses } from '../../declarations.ts'
import type { AggregateInput } from './report-api.ts'

async function withDeals() {
  const acme = await createTestCrm()
  const { crm, owner, ann } = acme
  const stages = [{ name: 'New' }, { name: 'Talks' }, { name: 'Won', type: 'win' as const }]
  const pipeline = await crm.pipelines.create(owner, { name: 'Sales', stages })
  const [first, talks, won] = pipeline.stages.map(({ id }) => id) as [string, string, string]
  const createDeal = (name: string, amount: number, fields: object = {}) =>
    crm.deals.create(owner, { name, amount, currency: 'USD', ...fields })
  await createDeal('Roof', 1000, { stage_id: first, source: 'fair' })
  await createDeal('Door', 501, { stage_id: talks, owner_user_id: ann.userId })
  await createDeal('Wall', 70_000, { stage_id: won, currency: 'JPY' })
  await createDeal('Gate', 20, { stage_id: won })
  return { ...acme, first, talks, won }
}

/** Returns the key, currency and value of each group. */
async function loadGroups({ crm, owner }: TestCrm, input: AggregateInput): Promise<unknown[]> {
  const result = await crm.reports.aggregate(owner, input)
  expect(v.parse(reportResponses.aggregate, JSON.parse(JSON.stringify(result)))).toEqual(result)
  return result.groups.map(({ key, currency, value }) => [key, currency, value])
}

describe('aggregate', () => {
  test('counts records in total or in groups, the largest first, with display names', async () => {
    const acme = await withDeals()
    const { crm, owner, ann, first, talks, won } = acme
    expect(await crm.reports.aggregate(owner, { entity: 'deals', metric: 'count' })).toEqual({
      entity: 'deals',
      metric: 'count',
      field: null,
      group_by: null,
      groups: [{ key: null, name: null, currency: null, count: 4, value: 4 }],
      more: false,
    })
    const { groups: byStage } = await crm.reports.aggregate(owner, {
      entity: 'deals',
      metric: 'count',
      group_by: 'stage_id',
    })
    expect(byStage.map(({ key, name, count }) => [key, name, count])).toEqual([
      [won, 'Won', 2],
      [first, 'New', 1],
      [talks, 'Talks', 1],
    ])
    const { groups: byOwner } = await crm.reports.aggregate(owner, {
      entity: 'deals',
      metric: 'count',
      group_by: 'owner',
    })
    expect(byOwner.map(({ key, name, count }) => [key, name, count])).toEqual([
      [null, null, 3],
      [ann.userId, 'ann@acme.example', 1],
    ])
    expect(await loadGroups(acme, { entity: 'deals', metric: 'count', group_by: 'source' })).toEqual([
      [null, null, 3],
      ['fair', null, 1],
    ])
  })

  test('counts the records of removed owners as those of nobody', async () => {
    const acme = await withDeals()
    const { crm, owner, ann, ben } = acme
    for (const { userId } of [ann, ann, ben, owner])
      await crm.deals.create(owner, { name: 'Fence', amount: 7, currency: 'EUR', owner_user_id: userId })
    await crm.operator.removeMember({ workspace: 'acme', email: ANN.email })
    await crm.operator.removeMember({ workspace: 'acme', email: BEN.email })
    const result = await crm.reports.aggregate(owner, { entity: 'deals', metric: 'count', group_by: 'owner' })
    expect(result.groups.map(({ key, name, count }) => [key, name, count])).toEqual([
      [null, null, 7],
      [owner.userId, OWNER.email, 1],
    ])
    expect(
      await loadGroups(acme, { entity: 'deals', metric: 'sum', field: 'amount', group_by: 'owner' }),
    ).toEqual([
      [null, 'JPY', 70_000],
      [null, 'USD', 1521],
      [null, 'EUR', 21],
      [owner.userId, 'EUR', 7],
    ])
  })

  test('never sums amounts of different currencies', async () => {
    const acme = await withDeals()
    expect(await loadGroups(acme, { entity: 'deals', metric: 'sum', field: 'amount' })).toEqual([
      [null, 'JPY', 70_000],
      [null, 'USD', 1521],
    ])
    expect(
      await loadGroups(acme, { entity: 'deals', metric: 'avg', field: 'amount', group_by: 'currency' }),
    ).toEqual([
      ['USD', 'USD', 507],
      ['JPY', 'JPY', 70_000],
    ])
    expect(
      await loadGroups(acme, { entity: 'deals', metric: 'sum', field: 'amount', group_by: 'status' }),
    ).toEqual([
      ['win', 'JPY', 70_000],
      ['open', 'USD', 1501],
      ['win', 'USD', 20],
    ])
    expect(await loadGroups(acme, { entity: 'deals', metric: 'count', group_by: 'currency' })).toEqual([
      ['USD', null, 3],
      ['JPY', null, 1],
    ])
  })

  test('groups deals by status across stages', async () => {
    const acme = await withDeals()
    expect(await loadGroups(acme, { entity: 'deals', metric: 'count', group_by: 'status' })).toEqual([
      ['win', null, 2],
      ['open', null, 2],
    ])
    expect(
      await loadGroups(acme, { entity: 'deals', metric: 'avg', field: 'amount', group_by: 'status' }),
    ).toEqual(expect.arrayContaining([['open', 'USD', 750.5]]))
  })

  test('rounds averages half up to two decimals, and returns null without records', async () => {
    const acme = await createTestCrm()
    const computeAverage = () => loadGroups(acme, { entity: 'people', metric: 'avg', field: 'score' })
    expect(await computeAverage()).toEqual([[null, null, null]])
    for (const score of [1, 1, 0]) await acme.crm.people.create(acme.owner, { full_name: 'Ana', score })
    expect(await computeAverage()).toEqual([[null, null, 0.67]])
    expect(await loadGroups(acme, { entity: 'people', metric: 'sum', field: 'score' })).toEqual([
      [null, null, 2],
    ])
  })

  test('groups by month, by flag and by task type', async () => {
    const acme = await withDeals()
    const { crm, owner, clock } = acme
    clock.set('2026-03-31T23:59:59.999Z')
    await crm.tasks.create(owner, { title: 'Call', type: 'call', completed: true })
    clock.set('2026-04-01T00:00:00.000Z')
    await crm.tasks.create(owner, { title: 'Write', priority: null, due_date: '2026-04-30T23:00:00-03:00' })
    const count = (group_by: AggregateInput['group_by']) =>
      loadGroups(acme, { entity: 'tasks', metric: 'count', group_by })
    expect(await count('created_month')).toEqual([
      ['2026-03', null, 1],
      ['2026-04', null, 1],
    ])
    expect(await count('due_month')).toEqual([
      ['2026-05', null, 1],
      [null, null, 1],
    ])
    expect(await count('completed')).toEqual([
      [false, null, 1],
      [true, null, 1],
    ])
    const { groups: byType } = await crm.reports.aggregate(owner, {
      entity: 'tasks',
      metric: 'count',
      group_by: 'type',
    })
    expect(byType.map(({ name }) => name)).toEqual([null, 'Call'])
    expect(await loadGroups(acme, { entity: 'deals', metric: 'count', group_by: 'closed_month' })).toEqual([
      ['2026-03', null, 2],
      [null, null, 2],
    ])
  })

  test('groups by the months of the time zone of the workspace, in any year', async () => {
    const acme = await withDeals()
    const { crm, owner } = acme
    await crm.workspace.update(owner, { time_zone: 'America/Sao_Paulo' })
    const DUE = {
      '0202-03': ['0202-03-01T03:06:28Z', '0202-04-01T03:06:27Z'],
      '2018-10': ['2018-11-01T02:59:59.999Z'],
      // Summer began on 4 November, with an hour less.
      '2018-11': ['2018-11-01T03:00:00Z', '2018-12-01T01:59:59.999Z'],
      '2018-12': ['2018-12-01T02:00:00Z', '2019-01-01T01:59:59.999Z'],
      '2019-01': ['2019-01-01T02:00:00Z'],
      '9999-12': ['9999-12-31T23:59:59.999Z'],
    }
    for (const due_date of Object.values(DUE).flat())
      await crm.tasks.create(owner, { title: 'Call', due_date })
    const count = (filter = {}) =>
      loadGroups(acme, { entity: 'tasks', metric: 'count', group_by: 'due_month', filter })
    expect(await count()).toEqual(Object.entries(DUE).map(([month, due]) => [month, null, due.length]))
    expect(await count({ due_after: '2019-01-01T00:00:00Z' })).toEqual([
      ['2018-12', null, 1],
      ['2019-01', null, 1],
      ['9999-12', null, 1],
    ])
    expect(await count({ completed: true })).toEqual([])
  })

  test('applies the list filters, and matches nothing for an unknown id or owner', async () => {
    const acme = await withDeals()
    const count = (filter: object) =>
      loadGroups(acme, { entity: 'deals', metric: 'count', filter: filter as Record<string, unknown> })
    expect(await count({ status: 'win' })).toEqual([[null, null, 2]])
    expect(await count({ status: 'win', search: 'wal' })).toEqual([[null, null, 1]])
    expect(await count({ owner_email: 'ann@acme.example' })).toEqual([[null, null, 1]])
    expect(await count({ owner_email: 'nobody@acme.example' })).toEqual([[null, null, 0]])
    expect(
      await loadGroups(acme, {
        entity: 'deals',
        metric: 'sum',
        field: 'amount',
        filter: { pipeline_id: acme.owner.userId },
      }),
    ).toEqual([])
  })

  test('excludes deleted records and other workspaces', async () => {
    const acme = await withDeals()
    const [deal] = (await acme.crm.deals.list(acme.owner, { search: 'wall' })).data
    await acme.crm.deals.remove(acme.owner, deal!.id)
    expect(await loadGroups(acme, { entity: 'deals', metric: 'count', group_by: 'currency' })).toEqual([
      ['USD', null, 3],
    ])
    expect(
      (await acme.crm.reports.aggregate(acme.otherOwner, { entity: 'deals', metric: 'count' })).groups[0]
        ?.count,
    ).toBe(0)
  })

  test('returns the two hundred largest groups and sets more', async () => {
    const acme = await withDeals()
    const { crm, owner } = acme
    for (let nth = 0; nth < 199; nth += 1) await crm.deals.create(owner, { name: 'Deal', source: `s${nth}` })
    const countBySource = () =>
      crm.reports.aggregate(owner, { entity: 'deals', metric: 'count', group_by: 'source' })
    expect(await countBySource()).toMatchObject({ more: true, groups: { length: 200 } })
    expect((await countBySource()).groups[0]).toMatchObject({ key: null, count: 3 })
    await crm.deals.remove(owner, (await crm.deals.list(owner, { per_page: 1 })).data[0]!.id)
    expect(await countBySource()).toMatchObject({ more: false, groups: { length: 200 } })
  })

  test('rejects a sum beyond the safe integers, but returns its average', async () => {
    const acme = await withDeals()
    for (let nth = 0; nth < 10; nth += 1)
      await acme.crm.deals.create(acme.owner, { name: 'Great', amount: 1e15, currency: 'EUR' })
    const filter = { search: 'great' }
    expect(
      await catchFieldErrors(
        acme.crm.reports.aggregate(acme.owner, { entity: 'deals', metric: 'sum', field: 'amount', filter }),
      ),
    ).toEqual({
      field: 'What this comes to is beyond 9007199254740991. Ask for fewer records at once.',
    })
    expect(await loadGroups(acme, { entity: 'deals', metric: 'avg', field: 'amount', filter })).toEqual([
      [null, 'EUR', 1e15],
    ])
  })

  test('requires the read scope of the entity', async () => {
    const { crm, owner } = await createTestCrm()
    const actor = { ...owner, scopes: new Set(['deals:read']) }
    const error = await catchRejection(crm.reports.aggregate(actor, { entity: 'people', metric: 'count' }))
    expect(error).toMatchObject({
      code: 'insufficient_scope',
      message: expect.stringContaining("'people:read'"),
    })
  })

  test.each([
    [
      { entity: 'webhooks', metric: 'count' },
      { entity: 'Must be one of: people, companies, deals, tasks, activities, products.' },
    ],
    [{ entity: 'deals', metric: 'max' }, { metric: 'Must be one of: count, sum, avg.' }],
    [{ entity: 'deals', metric: 'sum' }, { field: 'Required: one of: amount.' }],
    [{ entity: 'deals', metric: 'avg', field: 'score' }, { field: 'Must be one of: amount.' }],
    [{ entity: 'deals', metric: 'sum', field: null }, { field: 'Must be one of: amount.' }],
    [
      { entity: 'deals', metric: 'count', field: 'amount' },
      { field: 'Must be left out where records are counted.' },
    ],
    [
      { entity: 'tasks', metric: 'sum', field: 'amount' },
      { field: 'Nothing of tasks can be added up: they can only be counted.' },
    ],
    [
      { entity: 'companies', metric: 'count', group_by: 'stage_id' },
      { group_by: 'Must be one of: owner, created_month.' },
    ],
    [
      { entity: 'deals', metric: 'count', group_by: 'toString' },
      { group_by: expect.stringContaining('Must be one of: stage_id, ') },
    ],
    [{ entity: 'deals', metric: 'count', filter: 'open' }, { filter: 'Must be an object.' }],
    [{ entity: 'deals', metric: 'count', filter: null }, { filter: 'Must not be null.' }],
    [
      { entity: 'companies', metric: 'count', filter: { serch: 'a', owner_email: 'b' } },
      {
        'filter.serch':
          'Unknown parameter. Did you mean "search"? The filters of companies: search, tag, list_id, filter, view, updated_after, owner_email, team_id, external_id.',
        'filter.owner_email': 'Must be an e-mail address.',
      },
    ],
    [
      { entity: 'deals', metric: 'count', filter: { search: '\ud800' } },
      { 'filter.search': 'Must be valid Unicode text.' },
    ],
    [
      { entity: 'deals', metric: 'count', group: 'owner' },
      { group: expect.stringContaining('Unknown field.') },
    ],
  ])('rejects %j and lists the valid options', async (input, errors) => {
    const { crm, owner } = await createTestCrm()
    expect(await catchFieldErrors(crm.reports.aggregate(owner, input as unknown as AggregateInput))).toEqual(
      errors,
    )
  })

  test('has an input schema that converts to JSON Schema', () => {
    expect(toJsonSchema(aggregateInput, { errorMode: 'ignore' })).toMatchObject({
      properties: {
        entity: { enum: ['people', 'companies', 'deals', 'tasks', 'activities', 'products'] },
        filter: { type: 'object' },
      },
      required: ['entity', 'metric'],
    })
  })
})
