import { describe, expect, test } from 'vitest'
import {
  catchFieldErrors,
  catchRejection,
  createTestCrm,
  NOON,
  type TestCrm,
  UNKNOWN_ID,
} from '../../../test/harness.ts'

type Stages = Parameters<TestCrm['crm']['pipelines']['create']>[1]['stages']

const LATER = '2026-03-01T13:00:00.000Z'
const STAGES: Stages = [
  { name: 'New' },
  { name: 'Won', type: 'win' },
  { name: 'Lost', type: 'lost', probability: 5 },
]

async function salesOffice() {
  const base = await createTestCrm()
  const sales = await base.crm.pipelines.create(base.owner, { name: 'Sales', stages: STAGES })
  return { ...base, sales, stages: sales.stages.map(({ id }) => id) as [string, string, string] }
}

test('returns a pipeline with its ordered stages from every call', async () => {
  const { crm, owner, sales, stages } = await salesOffice()
  expect(sales).toEqual({
    id: sales.id,
    name: 'Sales',
    created_at: NOON,
    stages: [
      { id: stages[0], name: 'New', type: 'open', probability: 50, created_at: NOON },
      { id: stages[1], name: 'Won', type: 'win', probability: 100, created_at: NOON },
      { id: stages[2], name: 'Lost', type: 'lost', probability: 5, created_at: NOON },
    ],
  })
  expect(await crm.pipelines.get(owner, sales.id)).toEqual(sales)
  expect(await crm.pipelines.list(owner)).toEqual({
    data: [sales],
    meta: { total: 1, page: 1, per_page: 50, has_more: false },
  })
})

test('lists pipelines with their own stages', async () => {
  const { crm, owner, sales } = await salesOffice()
  const renewals = await crm.pipelines.create(owner, { name: 'Renewals', stages: [{ name: 'Only' }] })
  expect((await crm.pipelines.list(owner, { order_by: 'name', order: 'asc' })).data).toEqual([
    renewals,
    sales,
  ])
})

test('accepts one to fifty stages', async () => {
  const { crm, owner, sales } = await salesOffice()
  const fifty = Array.from({ length: 50 }, (_, index) => ({ name: `Stage ${index}` }))
  expect(
    (await crm.pipelines.create(owner, { name: 'Long', stages: fifty })).stages.map(({ name }) => ({ name })),
  ).toEqual(fifty)
  for (const stages of [[], [...fifty, { name: 'Last' }]]) {
    const faults = { stages: 'Must have between 1 and 50 stages.' }
    expect(await catchFieldErrors(crm.pipelines.create(owner, { name: 'Sales', stages }))).toEqual(faults)
    expect(await catchFieldErrors(crm.pipelines.update(owner, sales.id, { stages }))).toEqual(faults)
  }
  expect(await catchFieldErrors(crm.pipelines.create(owner, { name: ' ' } as never))).toEqual({
    name: 'Required.',
    stages: 'Required.',
  })
})

describe('an update', () => {
  test('of the name keeps the stages', async () => {
    const { crm, owner, sales } = await salesOffice()
    expect(await crm.pipelines.update(owner, sales.id, { name: 'Selling' })).toEqual({
      ...sales,
      name: 'Selling',
    })
  })

  test('of the stages keeps, adds, removes and orders them', async () => {
    const { crm, owner, sales, stages, clock } = await salesOffice()
    clock.set(LATER)
    const edited = await crm.pipelines.update(owner, sales.id, {
      stages: [{ id: stages[1], name: 'Victory' }, { name: 'Hot' }, { id: stages[0] }],
    })
    expect(edited).toEqual({
      ...sales,
      stages: [
        { id: stages[1], name: 'Victory', type: 'win', probability: 100, created_at: NOON },
        { id: edited.stages[1]?.id, name: 'Hot', type: 'open', probability: 50, created_at: LATER },
        { id: stages[0], name: 'New', type: 'open', probability: 50, created_at: NOON },
      ],
    })
    expect(await crm.pipelines.get(owner, sales.id)).toEqual(edited)
  })

  test('reports every stage of another pipeline', async () => {
    const { crm, owner, sales, stages } = await salesOffice()
    const other = await crm.pipelines.create(owner, { name: 'Other', stages: [{ name: 'Theirs' }] })
    const sent = [
      { id: other.stages[0]!.id },
      { id: stages[0] },
      { id: UNKNOWN_ID },
      { id: stages[0].toUpperCase() },
    ]
    expect(await catchFieldErrors(crm.pipelines.update(owner, sales.id, { stages: sent }))).toEqual({
      'stages[0].id': 'Stage not found.',
      'stages[2].id': 'Stage not found.',
      'stages[3].id': 'Must not name a stage twice.',
    })
    expect(await crm.pipelines.get(owner, sales.id)).toEqual(sales)
  })

  test('with the current values changes nothing, including updated_at', async () => {
    const { crm, owner, sales, stages, clock, storage } = await salesOffice()
    const kept = () =>
      storage.read(async (tx) => [
        await tx.workspace(owner.workspaceId).pipelines.get(sales.id),
        await tx.workspace(owner.workspaceId).stages.find([]),
      ])
    const before = await kept()
    clock.set(LATER)
    await crm.pipelines.update(owner, sales.id, { name: 'Sales', stages: stages.map((id) => ({ id })) })
    expect(await kept()).toEqual(before)
  })

  test('of an unknown pipeline is rejected', async () => {
    const { crm, owner, otherOwner, sales } = await salesOffice()
    const missing = { code: 'not_found', message: 'Pipeline not found.' }
    expect(await catchRejection(crm.pipelines.update(otherOwner, sales.id, { name: 'Mine' }))).toEqual(
      missing,
    )
    expect(await catchRejection(crm.pipelines.update(owner, UNKNOWN_ID, { name: 'Mine' }))).toEqual(missing)
    expect(await catchRejection(crm.pipelines.update(owner, sales.id, { title: 'Mine' } as never))).toEqual({
      code: 'bad_request',
      message: 'No fields provided for update.',
      fields: { title: 'Unknown field.' },
    })
  })
})

describe('live deals', () => {
  test('prevent the deletion of their stage and pipeline', async () => {
    const { crm, owner, sales, stages } = await salesOffice()
    const deal = await crm.deals.create(owner, { name: 'Big' })
    expect(
      await catchRejection(
        crm.pipelines.update(owner, sales.id, { name: 'Selling', stages: [{ id: stages[1] }] }),
      ),
    ).toEqual({
      code: 'conflict',
      message: 'A record with this value already exists.',
      fields: { stages: 'The stage "New" holds 1 deal. Move or delete it first.' },
    })
    expect(await catchRejection(crm.pipelines.remove(owner, sales.id))).toEqual({
      code: 'conflict',
      message: 'A record with this value already exists.',
      fields: { deals: 'Holds 1 deal. Move or delete it first.' },
    })
    expect(await crm.pipelines.get(owner, sales.id)).toEqual(sales)

    await crm.deals.remove(owner, deal.id)
    await crm.pipelines.update(owner, sales.id, { stages: [{ id: stages[1] }] })
    await crm.pipelines.remove(owner, sales.id)
    expect(await catchRejection(crm.pipelines.get(owner, sales.id))).toEqual({
      code: 'not_found',
      message: 'Pipeline not found.',
    })
  })

  test('are counted, and the stage with most of them is named', async () => {
    const { crm, owner, sales, stages } = await salesOffice()
    for (const stage_id of [stages[0], stages[1], stages[1]])
      await crm.deals.create(owner, { name: 'Big', stage_id })
    const removeAll = crm.pipelines.update(owner, sales.id, { stages: [{ name: 'Other' }] })
    expect((await catchRejection(removeAll)).fields).toEqual({
      stages: 'The stage "Won" holds 2 deals. Move or delete them first.',
    })
    expect((await catchRejection(crm.pipelines.remove(owner, sales.id))).fields).toEqual({
      deals: 'Holds 3 deals. Move or delete them first.',
    })
  })

  test('do not affect other stages', async () => {
    const { crm, owner, sales, stages } = await salesOffice()
    await crm.deals.create(owner, { name: 'Big' })
    expect(
      (await crm.pipelines.update(owner, sales.id, { stages: [{ id: stages[0] }] })).stages,
    ).toHaveLength(1)
  })
})

test('rejects a member before it looks up the pipeline', async () => {
  const { crm, owner, ann, sales, stages } = await salesOffice()
  await crm.deals.create(owner, { name: 'Big' })
  const denied = (operation: string) => ({
    code: 'forbidden',
    message: `You do not have permission to ${operation} this pipeline.`,
  })
  expect(await catchRejection(crm.pipelines.create(ann, { name: 'Mine', stages: [{ name: 'A' }] }))).toEqual(
    denied('create'),
  )
  expect(await catchRejection(crm.pipelines.update(ann, sales.id, { stages: [{ id: stages[1] }] }))).toEqual(
    denied('update'),
  )
  expect(await catchRejection(crm.pipelines.remove(ann, sales.id))).toEqual(denied('delete'))
})

describe('the settings of stages', () => {
  const include = 'settings'

  test('are shown if they are included, by stages alone', async () => {
    const { crm, owner, sales, stages } = await salesOffice()
    const edits = [
      { id: stages[0], required_fields: ['amount', 'owner'], stale_after_days: 14 },
      { id: stages[1] },
      { id: stages[2], required_fields: ['lost_reason'] },
    ]
    expect(await crm.pipelines.update(owner, sales.id, { stages: edits })).toEqual(sales)
    const settings = [
      { required_fields: ['amount', 'owner'], stale_after_days: 14 },
      { required_fields: [], stale_after_days: null },
      { required_fields: ['lost_reason'], stale_after_days: null },
    ]
    const shown = { ...sales, stages: sales.stages.map((stage, index) => ({ ...stage, ...settings[index] })) }
    expect(await crm.pipelines.get(owner, sales.id, { include })).toEqual(shown)
    expect((await crm.pipelines.list(owner, { include })).data).toEqual([shown])
    expect(await crm.pipelines.get(owner, sales.id)).toEqual(sales)
    expect(await catchFieldErrors(crm.pipelines.get(owner, sales.id, { include: 'deals' }))).toEqual({
      include: 'Must be one or more of, separated by commas: settings.',
    })
  })

  test('stay if they are left out, and are cleared by null and an empty list', async () => {
    const { crm, owner, sales, stages } = await salesOffice()
    const [first, ...others] = stages.map((id) => ({ id }))
    const read = async () => (await crm.pipelines.get(owner, sales.id, { include })).stages[0]
    const write = (edit: object) =>
      crm.pipelines.update(owner, sales.id, { stages: [{ ...first!, ...edit }, ...others] })
    await write({ required_fields: ['amount'], stale_after_days: 3650 })
    await write({ name: 'Fresh' })
    expect(await read()).toMatchObject({ name: 'Fresh', required_fields: ['amount'], stale_after_days: 3650 })
    await write({ required_fields: [], stale_after_days: null })
    expect(await read()).toMatchObject({ required_fields: [], stale_after_days: null })
  })

  test('name what may be empty and exists', async () => {
    const { crm, owner, otherOwner } = await salesOffice()
    const custom = { label: 'Segment', key: 'segment', type: 'text', show_deals: true } as const
    await crm.customFields.create(otherOwner, custom)
    const create = (stage: object) =>
      crm.pipelines.create(owner, { name: 'X', stages: [{ name: 'A', ...stage }] })
    expect(
      await catchFieldErrors(create({ required_fields: ['name', 'custom_fields.segment', 'lost_reason'] })),
    ).toEqual({
      'stages[0].required_fields[0]': expect.stringMatching(
        /^Must be one of: amount, source, .*custom_fields.<key>\.$/,
      ),
      'stages[0].required_fields[1]': 'Custom field not found.',
      'stages[0].required_fields[2]': 'Must not name lost_reason: only lost deals have it.',
    })
    expect(await catchFieldErrors(create({ required_fields: ['amount', 'amount'] }))).toEqual({
      'stages[0].required_fields': 'Must name none of the fields twice.',
    })
    for (const stale_after_days of [0, 3651, 1.5])
      expect(await catchFieldErrors(create({ stale_after_days }))).toEqual({
        'stages[0].stale_after_days': 'Must be an integer between 1 and 3650.',
      })
  })

  test('keep a custom field that was deleted since, and lose what only lost deals have with the type', async () => {
    const { crm, owner } = await salesOffice()
    const custom = { label: 'Segment', key: 'segment', type: 'text', show_deals: true } as const
    const field = await crm.customFields.create(owner, custom)
    const required_fields = ['custom_fields.segment', 'lost_note']
    const stages = [{ name: 'Lost', type: 'lost', required_fields }] as const
    const {
      id,
      stages: [stage],
    } = await crm.pipelines.create(owner, { name: 'X', stages: [...stages] })
    await crm.customFields.remove(owner, field.id)
    await crm.pipelines.update(owner, id, { stages: [{ id: stage!.id, required_fields }] })
    await crm.pipelines.update(owner, id, { stages: [{ id: stage!.id, type: 'open' }] })
    expect((await crm.pipelines.get(owner, id, { include })).stages[0]!.required_fields).toEqual([
      'custom_fields.segment',
    ])
  })
})
