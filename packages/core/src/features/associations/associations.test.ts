import { describe, expect, test } from 'vitest'
import {
  ANN,
  catchFieldErrors,
  catchRejection,
  createTestCrm,
  NOON,
  type TestCrm,
  UNKNOWN_ID,
} from '../../../test/harness.ts'

const LATER = '2026-03-01T13:00:00.000Z'

async function setUpPipeline() {
  const base = await createTestCrm()
  await base.crm.pipelines.create(base.owner, { name: 'Sales', stages: [{ name: 'New' }] })
  return base
}

const KINDS = [
  ['people', { full_name: 'A' }],
  ['companies', { full_name: 'A' }],
  ['deals', { name: 'A' }],
] as const

describe.each(KINDS)('tags and lists of %s', (kind, minimalInput) => {
  const api = ({ crm }: TestCrm) => crm[kind] as TestCrm['crm']['people']
  const minimal = minimalInput as { full_name: string }

  test('are set by id or key, returned in the order of the input, and left out of list views', async () => {
    const base = await setUpPipeline()
    const { crm, owner } = base
    const [hot, cold] = [
      await crm.tags.create(owner, { name: 'Hot' }),
      await crm.tags.create(owner, { name: 'Cold' }),
    ]
    const { records_count, ...vip } = await crm.lists.create(owner, { name: 'VIP' })
    const record = await api(base).create(owner, {
      ...minimal,
      tags: ['COLD', hot.id.toUpperCase(), 'hot'],
      lists: [vip.id, vip.id],
    })
    expect(record).toMatchObject({ tags: [cold, hot], lists: [vip], custom_fields: [] })
    expect(await api(base).get(owner, record.id)).toEqual(record)
    const [item] = (await api(base).list(owner)).data
    expect(Object.keys(item!)).not.toContain('tags')
    expect(Object.keys(item!)).not.toContain('lists')
  })

  test('are replaced by a PATCH that contains them and kept by one that does not', async () => {
    const base = await setUpPipeline()
    const { crm, owner, clock } = base
    const tag = await crm.tags.create(owner, { name: 'Hot' })
    const list = await crm.lists.create(owner, { name: 'VIP' })
    const record = await api(base).create(owner, { ...minimal, tags: ['hot'], lists: [list.id] })
    clock.set(LATER)
    const patch = async (input: object) => {
      const { tags, lists, updated_at } = await api(base).update(owner, record.id, input as never)
      return [tags.map(({ key }) => key), lists.map(({ name }) => name), updated_at]
    }
    expect(await patch({ tags: [tag.id] })).toEqual([['hot'], ['VIP'], NOON])
    expect(await patch({ owner_email: ANN.email })).toEqual([['hot'], ['VIP'], LATER])
    expect(await patch({ tags: [] })).toEqual([[], ['VIP'], LATER])
    expect(await patch({ lists: null, tags: ['hot'] })).toEqual([['hot'], [], LATER])
  })

  test('that do not exist are each reported, and nothing is created or changed', async () => {
    const base = await setUpPipeline()
    const { crm, owner, otherOwner } = base
    const foreign = [
      await crm.tags.create(otherOwner, { name: 'Theirs' }),
      await crm.lists.create(otherOwner, { name: 'Theirs' }),
    ]
    const deletedTag = await crm.tags.create(owner, { name: 'Gone' })
    await crm.tags.remove(owner, 'gone')
    await crm.tags.create(owner, { name: 'Hot' })
    const input = {
      tags: ['hot', foreign[0]!.id, 'theirs', deletedTag.id, UNKNOWN_ID],
      lists: [foreign[1]!.id, UNKNOWN_ID],
    }
    const errors = {
      'tags[1]': 'Tag not found.',
      'tags[2]': 'Tag not found.',
      'tags[3]': 'Tag not found.',
      'tags[4]': 'Tag not found.',
      'lists[0]': 'List not found.',
      'lists[1]': 'List not found.',
    }
    expect(await catchFieldErrors(api(base).create(owner, { ...minimal, ...input }))).toEqual(errors)
    expect((await api(base).list(owner)).meta.total).toBe(0)
    const record = await api(base).create(owner, minimal)
    expect(
      await catchFieldErrors(
        api(base).update(owner, record.id, { ...input, owner_email: 'nobody@x.example' } as never),
      ),
    ).toEqual({
      ...errors,
      owner_email: 'Member not found.',
    })
    expect(await api(base).get(owner, record.id)).toEqual(record)
  })

  test('are limited in number and checked for their type', async () => {
    const base = await setUpPipeline()
    const input = { tags: Array.from({ length: 101 }, () => 'x'), lists: 'vip' }
    expect(await catchFieldErrors(api(base).create(base.owner, { ...minimal, ...input } as never))).toEqual({
      tags: 'Must have at most 100 tags.',
      lists: 'Must be an array.',
    })
    expect(
      await catchFieldErrors(
        api(base).create(base.owner, { ...minimal, tags: [1, ''], lists: ['x', null] } as never),
      ),
    ).toEqual({
      'tags[0]': 'Must be a string.',
      'tags[1]': 'Required.',
      'lists[0]': 'Must be a UUID.',
      'lists[1]': 'Must not be null.',
    })
  })
})

describe.each([
  ['people', 'person'],
  ['companies', 'company'],
] as const)('the deals of %s', (kind, link) => {
  async function withDeals() {
    const base = await setUpPipeline()
    const { crm, owner } = base
    const [a, b, c] = [
      await crm.deals.create(owner, { name: 'A' }),
      await crm.deals.create(owner, { name: 'B' }),
      await crm.deals.create(owner, { name: 'C' }),
    ]
    const listLinks = async () => {
      const { data } = await crm.deals.list(owner, { order_by: 'name', order: 'asc' })
      return data.map((deal) =>
        `${deal.name} ${deal[link]?.full_name ?? '-'} ${deal.updated_at === LATER ? 'changed' : ''}`.trim(),
      )
    }
    return { ...base, a: a.id, b: b.id, c: c.id, listLinks }
  }

  test('are linked by a create, and unlinked by a PATCH that leaves them out', async () => {
    const { crm, owner, clock, a, b, c, listLinks } = await withDeals()
    const ana = await crm[kind].create(owner, { full_name: 'Ana', deals: [a, b.toUpperCase(), a] })
    expect(await listLinks()).toEqual(['A Ana', 'B Ana', 'C -'])
    clock.set(LATER)
    expect((await crm[kind].update(owner, ana.id, { deals: [b, c] })).updated_at).toBe(LATER)
    expect(await listLinks()).toEqual(['A - changed', 'B Ana', 'C Ana changed'])
    await crm[kind].update(owner, ana.id, { deals: null as never })
    expect(await listLinks()).toEqual(['A - changed', 'B - changed', 'C - changed'])
  })

  test('are moved from another record to this one', async () => {
    const { crm, owner, a, listLinks } = await withDeals()
    const ana = await crm[kind].create(owner, { full_name: 'Ana', deals: [a] })
    await crm[kind].create(owner, { full_name: 'Bea', deals: [a] })
    expect(await listLinks()).toEqual(['A Bea', 'B -', 'C -'])
    await crm[kind].update(owner, ana.id, { deals: [] })
    expect(await listLinks()).toEqual(['A Bea', 'B -', 'C -'])
  })

  test('that do not exist are reported, and nothing is created', async () => {
    const { crm, owner, otherOwner, a, b, listLinks } = await withDeals()
    await crm.pipelines.create(otherOwner, { name: 'Theirs', stages: [{ name: 'New' }] })
    const foreignDeal = await crm.deals.create(otherOwner, { name: 'Theirs' })
    await crm.deals.remove(owner, b)
    expect(
      await catchFieldErrors(
        crm[kind].create(owner, { full_name: 'Ana', deals: [a, b, foreignDeal.id, UNKNOWN_ID] }),
      ),
    ).toEqual({
      'deals[1]': 'Deal not found.',
      'deals[2]': 'Deal not found.',
      'deals[3]': 'Deal not found.',
    })
    expect(await listLinks()).toEqual(['A -', 'C -'])
    expect((await crm[kind].list(owner)).meta.total).toBe(0)
  })

  test('can be linked and unlinked only by a member who may update them', async () => {
    const { crm, owner, ann, ben, a, listLinks } = await withDeals()
    await crm.deals.update(owner, a, { owner_user_id: ben.userId })
    const forbidden = { code: 'forbidden', message: 'You do not have permission to update this deal.' }
    expect(await catchRejection(crm[kind].create(ann, { full_name: 'Ana', deals: [a] }))).toEqual(forbidden)
    const bea = await crm[kind].create(owner, { full_name: 'Bea', deals: [a] })
    expect(await catchRejection(crm[kind].update(ann, bea.id, { deals: [] }))).toEqual(forbidden)
    expect((await listLinks())[0]).toBe('A Bea')
  })

  test('can be linked and unlinked only with the scope deals:write', async () => {
    const { crm, owner, a } = await withDeals()
    const narrowActor = { ...owner, scopes: new Set([`${kind}:write`]) }
    const insufficientScope = {
      code: 'insufficient_scope',
      message: "This endpoint requires the 'deals:write' scope.",
    }
    expect(await catchRejection(crm[kind].create(narrowActor, { full_name: 'Ana', deals: [a] }))).toEqual(
      insufficientScope,
    )
    const { id } = await crm[kind].create(narrowActor, { full_name: 'Ana' })
    expect(await catchRejection(crm[kind].update(narrowActor, id, { deals: [] }))).toEqual(insufficientScope)
  })

  test('require that scope before validation and before an idempotent replay', async () => {
    const { crm, owner, a } = await withDeals()
    const narrowActor = { ...owner, scopes: new Set([`${kind}:write`]) }
    const input = { full_name: 'Ana', deals: [a] }
    await crm[kind].createIdempotent(owner, 'key', input)
    for (const call of [
      crm[kind].create(narrowActor, { full_name: '', deals: 'x' } as never),
      crm[kind].createIdempotent(narrowActor, 'key', input),
      crm[kind].update(narrowActor, UNKNOWN_ID, { full_name: '', deals: null } as never),
    ]) {
      expect(await catchRejection(call)).toMatchObject({ code: 'insufficient_scope' })
    }
    expect((await crm[kind].create(narrowActor, { full_name: 'Bea', deals: null })).full_name).toBe('Bea')
  })

  test('are unlinked at most 250 at once', async () => {
    const { crm, owner, storage, a, b } = await withDeals()
    const { id } = await crm[kind].create(owner, { full_name: 'Ana', deals: [a, b] })
    const [sample] = await storage.read((tx) => tx.workspace(owner.workspaceId).deals.getMany([a]))
    const buildDeals = (count: number, from: number) =>
      Array.from({ length: count }, (_, index) => ({
        ...sample!,
        id: `0198c0de-0000-7000-9000-${String(from + index).padStart(12, '0')}`,
        entity_id: `D-${from + index}`,
      }))
    const add = (deals: ReturnType<typeof buildDeals>) =>
      storage.transact((tx) => tx.workspace(owner.workspaceId).deals.insertMany(deals))
    await add(buildDeals(250, 0))
    expect(await catchFieldErrors(crm[kind].update(owner, id, { deals: [a] }))).toEqual({
      deals: 'Must leave out at most 250 of the deals there are.',
    })
    await crm[kind].update(owner, id, { deals: [a, b] })
    await crm.deals.remove(owner, b)
    await crm[kind].update(owner, id, { deals: [a] })
    expect((await crm.deals.list(owner, { [`${link}_id`]: id })).meta.total).toBe(1)
  })
})

test('a deal has no field for deals', async () => {
  const { crm, owner } = await setUpPipeline()
  expect(await catchFieldErrors(crm.deals.create(owner, { name: 'A', deals: [] } as never))).toEqual({
    deals: 'Unknown field.',
  })
})

test('lists include tags, lists and the company of people on request', async () => {
  const { crm, owner } = await createTestCrm()
  const { id: company_id } = await crm.companies.create(owner, { full_name: 'Pampa' })
  await crm.tags.create(owner, { name: 'VIP', key: 'vip' })
  const { id: listId } = await crm.lists.create(owner, { name: 'Fair' })
  await crm.people.create(owner, { full_name: 'Ana', company_id, tags: ['vip'], lists: [listId] })
  const [plain] = (await crm.people.list(owner)).data
  expect(plain).not.toHaveProperty('company')
  const [included] = (await crm.people.list(owner, { include: 'company,tags,lists' })).data
  expect(included).toMatchObject({
    company: { id: company_id, full_name: 'Pampa' },
    tags: [{ key: 'vip' }],
    lists: [{ id: listId, name: 'Fair' }],
  })
  const { id: dealless } = await crm.companies.create(owner, { full_name: 'Wood', tags: ['vip'] })
  const companies = (await crm.companies.list(owner, { include: 'tags' })).data
  expect(companies.find(({ id }) => id === dealless)).toMatchObject({ tags: [{ key: 'vip' }] })
})
