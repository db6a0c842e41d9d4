import { describe, expect, test } from 'vitest'
import {
  ANN,
  catchFieldErrors,
  catchRejection,
  createTestCrm,
  NOON,
  OWNER,
  type TestCrm,
  UNKNOWN_ID,
} from '../../../test/harness.ts'

type Stages = Parameters<TestCrm['crm']['pipelines']['create']>[1]['stages']

const LATER = '2026-03-01T13:00:00.000Z'
const STAGES: Stages = [
  { name: 'New' },
  { name: 'Hot' },
  { name: 'Won', type: 'win' },
  { name: 'Lost', type: 'lost' },
]

async function setUpPipelines() {
  const base = await createTestCrm()
  const sales = await base.crm.pipelines.create(base.owner, { name: 'Sales', stages: STAGES })
  base.clock.advance(1)
  const renewals = await base.crm.pipelines.create(base.owner, { name: 'Renewals', stages: STAGES })
  base.clock.set(NOON)
  return { ...base, sales: idsOf(sales), renewals: idsOf(renewals) }
}

function idsOf(pipeline: Awaited<ReturnType<TestCrm['crm']['pipelines']['create']>>) {
  const [fresh, hot, won, lost] = pipeline.stages
  return { id: pipeline.id, fresh: fresh!.id, hot: hot!.id, won: won!.id, lost: lost!.id }
}

test('a deal is returned with all fields, and without tags and lists in a list', async () => {
  const { crm, owner, sales, clock } = await setUpPipelines()
  const person = await crm.people.create(owner, { full_name: 'Ana', score: 3 })
  const company = await crm.companies.create(owner, { full_name: 'Acme' })
  const deal = await crm.deals.create(owner, {
    name: 'Big',
    amount: 123456,
    currency: 'BRL',
    pipeline_id: sales.id,
    stage_id: sales.hot,
    source: 'Fair',
    forecast_date: '2026-06-01T00:00:00-03:00',
    person_id: person.id,
    company_id: company.id,
    owner_email: OWNER.email,
  })
  const item = {
    id: deal.id,
    entity_id: expect.stringMatching(/^D-[0-9A-Z]{7}$/),
    name: 'Big',
    amount: 123456,
    currency: 'BRL',
    formatted_amount: 'R$1,234.56',
    pipeline: { id: sales.id, name: 'Sales' },
    stage: { id: sales.hot, name: 'Hot', type: 'open' },
    source: 'Fair',
    forecast_date: '2026-06-01T03:00:00.000Z',
    closed_at: null,
    owner: { id: owner.userId, ...OWNER },
    person: {
      id: person.id,
      full_name: 'Ana',
      emails: [],
      phones: [],
      score: 3,
      position: null,
      created_at: NOON,
      updated_at: NOON,
    },
    company: {
      id: company.id,
      full_name: 'Acme',
      emails: [],
      phones: [],
      created_at: NOON,
      updated_at: NOON,
    },
    custom_fields: [],
    created_at: NOON,
    updated_at: NOON,
  }
  const people = [{ person_id: deal.person?.id, full_name: 'Ana', role: null, main: true }]
  const loss = { lost_reason: null, lost_note: null, amount_source: 'typed' }
  const labels = { tags: [], lists: [], external_ids: [], shared_with: [] }
  expect(deal).toEqual({ ...item, ...labels, people, ...loss })
  expect(await crm.deals.get(owner, deal.id)).toEqual(deal)
  expect((await crm.deals.list(owner)).data).toEqual([item])

  clock.set(LATER)
  const clearInput = {
    source: null,
    forecast_date: null,
    person_id: null,
    company_id: null,
    owner_email: null,
  }
  expect(await crm.deals.update(owner, deal.id, clearInput)).toEqual({
    ...deal,
    source: null,
    forecast_date: null,
    person: null,
    people: [],
    company: null,
    owner: null,
    updated_at: LATER,
  })
  await crm.deals.remove(owner, deal.id)
  expect(await catchRejection(crm.deals.get(owner, deal.id))).toEqual({
    code: 'not_found',
    message: 'Deal not found.',
  })
})

test('a deal with only a name gets amount 0, the workspace currency and the first stage', async () => {
  const { crm, owner, sales } = await setUpPipelines()
  expect(
    await crm.deals.create(owner, { name: 'Big', amount: null, currency: null, stage_id: null }),
  ).toMatchObject({
    amount: 0,
    currency: 'USD',
    formatted_amount: '$0.00',
    pipeline: { id: sales.id, name: 'Sales' },
    stage: { id: sales.fresh, name: 'New', type: 'open' },
    source: null,
    forecast_date: null,
    closed_at: null,
    owner: null,
    person: null,
    company: null,
  })
})

test('amounts are formatted in the locale of the workspace', async () => {
  const { crm } = await createTestCrm()
  await crm.operator.createWorkspace({
    name: 'B',
    slug: 'b',
    owner_name: 'Bia',
    owner_email: 'bia@b.example',
    locale: 'pt-BR',
    currency: 'BRL',
  })
  const bia = await crm.operator.actorFor({ workspace: 'b', email: 'bia@b.example' })
  await crm.pipelines.create(bia, { name: 'Vendas', stages: [{ name: 'Novo' }] })
  expect(await crm.deals.create(bia, { name: 'Big', amount: 123456 })).toMatchObject({
    currency: 'BRL',
    formatted_amount: 'R$\u00a01.234,56',
  })
})

test('a deal cannot be created in a workspace without a pipeline', async () => {
  const { crm, owner } = await createTestCrm()
  expect(await catchFieldErrors(crm.deals.create(owner, { name: 'Big' }))).toEqual({
    pipeline_id: 'Required: the workspace has no pipeline.',
  })
})

describe('the stage of a deal', () => {
  test('is the first stage of a pipeline that is sent without a stage', async () => {
    const { crm, owner, sales, renewals } = await setUpPipelines()
    const deal = await crm.deals.create(owner, { name: 'Big', pipeline_id: renewals.id })
    expect([deal.pipeline?.id, deal.stage?.id]).toEqual([renewals.id, renewals.fresh])
    const movedDeal = await crm.deals.update(owner, deal.id, { pipeline_id: sales.id })
    expect([movedDeal.pipeline?.id, movedDeal.stage?.id]).toEqual([sales.id, sales.fresh])
  })

  test('is kept if its own pipeline is sent without a stage', async () => {
    const { crm, owner, sales } = await setUpPipelines()
    const deal = await crm.deals.create(owner, { name: 'Big', stage_id: sales.hot })
    expect(await crm.deals.update(owner, deal.id, { pipeline_id: sales.id })).toEqual(deal)
  })

  test('is the stage that is sent, in the current pipeline or the one sent with it', async () => {
    const { crm, owner, sales, renewals } = await setUpPipelines()
    const { id } = await crm.deals.create(owner, { name: 'Big', stage_id: sales.hot })
    expect((await crm.deals.update(owner, id, { stage_id: sales.won.toUpperCase() })).stage).toEqual({
      id: sales.won,
      name: 'Won',
      type: 'win',
    })
    const movedDeal = await crm.deals.update(owner, id, { pipeline_id: renewals.id, stage_id: renewals.lost })
    expect([movedDeal.pipeline?.name, movedDeal.stage]).toEqual([
      'Renewals',
      { id: renewals.lost, name: 'Lost', type: 'lost' },
    ])
  })

  test('is never a stage of another pipeline', async () => {
    const { crm, owner, sales, renewals } = await setUpPipelines()
    const { id } = await crm.deals.create(owner, { name: 'Big' })
    const errors = { stage_id: 'Stage not found in this pipeline.' }
    expect(await catchFieldErrors(crm.deals.create(owner, { name: 'Big', stage_id: renewals.hot }))).toEqual(
      errors,
    )
    expect(await catchFieldErrors(crm.deals.create(owner, { name: 'Big', stage_id: UNKNOWN_ID }))).toEqual(
      errors,
    )
    expect(await catchFieldErrors(crm.deals.update(owner, id, { stage_id: renewals.hot }))).toEqual(errors)
    expect(
      await catchFieldErrors(crm.deals.update(owner, id, { pipeline_id: renewals.id, stage_id: sales.hot })),
    ).toEqual(errors)
    expect(
      await catchFieldErrors(crm.deals.update(owner, id, { pipeline_id: UNKNOWN_ID, stage_id: sales.hot })),
    ).toEqual({
      pipeline_id: 'Pipeline not found.',
    })
  })

  test('is never a deleted stage or pipeline', async () => {
    const { crm, owner, sales, renewals } = await setUpPipelines()
    await crm.pipelines.update(owner, sales.id, { stages: [{ id: sales.fresh }] })
    await crm.pipelines.remove(owner, renewals.id)
    expect(await catchFieldErrors(crm.deals.create(owner, { name: 'Big', stage_id: sales.hot }))).toEqual({
      stage_id: 'Stage not found in this pipeline.',
    })
    expect(
      await catchFieldErrors(
        crm.deals.create(owner, { name: 'Big', pipeline_id: renewals.id, stage_id: renewals.hot }),
      ),
    ).toEqual({
      pipeline_id: 'Pipeline not found.',
    })
  })

  test('determines when the deal was closed', async () => {
    const { crm, owner, sales, clock } = await setUpPipelines()
    const { id } = await crm.deals.create(owner, { name: 'Big' })
    clock.set(LATER)
    expect((await crm.deals.update(owner, id, { stage_id: sales.won })).closed_at).toBe(LATER)
    clock.advance(60)
    expect((await crm.deals.update(owner, id, { stage_id: sales.won, amount: 5 })).closed_at).toBe(LATER)
    expect((await crm.deals.update(owner, id, { stage_id: sales.hot })).closed_at).toBeNull()
    expect((await crm.deals.create(owner, { name: 'Lost at once', stage_id: sales.lost })).closed_at).toBe(
      clock.now(),
    )
  })
})

test('all missing references of a deal are reported together', async () => {
  const { crm, owner, otherOwner } = await setUpPipelines()
  const foreignPerson = await crm.people.create(otherOwner, { full_name: 'Theirs' })
  const input = {
    name: 'Big',
    person_id: foreignPerson.id,
    company_id: UNKNOWN_ID,
    owner_user_id: otherOwner.userId,
    pipeline_id: UNKNOWN_ID,
  }
  expect(await catchFieldErrors(crm.deals.create(owner, input))).toEqual({
    person_id: 'Person not found.',
    company_id: 'Company not found.',
    owner_user_id: 'Member not found.',
    pipeline_id: 'Pipeline not found.',
  })
})

test.each([
  ['person_id', 'people'],
  ['company_id', 'companies'],
] as const)('a filter by the %s of a deleted record matches no deals', async (link, kind) => {
  const { crm, owner } = await setUpPipelines()
  const { id } = await crm[kind].create(owner, { full_name: 'A' })
  await crm.deals.create(owner, { name: 'Big', [link]: id })
  const countDeals = async () => (await crm.deals.list(owner, { [link]: id })).meta.total
  expect(await countDeals()).toBe(1)
  await crm[kind].remove(owner, id)
  expect(await countDeals()).toBe(0)
})

test('deals are filtered by pipeline, stage, status, person, company, owner and updated_after', async () => {
  const { crm, owner, sales, renewals, clock } = await setUpPipelines()
  const person = await crm.people.create(owner, { full_name: 'Ana' })
  const company = await crm.companies.create(owner, { full_name: 'Acme' })
  await crm.deals.create(owner, { name: 'A', person_id: person.id, owner_email: ANN.email })
  await crm.deals.create(owner, { name: 'B', stage_id: sales.won, company_id: company.id })
  clock.set(LATER)
  await crm.deals.create(owner, { name: 'C', pipeline_id: renewals.id, stage_id: renewals.lost })
  const listNames = async (query: Parameters<typeof crm.deals.list>[1]) => {
    const { data } = await crm.deals.list(owner, { order_by: 'name', order: 'asc', ...query })
    return data.map(({ name }) => name).join('')
  }
  expect(await listNames({ pipeline_id: sales.id })).toBe('AB')
  expect(await listNames({ pipeline_id: UNKNOWN_ID })).toBe('')
  expect(await listNames({ stage_id: sales.won })).toBe('B')
  expect(await listNames({ stage_id: sales.id })).toBe('')
  expect(await listNames({ status: 'open' })).toBe('A')
  expect(await listNames({ status: 'win' })).toBe('B')
  expect(await listNames({ status: 'lost' })).toBe('C')
  expect(await listNames({ status: 'lost', pipeline_id: sales.id })).toBe('')
  expect(await listNames({ person_id: person.id })).toBe('A')
  expect(await listNames({ company_id: company.id })).toBe('B')
  expect(await listNames({ owner_email: ANN.email })).toBe('A')
  expect(await listNames({ updated_after: LATER })).toBe('C')
  expect(await catchFieldErrors(listNames({ status: 'won' as never }))).toEqual({
    status: 'Must be one of: open, win, lost.',
  })
})
