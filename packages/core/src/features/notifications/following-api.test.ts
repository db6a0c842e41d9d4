import { expect, test } from 'vitest'
import { catchFieldErrors, catchRejection, createTestCrm } from '../../../test/harness.ts'

async function setUp() {
  const base = await createTestCrm()
  const { crm, owner } = base
  await crm.pipelines.create(owner, { name: 'Sales', stages: [{ name: 'New' }] })
  const create = {
    people: (name: string) => crm.people.create(owner, { full_name: name, owner_user_id: owner.userId }),
    companies: (name: string) => crm.companies.create(owner, { full_name: name }),
    deals: (name: string) => crm.deals.create(owner, { name }),
    tasks: (title: string) => crm.tasks.create(owner, { title }),
  }
  const listNames = async (actor: typeof owner, query = {}) =>
    (await crm.following.list(actor, query)).data.map(({ name }) => name)
  return { ...base, create, listNames }
}

test('what a member follows is listed by kind and name, with the time of following', async () => {
  const { crm, ann, ben, create, clock, listNames } = await setUp()
  const task = await create.tasks('Call')
  const [zoe, ana] = [await create.people('Zoé'), await create.people('Ana')]
  const deal = await create.deals('Chairs')
  await create.companies('Not followed')
  await crm.tasks.follow(ann, task.id)
  clock.advance(60)
  for (const { id } of [zoe, ana]) await crm.people.follow(ann, id)
  await crm.deals.follow(ann, deal.id)
  await crm.tasks.follow(ann, task.id)
  expect(await crm.following.list(ann)).toEqual({
    data: [
      { kind: 'people', id: ana.id, name: 'Ana', since: '2026-03-01T12:01:00.000Z' },
      { kind: 'people', id: zoe.id, name: 'Zoé', since: '2026-03-01T12:01:00.000Z' },
      { kind: 'deals', id: deal.id, name: 'Chairs', since: '2026-03-01T12:01:00.000Z' },
      { kind: 'tasks', id: task.id, name: 'Call', since: '2026-03-01T12:00:00.000Z' },
    ],
    meta: { total: 4, page: 1, per_page: 50, has_more: false },
  })
  expect(await listNames(ben)).toEqual([])
  await crm.people.unfollow(ann, ana.id)
  expect(await listNames(ann)).toEqual(['Zoé', 'Chairs', 'Call'])
})

test('the pages of a list are its parts, whatever their size', async () => {
  const { crm, ann, create, listNames } = await setUp()
  for (const [kind, count] of [
    ['people', 3],
    ['companies', 1],
    ['deals', 5],
    ['tasks', 2],
  ] as const)
    for (let nth = 0; nth < count; nth += 1)
      await crm[kind].follow(ann, (await create[kind](`${kind} ${nth}`)).id)
  const all = await listNames(ann)
  expect(all).toHaveLength(11)
  for (const per_page of [1, 2, 3, 4, 5, 7, 11, 12]) {
    const parts: string[] = []
    for (let page = 1; ; page += 1) {
      const { data, meta } = await crm.following.list(ann, { page, per_page })
      parts.push(...data.map(({ name }) => name))
      expect(meta).toEqual({ total: 11, page, per_page, has_more: page * per_page < 11 })
      if (!meta.has_more) break
    }
    expect(parts).toEqual(all)
  }
  expect(await listNames(ann, { page: Number.MAX_SAFE_INTEGER, per_page: 100 })).toEqual([])
})

test('records that are hidden, deleted, or of a kind that the token may not read are left out', async () => {
  const { crm, owner, ann, create, listNames } = await setUp()
  const [person, deal, company] = [
    await create.people('Ana'),
    await create.deals('Chairs'),
    await create.companies('Acme'),
  ]
  await crm.people.follow(ann, person.id)
  await crm.deals.follow(ann, deal.id)
  await crm.companies.follow(ann, company.id)
  expect(await listNames({ ...ann, scopes: new Set(['deals:read']) })).toEqual(['Chairs'])
  expect(await listNames({ ...ann, scopes: new Set() })).toEqual([])
  await crm.workspace.update(owner, { visibility: { people: 'owner' } })
  await crm.companies.remove(owner, company.id)
  expect((await crm.following.list(ann)).meta.total).toBe(1)
  expect(await listNames(ann)).toEqual(['Chairs'])
  await crm.workspace.update(owner, { visibility: { people: 'everyone' } })
  expect(await listNames(ann)).toEqual(['Ana', 'Chairs'])
})

test('a change of a record keeps its followers listed, and a new membership follows nothing', async () => {
  const { crm, owner, ben, create, clock, listNames } = await setUp()
  const { id } = await create.people('Ana')
  await crm.people.follow(ben, id)
  await crm.people.update(owner, id, { full_name: 'Anabela' })
  expect(await listNames(ben)).toEqual(['Anabela'])
  await crm.members.remove(owner, ben.userId)
  expect(await catchRejection(crm.following.list(ben))).toMatchObject({ code: 'unauthorized' })
  clock.advance(60)
  await crm.operator.addMember({ workspace: 'acme', name: 'Ben', email: 'ben@acme.example', role: 'member' })
  expect(await listNames(ben)).toEqual([])
})

test('a query has nothing but paging', async () => {
  const { crm, ann } = await setUp()
  expect(await catchFieldErrors(crm.following.list(ann, { page: 0, order_by: 'name' } as never))).toEqual({
    page: 'Must be a positive integer.',
    order_by: expect.any(String),
  })
})
