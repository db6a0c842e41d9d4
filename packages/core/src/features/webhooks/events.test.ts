import { describe, expect, test } from 'vitest'
import { runTwenty } from '../../../test/accounts.ts'
import { catchRejection, type TestCrm, UNKNOWN_ID } from '../../../test/harness.ts'
import { createWebhookListener } from '../../../test/webhooks.ts'

const LATER = '2026-03-01T13:00:00.000Z'

type Input = Readonly<Record<string, unknown>>

interface Api {
  create(actor: TestCrm['owner'], input: Input): Promise<{ readonly id: string }>
  get(actor: TestCrm['owner'], id: string): Promise<object>
  update(actor: TestCrm['owner'], id: string, input: Input): Promise<object>
  remove(actor: TestCrm['owner'], id: string): Promise<void>
}

const files = [{ filename: 'a.txt', content: 'aGk=' }]
const REFERENCED = ['owner', 'tag', 'list', 'person'] as const

/** Per kind: its entity name, an input with references to records of `REFERENCED`, and a change. */
const KINDS: readonly [
  keyof TestCrm['crm'],
  string,
  (ids: Record<(typeof REFERENCED)[number], string>) => Input,
  Input,
][] = [
  [
    'people',
    'person',
    ({ owner, tag, list }) => ({ full_name: 'Ana', owner_user_id: owner, tags: [tag], lists: [list] }),
    { score: 7 },
  ],
  [
    'companies',
    'company',
    ({ owner, tag, list }) => ({ full_name: 'Acme', owner_user_id: owner, tags: [tag], lists: [list] }),
    { phones: [{ phone: '555 1234' }] },
  ],
  [
    'deals',
    'deal',
    ({ person, tag }) => ({ name: 'Chairs', person_id: person, tags: [tag] }),
    { amount: 1200 },
  ],
  [
    'tasks',
    'task',
    ({ person, owner }) => ({ title: 'Call', person_id: person, owner_user_id: owner }),
    { notes: 'Soon' },
  ],
  [
    'activities',
    'activity',
    ({ person }) => ({ content_html: 'Hi', entity: 'people', entity_id: person, attachments: files }),
    { content_html: 'Ho' },
  ],
  ['products', 'product', () => ({ name: 'Chair', currency: 'BRL', image: 'R0lG' }), { price_cts: 1 }],
  ['tags', 'tag', () => ({ name: 'Cold' }), { color: '#ffffff' }],
  [
    'pipelines',
    'pipeline',
    () => ({ name: 'Sales', stages: [{ name: 'New' }] }),
    { stages: [{ name: 'First' }] },
  ],
]

describe.each(KINDS)('the events of %s', (name, entity, input, change) => {
  async function withRecord() {
    const base = await createWebhookListener()
    const { crm, owner } = base
    await crm.pipelines.create(owner, { name: 'Oldest', stages: [{ name: 'New' }] })
    const { id: tag } = await crm.tags.create(owner, { name: 'Hot' })
    const { id: list } = await crm.lists.create(owner, { name: 'Leads' })
    const { id: person } = await crm.people.create(owner, { full_name: 'Bia' })
    await base.newEvents()
    const api = crm[name] as unknown as Api
    const { id } = await api.create(owner, input({ owner: owner.userId, tag, list, person }))
    // The snapshot of a person has an additional `email` field, which is empty here.
    const additionalFields = entity === 'person' ? { email: {} } : {}
    const read = async () => ({ [entity]: { ...(await api.get(owner, id)), ...additionalFields } })
    return { ...base, api, id, read }
  }

  test('include created, updated and deleted, with the entity as a read returns it', async () => {
    const { api, owner, clock, id, read, newEvents } = await withRecord()
    expect(await newEvents()).toEqual([[`${entity}.created`, await read()]])
    clock.set(LATER)
    await api.update(owner, id, change)
    const updated = await read()
    expect(await newEvents()).toEqual([[`${entity}.updated`, updated]])
    await api.remove(owner, id)
    expect(await newEvents()).toEqual([[`${entity}.deleted`, updated]])
  })

  test('do not include an update without changes', async () => {
    const { api, owner, clock, id, newEvents } = await withRecord()
    await api.update(owner, id, change)
    const stages =
      'stages' in change
        ? ((await api.get(owner, id)) as { stages: Input[] }).stages.map(({ id }) => ({ id }))
        : undefined
    await newEvents()
    clock.set(LATER)
    await api.update(owner, id, stages ? { stages } : change)
    expect(await newEvents()).toEqual([])
  })

  test('do not include rejected changes', async () => {
    const { api, owner, ben, id, newEvents } = await withRecord()
    await newEvents()
    const scopeless = { ...owner, scopes: new Set<string>() }
    const rejectedCalls = [
      () => api.create(owner, { nothing: 1 }),
      () => api.create(scopeless, change),
      () => api.update(owner, id, { nothing: 1 }),
      () => api.update(scopeless, id, change),
      () => api.update(owner, UNKNOWN_ID, change),
      () => api.remove(scopeless, id),
      () => api.remove(owner, UNKNOWN_ID),
    ]
    for (const call of rejectedCalls) await catchRejection(call)
    if (name === 'tags') await catchRejection(api.remove(ben, id))
    expect(await newEvents()).toEqual([])
  })

  test('include one deletion for twenty concurrent deletes', async () => {
    const { api, owner, id, newEventNames } = await withRecord()
    await newEventNames()
    await Promise.allSettled(Array.from({ length: 20 }, () => api.remove(owner, id)))
    expect(await newEventNames()).toEqual([`${entity}.deleted`])
  })
})

test('the snapshot of a person also maps its e-mail addresses by position', async () => {
  const { crm, owner, newEvents } = await createWebhookListener()
  const emails = [
    { email: 'ana@a.example', type: 'work' },
    { email: 'ana@b.example', type: 'home' },
  ] as const
  const ana = await crm.people.create(owner, { full_name: 'Ana', emails: [...emails] })
  const bia = await crm.people.create(owner, { full_name: 'Bia' })
  expect(await newEvents()).toEqual([
    ['person.created', { person: { ...ana, emails, email: { 0: 'ana@a.example', 1: 'ana@b.example' } } }],
    ['person.created', { person: { ...bia, email: {} } }],
  ])
})

test('the snapshot of a pipeline has its stages at that time', async () => {
  const { crm, owner, newEvents } = await createWebhookListener()
  const { id } = await crm.pipelines.create(owner, { name: 'Sales', stages: [{ name: 'New' }] })
  const renamed = await crm.pipelines.update(owner, id, { name: 'Sales 2' })
  const edited = await crm.pipelines.update(owner, id, {
    stages: [{ name: 'A' }, { name: 'B', type: 'win' }],
  })
  const [, ...changes] = await newEvents()
  expect(changes).toEqual([
    ['pipeline.updated', { pipeline: renamed }],
    ['pipeline.updated', { pipeline: edited }],
  ])
  expect(edited.stages.map(({ name }) => name)).toEqual(['A', 'B'])
})

test('a task completed by twenty concurrent updates emits task.completed once', async () => {
  const { crm, owner, newEventNames } = await createWebhookListener()
  const { id } = await crm.tasks.create(owner, { title: 'Call', completed: true })
  expect(await newEventNames()).toEqual(['task.created'])
  await crm.tasks.update(owner, id, { completed: false })
  expect(await newEventNames()).toEqual(['task.updated'])
  await runTwenty(() => crm.tasks.update(owner, id, { completed: true }))
  expect(await newEventNames()).toEqual(['task.updated', 'task.completed'])
})

test('a deal emits stage_changed, won and lost once per move', async () => {
  const { crm, owner, newEvents, newEventNames } = await createWebhookListener()
  const stages = [
    { name: 'New' },
    { name: 'Won', type: 'win' },
    { name: 'Lost', type: 'lost' },
    { name: 'Won too', type: 'win' },
  ] as const
  const pipeline = await crm.pipelines.create(owner, { name: 'Sales', stages: [...stages] })
  const [fresh, won, lost, wonToo] = pipeline.stages.map(({ id }) => id)
  const { id } = await crm.deals.create(owner, { name: 'Chairs' })
  await newEvents()
  const moved = await crm.deals.update(owner, id, { stage_id: won! })
  expect(await newEvents()).toEqual(
    ['deal.updated', 'deal.stage_changed', 'deal.won'].map((event) => [event, { deal: moved }]),
  )
  const move = async (stage_id: string) => {
    await crm.deals.update(owner, id, { stage_id })
    return newEventNames()
  }
  expect(await move(won!)).toEqual([])
  expect(await move(wonToo!)).toEqual(['deal.updated', 'deal.stage_changed'])
  expect(await move(lost!)).toEqual(['deal.updated', 'deal.stage_changed', 'deal.lost'])
  expect(await move(fresh!)).toEqual(['deal.updated', 'deal.stage_changed'])
  const moves = await Promise.all([won!, lost!].map((stage_id) => crm.deals.update(owner, id, { stage_id })))
  expect((await newEventNames()).filter((name) => name !== 'deal.updated')).toEqual([
    'deal.stage_changed',
    'deal.won',
    'deal.stage_changed',
    'deal.lost',
  ])
  expect(moves.map(({ stage }) => stage?.name)).toEqual(['Won', 'Lost'])
})

test('a deal moved to a pipeline whose first stage is a win stage emits deal.won', async () => {
  const { crm, owner, newEvents } = await createWebhookListener()
  await crm.pipelines.create(owner, { name: 'Sales', stages: [{ name: 'New' }] })
  const { id: pipeline_id } = await crm.pipelines.create(owner, {
    name: 'Archive',
    stages: [{ name: 'Won', type: 'win' }],
  })
  const { id } = await crm.deals.create(owner, { name: 'Chairs' })
  await newEvents()
  const deal = await crm.deals.update(owner, id, { pipeline_id })
  expect(await newEvents()).toEqual(
    ['deal.updated', 'deal.stage_changed', 'deal.won'].map((event) => [event, { deal }]),
  )
})

test('a repeated idempotent create emits no further events', async () => {
  const { crm, owner, newEventNames } = await createWebhookListener()
  const createAna = () => crm.people.createIdempotent(owner, 'k', { full_name: 'Ana' })
  await createAna()
  await runTwenty(createAna)
  await catchRejection(crm.people.createIdempotent(owner, 'k', { full_name: 'Bia' }))
  expect(await newEventNames()).toEqual(['person.created'])
  await runTwenty(() => crm.companies.createIdempotent(owner, 'k', { full_name: 'Acme' }))
  expect(await newEventNames()).toEqual(['company.created'])
})

test('twenty concurrent creates with one key emit one event', async () => {
  const { crm, owner, newEventNames } = await createWebhookListener()
  await Promise.allSettled(
    Array.from({ length: 20 }, () => crm.tags.create(owner, { name: 'Hot', key: 'hot' })),
  )
  expect(await newEventNames()).toEqual(['tag.created'])
})

test.each(['people', 'companies', 'deals'] as const)(
  'a change to only the associations of %s emits an update',
  async (kind) => {
    const { crm, owner, newEvents, clock } = await createWebhookListener()
    await crm.pipelines.create(owner, { name: 'Sales', stages: [{ name: 'New' }] })
    await crm.tags.create(owner, { name: 'Hot' })
    const { id: list } = await crm.lists.create(owner, { name: 'Leads' })
    await crm.customFields.create(owner, { label: 'Size', key: 'size', type: 'number', show_deals: true })
    const api = crm[kind] as unknown as {
      create(a: unknown, i: object): Promise<{ id: string }>
      update(a: unknown, id: string, i: object): Promise<object>
    }
    const { id } = await api.create(owner, kind === 'deals' ? { name: 'Chairs' } : { full_name: 'Ana' })
    const entity = { people: 'person', companies: 'company', deals: 'deal' }[kind]
    await newEvents()
    for (const change of [
      { tags: ['hot'] },
      { lists: [list] },
      { custom_fields: [{ key: 'size', value: 1 }] },
    ]) {
      clock.advance(1)
      const after = await api.update(owner, id, change)
      expect(await newEvents()).toMatchObject([[`${entity}.updated`, { [entity]: after }]])
      await api.update(owner, id, change)
      expect(await newEvents()).toEqual([])
    }
  },
)

test('a change to only the deals of a person emits updates of both', async () => {
  const { crm, owner, newEventNames } = await createWebhookListener()
  await crm.pipelines.create(owner, { name: 'Sales', stages: [{ name: 'New' }] })
  const { id: deal } = await crm.deals.create(owner, { name: 'Chairs' })
  const { id } = await crm.people.create(owner, { full_name: 'Ana' })
  await newEventNames()
  await crm.people.update(owner, id, { deals: [deal] })
  expect((await newEventNames()).sort()).toEqual(['deal.updated', 'person.updated'])
})
