import { expect, test } from 'vitest'
import { CrmApiError } from '../src/errors.ts'
import { openLiveClient } from './support/live-client.ts'

const UNKNOWN_ID = '01a1fc31-2860-78c5-98aa-1e202d361899'

test('creates, reads, updates, lists and deletes a person', async () => {
  const { crm } = await openLiveClient()
  const ana = await crm.people.create({ full_name: 'Ana Lima', emails: [{ email: 'ana@lima.example' }] })
  expect(ana).toMatchObject({ full_name: 'Ana Lima', emails: [{ email: 'ana@lima.example', type: 'work' }] })
  expect(await crm.people.update(ana.id, { position: 'CEO' })).toMatchObject({ position: 'CEO' })
  expect(await crm.people.get(ana.id)).toMatchObject({ id: ana.id, full_name: 'Ana Lima', position: 'CEO' })
  const { data, meta } = await crm.people.list({ search: 'ana', order_by: 'full_name', order: 'asc' })
  expect(data).toMatchObject([{ id: ana.id }])
  expect(meta).toEqual({ total: 1, page: 1, per_page: 50, has_more: false })
  const filtered = (value: string) =>
    crm.people.list({ filter: { and: [{ field: 'position', op: 'is', value }] } })
  expect([(await filtered('ceo')).data.length, (await filtered('a & b')).data.length]).toEqual([1, 0])
  expect(await crm.people.delete(ana.id)).toBeUndefined()
  await expect(crm.people.get(ana.id)).rejects.toMatchObject({ status: 404, code: 'not_found' })
})

test('creates, reads, updates and deletes the other kinds of records', async () => {
  const { crm } = await openLiveClient()

  const company = await crm.companies.create({ full_name: 'Pampa', website: 'https://pampa.example' })
  expect(await crm.companies.update(company.id, { website: null })).toMatchObject({ website: null })
  expect(await crm.companies.get(company.id)).toMatchObject({ full_name: 'Pampa', website: null })

  const sales = await crm.pipelines.create({ name: 'Sales', stages: [{ name: 'New' }] })
  expect(await crm.pipelines.update(sales.id, { name: 'Export' })).toMatchObject({ name: 'Export' })
  expect(await crm.pipelines.get(sales.id)).toMatchObject({ stages: [{ name: 'New', type: 'open' }] })

  const deal = await crm.deals.create({ name: 'Fifty chairs', amount: 500_00, company_id: company.id })
  expect(await crm.deals.update(deal.id, { amount: 450_00 })).toMatchObject({ amount: 450_00 })
  expect(await crm.deals.get(deal.id)).toMatchObject({ stage: { name: 'New' }, company: { id: company.id } })

  const visit = await crm.taskTypes.create({ title: 'Visit', key: 'visit' })
  expect(await crm.taskTypes.update(visit.id, { color: '#ff0000' })).toMatchObject({ color: '#ff0000' })
  expect(await crm.taskTypes.get(visit.id)).toMatchObject({ title: 'Visit', key: 'visit' })

  const task = await crm.tasks.create({ title: 'Measure', type: 'visit', due_date: '2026-03-02T09:00:00Z' })
  expect(await crm.tasks.update(task.id, { completed: true })).toMatchObject({ completed: true })
  expect(await crm.tasks.get(task.id)).toMatchObject({ title: 'Measure', type: { key: 'visit' } })

  const call = await crm.activities.create({ entity: 'deals', entity_id: deal.id, content_html: '<p>Hi</p>' })
  expect(await crm.activities.update(call.id, { content_html: '<p>Bye</p>' })).toMatchObject({ id: call.id })
  expect(await crm.activities.get(call.id)).toMatchObject({ content_html: '<p>Bye</p>', attachments: [] })
  expect(await crm.activities.list({ entity: 'deals', id: deal.id })).toMatchObject({ meta: { total: 1 } })

  const chair = await crm.products.create({ name: 'Chair', currency: 'BRL', price_cts: 99_00 })
  expect(await crm.products.update(chair.id, { is_active: false })).toMatchObject({ is_active: false })
  expect(await crm.products.get(chair.id)).toMatchObject({ name: 'Chair', price_cts: 99_00 })
  expect(await crm.products.list({ is_active: true })).toMatchObject({ data: [] })

  const tag = await crm.tags.create({ name: 'Hot lead', key: 'hot_lead', color: '#f59e0b' })
  expect(await crm.tags.update('hot_lead', { name: 'Hot' })).toMatchObject({ id: tag.id, name: 'Hot' })
  expect(await crm.tags.get(tag.id)).toMatchObject({ key: 'hot_lead' })

  const list = await crm.lists.create({ name: 'Fair' })
  expect(await crm.lists.update(list.id, { description: 'March' })).toMatchObject({ description: 'March' })
  expect(await crm.lists.get(list.id)).toMatchObject({ name: 'Fair', records_count: 0 })

  const field = await crm.customFields.create({ label: 'CNPJ', key: 'cnpj', type: 'cnpj' })
  expect(await crm.customFields.update(field.id, { required: true })).toMatchObject({ required: true })
  expect(await crm.customFields.get(field.id)).toMatchObject({ key: 'cnpj', type: 'cnpj' })

  await crm.tags.delete('hot_lead')
  await crm.activities.delete(call.id)
  await crm.tasks.delete(task.id)
  await crm.taskTypes.delete(visit.id)
  await crm.deals.delete(deal.id)
  await crm.companies.delete(company.id)
  await crm.products.delete(chair.id)
  await crm.lists.delete(list.id)
  await crm.customFields.delete(field.id)
  const lists = [crm.tags, crm.tasks, crm.deals, crm.companies, crm.products, crm.lists, crm.customFields]
  for (const { list } of lists) expect((await list()).meta.total).toBe(0)
  await expect(crm.taskTypes.get(visit.id)).rejects.toMatchObject({ code: 'not_found' })
  await expect(crm.activities.get(call.id)).rejects.toMatchObject({ code: 'not_found' })
  await crm.pipelines.delete(sales.id)
  await expect(crm.pipelines.get(sales.id)).rejects.toMatchObject({ message: 'Pipeline not found.' })
})

test('manages webhooks and their deliveries', async () => {
  const { crm } = await openLiveClient()
  const webhook = await crm.webhooks.create({
    url: 'https://hooks.radar.example/crm',
    events: ['deal.won'],
    auth_enable: true,
  })
  expect(webhook.webhook_secret).toMatch(/^whsec_/)
  expect(await crm.webhooks.update(webhook.id, { events: ['deal.lost'] })).toMatchObject({
    events: ['deal.lost'],
  })
  expect(await crm.webhooks.get(webhook.id)).not.toHaveProperty('webhook_secret')
  expect(await crm.webhooks.list()).toMatchObject({ data: [{ id: webhook.id }] })

  const delivery = await crm.webhooks.test(webhook.id)
  expect(delivery).toMatchObject({ webhook_id: webhook.id, event: 'webhook.test', status: 'pending' })
  expect(await crm.webhooks.deliveries.list(webhook.id, { status: 'pending' })).toMatchObject({
    data: [{ id: delivery.id }],
  })
  expect(await crm.webhooks.deliveries.get(webhook.id, delivery.id)).toMatchObject({ attempts: [] })
  expect(await crm.webhooks.deliveries.redeliver(webhook.id, delivery.id)).toMatchObject({ id: delivery.id })

  await crm.webhooks.delete(webhook.id)
  await expect(crm.webhooks.test(webhook.id)).rejects.toMatchObject({ code: 'not_found' })
})

test('sends a file in parts, and changes what becomes of its columns', async () => {
  const { crm, service } = await openLiveClient()
  const file = new Blob(['Name,E-mail\nAna Lima,ana@lima.example\n'])
  const { id } = await crm.imports.create({ name: 'people.csv', size: file.size })
  expect(await crm.imports.uploadPart(id, 0, file.slice(0, 10))).toMatchObject({ received: 10 })
  expect(await crm.imports.uploadPart(id, 0, file)).toMatchObject({ received: 10 })
  expect(await crm.imports.uploadPart(id, 10, file.slice(10))).toMatchObject({ state: 'reading' })
  await service.crm.imports.continue()
  const changes = { columns: [{ column: 1, target: null }], policy: 'keep' } as const
  expect(await crm.imports.update(id, changes)).toMatchObject({ state: 'ready', policy: 'keep' })
  expect(await crm.imports.list()).toMatchObject({ data: [{ id, user: { name: 'Olga' } }] })
  expect(await crm.imports.check(id)).toMatchObject({ state: 'checking' })
  expect(await crm.imports.cancel(id)).toMatchObject({ state: 'ready' })
  await crm.imports.delete(id)
  await expect(crm.imports.get(id)).rejects.toMatchObject({ code: 'not_found' })
})

test('reads the members and the workspace', async () => {
  const { crm, acme } = await openLiveClient()
  expect(await crm.members.list()).toMatchObject({ data: [{ name: 'Olga', role: 'owner' }] })
  expect(await crm.workspace.get()).toMatchObject({ name: 'Acme', slug: acme.slug })
})

test('an error has the code, the fields and the request id of the service', async () => {
  const { crm } = await openLiveClient()
  const error = await crm.people
    .create({ full_name: '', emails: [{ email: 'nobody' }] })
    .catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(CrmApiError)
  expect(error).toMatchObject({
    status: 422,
    code: 'validation_error',
    message: 'Validation failed.',
    fields: { full_name: expect.any(String), 'emails[0].email': 'Must be an e-mail address.' },
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    retryAfterSeconds: undefined,
  })
  await expect(crm.people.get(UNKNOWN_ID)).rejects.toMatchObject({ message: 'Person not found.', fields: {} })
})

test.each(['', '.', '..', 'a/b', '../members', '\ud800', undefined, 7])(
  'refuses the id %j before anything is sent',
  async (id) => {
    let requests = 0
    const { crm } = await openLiveClient({
      fetch: (input, init) => {
        requests += 1
        return fetch(input, init)
      },
    })
    const rule = 'id must be a non-empty string without "/", and not "." or "..".'
    await expect(crm.people.get(id as string)).rejects.toThrow(new TypeError(rule))
    await expect(crm.people.update(id as string, { score: 1 })).rejects.toThrow(rule)
    await expect(crm.people.delete(id as string)).rejects.toThrow(rule)
    await expect(crm.webhooks.deliveries.get(UNKNOWN_ID, id as string)).rejects.toThrow(rule)
    expect(() => crm.webhooks.deliveries.list(id as string)).toThrow(/^webhookId must be/)
    expect(requests).toBe(0)
  },
)

test('sends an id as one segment of the path', async () => {
  const { crm } = await openLiveClient()
  for (const id of ['..%2Fmembers', '%2e%2e', 'a?x=1', 'a#b', '\\..\\members', 'ä'])
    await expect(crm.people.get(id)).rejects.toMatchObject({ message: 'Person not found.' })
})

test('reads timelines, boards, reports, a search and the member of the token', async () => {
  const { crm, advanceClock } = await openLiveClient()
  const sales = await crm.pipelines.create({ name: 'Sales', stages: [{ name: 'New' }, { name: 'Offer' }] })
  const ana = await crm.people.create({ full_name: 'Ana Lima' })
  const deal = await crm.deals.create({ name: 'Roof', amount: 500, currency: 'EUR', person_id: ana.id })
  // Entries of one instant are in the order of their ids.
  advanceClock(1000)
  await crm.deals.update(deal.id, { stage_id: sales.stages[1]!.id })
  for (const title of ['First', 'Second', 'Third']) {
    advanceClock(1000)
    await crm.tasks.create({ title, person_id: ana.id })
  }
  await crm.tasks.create({ title: 'Call', deal_id: deal.id, due_date: '2026-03-02T09:00:00Z' })

  const tag = await crm.tags.create({ name: 'Warm' })
  expect(await crm.people.changeMemberships(ana.id, { add_tags: [tag.key] })).toMatchObject({
    tags: [{ id: tag.id }],
  })
  const page = await crm.people.timeline(ana.id, { limit: 2 })
  expect(page.data).toMatchObject([{ task: { title: 'Third' } }, { task: { title: 'Second' } }])
  expect(page.meta).toMatchObject({ total: 5, has_more: true, next_cursor: expect.any(String) })
  const kinds: string[] = []
  for await (const { kind } of crm.people.timeline(ana.id, { limit: 2 })) kinds.push(kind)
  expect(kinds).toEqual(['task', 'task', 'task', 'stage_move', 'deal'])
  expect(await crm.companies.timeline((await crm.companies.create({ full_name: 'Pampa' })).id)).toMatchObject(
    { data: [] },
  )

  const board = await crm.pipelines.board(sales.id, { order_by: 'amount', limit: 1 })
  expect(board.stages).toMatchObject([
    { name: 'New', count: 0 },
    { amounts: [{ currency: 'EUR', amount: 500 }], deals: [{ id: deal.id, next_task: { title: 'Call' } }] },
  ])
  const { data } = await crm.deals.list({ include: 'stage_entered_at' })
  expect(data[0]!.stage_entered_at).toBe(board.stages[1]!.deals[0]!.stage_entered_at)

  expect(await crm.reports.aggregate({ entity: 'tasks', metric: 'count' })).toMatchObject({
    groups: [{ count: 4 }],
  })
  expect(await crm.reports.pipeline({ pipeline_id: sales.id })).toMatchObject({ open: { count: 1 } })
  expect(await crm.search({ search: 'ana', kinds: 'people' })).toMatchObject({
    people: { records: [{ id: ana.id }] },
  })
  expect(await crm.me.get()).toMatchObject({ role: 'owner', scopes: expect.arrayContaining(['people:read']) })
})

test('follows a record, and reads what the member was told', async () => {
  const { crm } = await openLiveClient()
  const { id } = await crm.companies.create({ full_name: 'Acme' })
  for (const _ of [1, 2]) await crm.companies.follow(id)
  expect(await crm.companies.isFollowing(id)).toBe(true)
  expect((await crm.following.list()).data).toMatchObject([{ kind: 'companies', id }])
  await crm.companies.unfollow(id)
  expect(await crm.companies.isFollowing(id)).toBe(false)
  expect(await crm.notifications.readAll()).toEqual({ read: 0 })
  expect((await crm.notifications.list({ unread: true })).data).toEqual([])
  await expect(crm.me.update({ language: 'en' })).rejects.toMatchObject({ status: 403 })
  await expect(crm.companies.follow('a/b')).rejects.toThrow('id must be')
})

test('shares a record, and says who sees it', async () => {
  const { crm, acme } = await openLiveClient()
  const ann = await acme.addMember('ann', 'member')
  const { id } = await crm.companies.create({ full_name: 'Pampa', owner_user_id: acme.owner.id })
  await crm.workspace.update({ visibility: { companies: 'owner' } })
  const share = { member_id: ann.id, access: 'write' } as const
  expect(await crm.companies.setShares(id, [share])).toEqual([share])
  expect(await crm.companies.shares(id)).toEqual([share])
  expect(await crm.companies.viewers(id)).toMatchObject([
    { member_id: acme.owner.id, reason: 'owner' },
    { member_id: ann.id, reason: 'share', access: 'write' },
  ])
  await expect(crm.companies.setShares('a/b', [])).rejects.toThrow('id must be')
})
