import { expect, test } from 'vitest'
import { ANN, BEN, catchRejection, createTestCrm, OWNER, type TestCrm } from '../../../test/harness.ts'
import { insertWebhook, listEvents } from '../../../test/webhooks.ts'

/** An app that some members have let in, with a webhook for all events. */
async function connectApp({ crm, ports, owner }: TestCrm, ...emails: readonly string[]) {
  const { client_id } = await crm.operator.createApp({
    ...{ name: 'Sync', email: 'sync@app.example', redirect_uris: ['https://app.example/cb'] },
    scopes: ['people:read', 'companies:read', 'webhooks:manage'],
  })
  for (const user_email of emails)
    await crm.operator.createToken({ workspace: 'acme', client_id, user_email })
  const webhook = await insertWebhook(ports, owner.workspaceId, { client_id })
  return { client_id, webhook }
}

async function withRule() {
  const base = await createTestCrm()
  await base.crm.workspace.update(base.owner, { visibility: { people: 'owner', companies: 'owner' } })
  return base
}

const POLICY = { leaseSeconds: 30, retrySeconds: 60, retries: 3 }

test('an app hears of what the members see who have let it in', async () => {
  const base = await withRule()
  const { crm, storage, owner, ann, ben } = base
  await connectApp(base, ANN.email)
  const company = await crm.companies.create(ben, { full_name: 'Secret', owner_user_id: ben.userId })
  const person = { full_name: 'Ana', company_id: company.id }
  const { id } = await crm.people.create(owner, { ...person, owner_user_id: ann.userId })
  await crm.people.create(owner, { ...person, owner_user_id: ben.userId })
  const events = await listEvents(storage, owner.workspaceId)
  expect(events).toMatchObject([['person.created', { person: { id, company: null } }]])
  expect(JSON.stringify(events)).not.toContain('Secret')
})

test('an app of several members hears of what one of them sees, and of everything with an owner', async () => {
  const base = await withRule()
  const { crm, storage, owner, ann, ben } = base
  const few = await connectApp(base, ANN.email, BEN.email)
  const all = await connectApp(base, ANN.email, OWNER.email)
  for (const { userId } of [ann, ben, owner])
    await crm.people.create(owner, { full_name: 'Ana', owner_user_id: userId })
  const deliveries = await storage.read((tx) => tx.workspace(owner.workspaceId).deliveries.find([]))
  const countOf = (id: string) => deliveries.filter(({ webhook_id }) => webhook_id === id).length
  expect([countOf(few.webhook.id), countOf(all.webhook.id)]).toEqual([2, 3])
})

test('a delivery whose record nobody of the app sees any more is dropped', async () => {
  const base = await withRule()
  const { crm, storage, owner, ann, ben } = base
  await connectApp(base, ANN.email)
  const { id } = await crm.people.create(ann, { full_name: 'Ana', owner_user_id: ann.userId })
  const kept = await crm.people.create(ann, { full_name: 'Bea', owner_user_id: ann.userId })
  await crm.people.remove(ann, kept.id)
  await crm.people.update(owner, id, { owner_user_id: ben.userId })
  const api = crm.deliveryApi(POLICY)
  const sent = await api.claim({ maxPerQueue: 10, quota: () => 10 })
  expect(sent.map(({ body }) => JSON.parse(body).person.id)).toEqual([kept.id, kept.id])
  const dropped = await storage.read((tx) =>
    tx.workspace(owner.workspaceId).deliveries.find([{ field: 'status', is: 'dropped' }]),
  )
  expect(dropped.map(({ event, reason }) => [event, reason])).toEqual([['person.created', 'access_revoked']])
})

test('a member reads no delivery of a record that it does not see', async () => {
  const base = await withRule()
  const { crm, storage, owner, ann, ben } = base
  const { client_id, webhook } = await connectApp(base, ANN.email, BEN.email)
  await crm.people.create(ben, { full_name: 'Secret', owner_user_id: ben.userId })
  const [delivery] = await storage.read((tx) => tx.workspace(owner.workspaceId).deliveries.find([]))
  const read = (actor: typeof ann) =>
    crm.webhooks.delivery({ ...actor, clientId: client_id }, webhook.id, delivery!.id)
  expect(JSON.stringify(await read(ben))).toContain('Secret')
  expect(await catchRejection(read(ann))).toEqual({ code: 'not_found', message: 'Delivery not found.' })
})

test('a repeated call shows what its caller may see now', async () => {
  const { crm, owner, ann, ben } = await withRule()
  const input = { full_name: 'Ana', owner_user_id: ann.userId }
  const first = await crm.people.createIdempotent(ann, 'key', input)
  const repeat = (actor: typeof ann) =>
    crm.people.createIdempotent({ ...actor, clientId: ann.clientId }, 'key', input)
  expect(await repeat(ann)).toEqual({ ...first, isReplay: true })
  expect(await catchRejection(repeat(ben))).toMatchObject({ code: 'not_found' })
  await crm.people.update(owner, first.response.id, { owner_user_id: ben.userId })
  expect(await catchRejection(repeat(ann))).toMatchObject({ code: 'not_found' })
  expect((await repeat(ben)).response.owner?.id).toBe(ben.userId)
})

test('a repeated batch names no record that its caller does not see', async () => {
  const { crm, owner, ann, ben } = await withRule()
  const external_ids = [{ source: 'hubspot', id: '1' }]
  const { id } = await crm.people.create(ann, { full_name: 'Ana', owner_user_id: ann.userId, external_ids })
  const operations = [
    { op: 'create', record: { full_name: 'Bea', external_ids } },
    { op: 'update', id, record: { external_ids: [{ source: 'x' }] } },
  ] as const
  const repeat = async (actor: typeof ann) => {
    const caller = { ...actor, clientId: owner.clientId }
    const { results } = await crm.people.batchIdempotent(caller, 'key', { operations })
    return results.map((result) => 'error' in result && [result.error.code, result.error.existingIds])
  }
  const seen = [
    ['conflict', [id]],
    ['validation_error', undefined],
  ]
  expect([await repeat(ann), await repeat(ann)]).toEqual([seen, seen])
  expect(await repeat(ben)).toEqual([
    ['conflict', undefined],
    ['not_found', undefined],
  ])
})

test('a taken value does not name a holder that the caller does not see', async () => {
  const { crm, ann, ben } = await withRule()
  const external_ids = [{ source: 'hubspot', id: '1' }]
  const { id } = await crm.people.create(ann, { full_name: 'Ana', owner_user_id: ann.userId, external_ids })
  const conflictOf = async (actor: typeof ann) =>
    crm.people.create(actor, { full_name: 'Bea', external_ids }).then(
      () => undefined,
      ({ code, existingIds }) => ({ code, existingIds }),
    )
  expect(await conflictOf(ann)).toEqual({ code: 'conflict', existingIds: [id] })
  expect(await conflictOf(ben)).toEqual({ code: 'conflict', existingIds: undefined })
})
