import { expect, test } from 'vitest'
import { catchRejection, createTestCrm } from '../../../test/harness.ts'

const HOUR_LATER = '2026-03-01T13:00:00.000Z'

async function setUpRecords() {
  const base = await createTestCrm()
  const { crm, owner, clock } = base
  await crm.pipelines.create(owner, {
    name: 'Sales',
    stages: [{ name: 'New' }, { name: 'Won', type: 'win' }],
  })
  const acme = await crm.companies.create(owner, { full_name: 'Acme' })
  const ana = await crm.people.create(owner, { full_name: 'Ana', company_id: acme.id })
  const bob = await crm.people.create(owner, { full_name: 'Bob' })
  const note = (entity: 'people' | 'companies', entity_id: string) =>
    crm.activities.create(owner, { entity, entity_id, content_html: '<p>Called.</p>' })
  await note('people', ana.id)
  clock.set(HOUR_LATER)
  await note('people', ana.id)
  return { ...base, acme, ana, bob, note }
}

test('lists include the next task, the latest activity and the amount of open deals', async () => {
  const { crm, owner, acme, ana } = await setUpRecords()
  const deal = (input: object) => crm.deals.create(owner, { name: 'D', person_id: ana.id, ...input })
  await deal({ amount: 100, currency: 'BRL', company_id: acme.id })
  await deal({ amount: 50, currency: 'BRL' })
  await deal({ amount: 7, currency: 'USD' })
  const { id } = await deal({ amount: 1000, currency: 'BRL' })
  const { stages } = (await crm.pipelines.list(owner)).data[0]!
  await crm.deals.update(owner, id, { stage_id: stages[1]!.id })
  await crm.tasks.create(owner, {
    title: 'Later',
    type: 'call',
    person_id: ana.id,
    due_date: '2026-03-05T12:00:00Z',
  })
  await crm.tasks.create(owner, {
    title: 'First',
    type: 'call',
    person_id: ana.id,
    due_date: '2026-03-02T12:00:00Z',
  })
  const include = 'next_task,last_activity_at,open_amounts'
  const { data } = await crm.people.list(owner, { include, order_by: 'full_name', order: 'asc' })
  expect(data).toMatchObject([
    {
      full_name: 'Ana',
      next_task: { title: 'First' },
      last_activity_at: HOUR_LATER,
      open_amounts: [
        { currency: 'BRL', amount: 150, deals: 2 },
        { currency: 'USD', amount: 7, deals: 1 },
      ],
    },
    { full_name: 'Bob', next_task: null, last_activity_at: null, open_amounts: [] },
  ])
  expect((await crm.companies.list(owner, { include })).data).toMatchObject([
    { next_task: null, last_activity_at: null, open_amounts: [{ currency: 'BRL', amount: 100, deals: 1 }] },
  ])
  expect(Object.keys((await crm.people.list(owner)).data[0]!)).not.toContain('open_amounts')
  const narrow = { ...owner, scopes: new Set(['people:read'] as const) }
  for (const name of include.split(','))
    expect(await catchRejection(crm.people.list(narrow, { include: name })), name).toMatchObject({
      code: 'insufficient_scope',
    })
})

test('records are filtered by their latest activity', async () => {
  const { crm, owner, clock, acme, note } = await setUpRecords()
  const find = async (op: string, value?: unknown, field = 'last_activity_at') => {
    const filter = { field, op, ...(value !== undefined && { value }) }
    const { data } = await crm.people.list(owner, {
      filter: filter as never,
      order_by: 'full_name',
      order: 'asc',
    })
    return data.map(({ full_name }) => full_name).join()
  }
  expect(await find('is_empty')).toBe('Bob')
  expect(await find('is_not_empty')).toBe('Ana')
  expect(await find('after', '2026-03-01T12:30:00Z')).toBe('Ana')
  expect(await find('after', HOUR_LATER)).toBe('')
  expect(await find('before', HOUR_LATER)).toBe('')
  expect(await find('is', 'today')).toBe('Ana')
  clock.set('2026-04-15T12:00:00.000Z')
  expect(await find('in_last', 30)).toBe('')
  expect(await find('not_in_last', 30)).toBe('Ana,Bob')
  expect(await find('before', '2026-04-01')).toBe('Ana')
  expect(await find('not_in_last', 60)).toBe('Bob')
  await note('companies', acme.id)
  expect(await find('in_last', 1, 'company.last_activity_at')).toBe('Ana')
  const narrow = { ...owner, scopes: new Set(['people:read'] as const) }
  const filter = { field: 'last_activity_at', op: 'is_empty' } as never
  expect(await catchRejection(crm.people.list(narrow, { filter }))).toMatchObject({
    code: 'insufficient_scope',
  })
})

test('records are ordered by their latest activity and the amount of open deals, as the reader sees them', async () => {
  const { crm, owner, ann, ana, bob, note } = await setUpRecords()
  const cid = await crm.people.create(owner, { full_name: 'Cid', owner_user_id: ann.userId })
  const deal = (person_id: string, input: object) =>
    crm.deals.create(owner, { name: 'D', person_id, owner_user_id: owner.userId, ...input })
  await deal(ana.id, { amount: 5 })
  await deal(bob.id, { amount: 3 })
  await deal(bob.id, { amount: 3 })
  await deal(cid.id, { amount: 900, currency: 'JPY' })
  const list = async (order_by: string, order: string) => {
    const { data } = await crm.people.list(owner, { order_by, order } as never)
    return data.map(({ full_name }) => full_name).join()
  }
  expect(await list('open_amounts', 'desc')).toBe('Bob,Ana,Cid')
  expect(await list('open_amounts,full_name', 'asc,desc')).toBe('Cid,Ana,Bob')
  await note('people', bob.id)
  expect(await list('last_activity_at,full_name', 'desc,asc')).toBe('Ana,Bob,Cid')
  await crm.workspace.update(owner, { visibility: { deals: 'owner' } })
  await deal(cid.id, { amount: 1, owner_user_id: ann.userId })
  const own = await crm.people.list(ann, { order_by: 'open_amounts', include: 'open_amounts' } as never)
  expect(own.data[0]).toMatchObject({ full_name: 'Cid', open_amounts: [{ amount: 1 }] })
  const narrow = { ...owner, scopes: new Set(['people:read'] as const) }
  for (const order_by of ['open_amounts', 'last_activity_at'])
    expect(await catchRejection(crm.people.list(narrow, { order_by } as never))).toMatchObject({
      code: 'insufficient_scope',
    })
})
