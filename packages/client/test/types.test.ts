import { describe, expectTypeOf, test } from 'vitest'
import type {
  Delivery,
  Import,
  KeptRecord,
  MemberListItem,
  Person,
  PersonListItem,
  Task,
  WebhookWithSecret,
} from '../src/index.ts'
import { CrmApiError, createClient } from '../src/index.ts'

const crm = createClient({ url: 'https://crm.example', token: 'abc', fetch: async () => new Response('{}') })

describe('types', () => {
  test('of methods are those of the record', () => {
    expectTypeOf(crm.people.get).returns.resolves.toEqualTypeOf<Person>()
    expectTypeOf(crm.people.create).returns.resolves.toEqualTypeOf<Person>()
    expectTypeOf(crm.tasks.update).returns.resolves.toEqualTypeOf<Task>()
    expectTypeOf(crm.webhooks.create).returns.resolves.toEqualTypeOf<WebhookWithSecret>()
    expectTypeOf(crm.webhooks.get).returns.resolves.not.toHaveProperty('webhook_secret')
    expectTypeOf(crm.webhooks.deliveries.redeliver).returns.resolves.toEqualTypeOf<Delivery>()
    expectTypeOf(crm.lists.delete).returns.resolves.toBeVoid()
  })

  test('of lists are those of the list, awaited and iterated', () => {
    const list = () => crm.people.list({ search: 'ana' })
    expectTypeOf<Awaited<ReturnType<typeof list>>['data']>().toEqualTypeOf<PersonListItem[]>()
    expectTypeOf(list).returns.toExtend<AsyncIterable<PersonListItem>>()
    expectTypeOf(crm.members.list).returns.toExtend<AsyncIterable<MemberListItem>>()
    expectTypeOf<Awaited<ReturnType<typeof list>>['meta']['has_more']>().toBeBoolean()
  })

  test('of exports are those of the record', () => {
    expectTypeOf(crm.people.export).returns.toExtend<AsyncIterable<Omit<Person, 'shared_with'>>>()
    expectTypeOf(crm.activities.export).toBeCallableWith({ order: 'asc' })
    expectTypeOf(crm.people.export).parameter(0).not.toExtend<{ page?: number } | undefined>()
  })

  test('of imports are those of the import, without the size of a file', () => {
    expectTypeOf(crm.imports.upload).returns.resolves.toEqualTypeOf<Import>()
    expectTypeOf(crm.imports.kept).returns.toExtend<AsyncIterable<KeptRecord>>()
    expectTypeOf(crm.imports.upload).toBeCallableWith({ name: 'a.csv' }, new Blob(['a']))
    expectTypeOf(crm.imports.wait).parameter(1).not.toExtend<readonly 'ended'[] | undefined>()
    expectTypeOf(crm.imports.decide).toBeCallableWith('1', { decisions: [{ number: 0, decision: 'keep' }] })
  })

  test('reject wrong inputs', () => {
    expectTypeOf(crm.people.create).parameter(0).toExtend<{ full_name: string }>()
    expectTypeOf(crm.people.create)
      .parameter(1)
      .toHaveProperty('idempotencyKey' as never)
    // `entity` and `id` are required.
    expectTypeOf<Parameters<typeof crm.activities.list>>().not.toExtend<[]>()
    expectTypeOf<[]>().not.toExtend<Parameters<typeof crm.activities.list>>()
    expectTypeOf<'serch'>().not.toExtend<keyof NonNullable<Parameters<typeof crm.people.list>[0]>>()
    expectTypeOf<'search'>().toExtend<keyof NonNullable<Parameters<typeof crm.people.list>[0]>>()
    expectTypeOf<object>().not.toExtend<Parameters<typeof crm.people.create>[0]>()
    // Webhooks have no key.
    expectTypeOf<'idempotencyKey'>().toExtend<keyof NonNullable<Parameters<typeof crm.tasks.create>[1]>>()
    expectTypeOf<'idempotencyKey'>().not.toExtend<
      keyof NonNullable<Parameters<typeof crm.webhooks.create>[1]>
    >()
    expectTypeOf<{ page: string }>().not.toExtend<NonNullable<Parameters<typeof crm.deals.list>[0]>>()
  })

  test('of error codes are those of the contract', () => {
    const { code } = new CrmApiError('Wait.', { status: 429 })
    expectTypeOf<'rate_limit_exceeded'>().toExtend<typeof code>()
    expectTypeOf<'teapot'>().not.toExtend<typeof code>()
  })
})
