import { expect, test } from 'vitest'
import { catchFieldErrors, catchRejection, createTestCrm, UNKNOWN_ID } from '../../../test/harness.ts'

const HUBSPOT = { source: 'hubspot', id: '4711' }
const message = 'A record with this value already exists.'

test('operations run in their order, and each succeeds or fails alone', async () => {
  const { crm, owner } = await createTestCrm()
  const eva = await crm.people.create(owner, { full_name: 'Eva' })
  const bob = await crm.people.create(owner, { full_name: 'Bob', external_ids: [HUBSPOT] })
  const results = await crm.people.batch(owner, {
    operations: [
      { op: 'create', record: { full_name: 'Ana' } },
      { op: 'create', record: { full_name: '', emails: [{ email: 'x' }] } },
      { op: 'update', id: eva.id.toUpperCase(), record: { score: 7 } },
      { op: 'update', id: UNKNOWN_ID, record: { score: 7 } },
      { op: 'update', id: eva.id, record: {} },
      { op: 'create', record: { full_name: 'Eve', external_ids: [HUBSPOT] } },
      { op: 'delete', id: bob.id },
      { op: 'upsert', match: { external_id: HUBSPOT }, record: { full_name: 'Eve' } },
      { op: 'upsert', match: { external_id: HUBSPOT }, record: { full_name: 'Yves' } },
      { op: 'delete', id: bob.id },
    ],
  })
  expect(results).toMatchObject([
    { done: 'created', data: { full_name: 'Ana' } },
    { error: { fields: { full_name: 'Required.', 'emails[0].email': 'Must be an e-mail address.' } } },
    { done: 'updated', id: eva.id, data: { score: 7 } },
    { error: { code: 'not_found', message: 'Person not found.' } },
    { error: { code: 'bad_request' } },
    { error: { code: 'conflict', fields: { 'external_ids[0]': message }, existingIds: [bob.id] } },
    { done: 'deleted', id: bob.id },
    { done: 'created', data: { full_name: 'Eve' } },
    { done: 'updated', data: { full_name: 'Yves' } },
    { error: { code: 'not_found' } },
  ])
  const names = (await crm.people.list(owner)).data.map(({ full_name }) => full_name)
  expect(names.toSorted()).toEqual(['Ana', 'Eva', 'Yves'])
})

test('of two operations with one unique value the first counts, whether or not a read comes between them', async () => {
  const { crm, owner } = await createTestCrm()
  const create = (name: string, code: string) =>
    ({ op: 'create', record: { name, code, currency: 'BRL', price_cts: 100 } }) as const
  const results = await crm.products.batch(owner, {
    operations: [create('Chair', 'CH'), create('Table', 'CH'), create('Lamp', 'LA')],
  })
  expect(results).toMatchObject([
    { done: 'created', data: { name: 'Chair' } },
    { error: { code: 'conflict', fields: { code: message } } },
    { done: 'created', data: { name: 'Lamp' } },
  ])
  const atomic = crm.products.batch(owner, {
    operations: [create('Sofa', 'SO'), create('Stool', 'CH')],
    atomic: true,
  })
  await expect(atomic).rejects.toMatchObject({ code: 'conflict', fields: { 'operations[1].code': message } })
  const names = (await crm.products.list(owner)).data.map(({ name }) => name)
  expect(names.toSorted()).toEqual(['Chair', 'Lamp'])
})

test('an atomic batch that fails writes nothing, and names the operation', async () => {
  const { crm, owner } = await createTestCrm()
  const { id } = await crm.people.create(owner, { full_name: 'Eva', external_ids: [HUBSPOT] })
  const first = { op: 'create', record: { full_name: 'Ana' } } as const
  const run = (...operations: Parameters<typeof crm.people.batch>[1]['operations']) =>
    crm.people.batch(owner, { operations: [first, ...operations], atomic: true })
  expect(await catchFieldErrors(run({ op: 'create', record: { position: 7 } }))).toEqual({
    'operations[1].full_name': 'Required.',
    'operations[1].position': 'Must be a string.',
  })
  const upsert = { op: 'upsert', match: { email: 'a@x.example' }, record: {} } as const
  expect(await catchFieldErrors(run(upsert))).toEqual({ 'operations[1].record.full_name': 'Required.' })
  expect(await catchFieldErrors(run({ ...upsert, match: { email: 'a' } }))).toEqual({
    'operations[1].match.email': 'Must be an e-mail address.',
  })
  await expect(
    run({ op: 'create', record: { full_name: 'Bob', external_ids: [HUBSPOT] } }),
  ).rejects.toMatchObject({ fields: { 'operations[1].external_ids[0]': message }, existingIds: [id] })
  expect(await catchRejection(run({ op: 'delete', id: UNKNOWN_ID }))).toEqual({
    code: 'not_found',
    message: 'Person not found.',
  })
  expect((await crm.people.list(owner)).meta.total).toBe(1)
  expect(await run({ op: 'delete', id })).toMatchObject([{ done: 'created' }, { done: 'deleted' }])
})

test('a malformed batch names each rule, and runs nothing', async () => {
  const { crm, owner } = await createTestCrm()
  const errorsOf = (input: unknown) => catchFieldErrors(crm.tags.batch(owner, input as never))
  const create = { op: 'create', record: { name: 'Hot' } }
  expect(await errorsOf({ operations: [] })).toEqual({
    operations: 'Must have between 1 and 100 operations.',
  })
  expect(await errorsOf({ operations: Array.from({ length: 101 }, () => create) })).toEqual({
    operations: 'Must have between 1 and 100 operations.',
  })
  expect(
    await errorsOf({ operations: [create, { op: 'move' }, { op: 'update' }, 7], atomic: 'yes' }),
  ).toEqual({
    'operations[1].op': 'Must be one of: create, update, upsert, delete.',
    'operations[2].id': 'Required.',
    'operations[2].record': 'Required.',
    'operations[3]': 'Must be an object.',
    atomic: 'Must be true or false.',
  })
  expect(await errorsOf({ operations: [{ ...create, id: 'x', extra: 1 }] })).toEqual({
    'operations[0].id': 'Does not belong to the operation create.',
    'operations[0].extra': expect.stringMatching(/^Unknown field/),
  })
  expect((await crm.tags.list(owner)).meta.total).toBe(0)
  const reader = { ...owner, scopes: new Set(['tags:read'] as const) }
  expect(await catchRejection(crm.tags.batch(reader, { operations: [] }))).toMatchObject({
    code: 'insufficient_scope',
  })
})

test('files, upserts of other kinds and missing rights fail alone', async () => {
  const { crm, owner, ann } = await createTestCrm()
  const image = {
    op: 'create',
    record: { name: 'Chair', currency: 'BRL', image: 'https://x.example/a.png' },
  } as const
  expect(await crm.products.batch(owner, { operations: [image] })).toMatchObject([
    { error: { fields: { image: 'Must be sent in a call of its own.' } } },
  ])
  const match = { external_id: HUBSPOT }
  expect(await crm.tasks.batch(owner, { operations: [{ op: 'upsert', match, record: {} }] })).toMatchObject([
    { error: { fields: { op: 'Must be one of: create, update, delete.' } } },
  ])
  const { id } = await crm.people.create(owner, { full_name: 'Eva', owner_user_id: owner.userId })
  const deals = { op: 'create', record: { full_name: 'Ana', deals: [] } } as const
  const withoutDeals = { ...ann, scopes: new Set(['people:write'] as const) }
  const operations = [{ op: 'delete', id }, deals, { op: 'create', record: { full_name: 'Bob' } }] as const
  expect(await crm.people.batch(withoutDeals, { operations })).toMatchObject([
    { error: { code: 'forbidden', message: 'You do not have permission to delete this person.' } },
    { error: { code: 'insufficient_scope', scope: 'deals:write' } },
    { done: 'created' },
  ])
})

test('a repeated batch writes nothing, and returns the records as they are', async () => {
  const { crm, owner } = await createTestCrm()
  const input = {
    operations: [
      { op: 'create', record: { full_name: 'Ana' } },
      { op: 'create', record: {} },
      { op: 'create', record: { full_name: 'Bob' } },
    ],
  } as const
  const first = await crm.people.batchIdempotent(owner, 'k', input)
  const [ana, , bob] = first.results as readonly { readonly id: string }[]
  await crm.people.update(owner, ana!.id, { full_name: 'Anna' })
  await crm.people.remove(owner, bob!.id)
  const second = await crm.people.batchIdempotent(owner, 'k', input)
  expect([first.isReplay, second.isReplay]).toEqual([false, true])
  expect(second.results).toMatchObject([
    { done: 'created', id: ana!.id, data: { full_name: 'Anna' } },
    { error: { code: 'validation_error', fields: { full_name: 'Required.' } } },
    { error: { code: 'not_found' } },
  ])
  expect((await crm.people.list(owner)).meta.total).toBe(1)
  expect(
    await catchRejection(
      crm.people.batchIdempotent(owner, 'k', { operations: [{ op: 'delete', id: ana!.id }] }),
    ),
  ).toMatchObject({ code: 'idempotency_conflict' })
})

test('tags are named by their keys, too', async () => {
  const { crm, owner } = await createTestCrm()
  const [hot, cold] = [
    await crm.tags.create(owner, { name: 'Hot' }),
    await crm.tags.create(owner, { name: 'Cold' }),
  ]
  const operations = [
    { op: 'update', id: 'HOT', record: { name: 'Very hot' } },
    { op: 'delete', id: 'cold' },
    { op: 'delete', id: 'warm' },
  ] as const
  expect(await crm.tags.batch(owner, { operations })).toMatchObject([
    { done: 'updated', id: hot.id, data: { name: 'Very hot' } },
    { done: 'deleted', id: cold.id },
    { error: { code: 'not_found' } },
  ])
})

test('a tag has no key that is a word of a path', async () => {
  const { crm, owner } = await createTestCrm()
  expect(await catchFieldErrors(crm.tags.create(owner, { name: 'X', key: 'Batch' }))).toEqual({
    key: 'Must not be one of: export, batch, upsert.',
  })
  expect((await crm.tags.create(owner, { name: 'Export' })).key).toBe('export_2')
})
