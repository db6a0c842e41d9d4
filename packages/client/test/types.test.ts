import { describe, expectTypeOf, test } from 'vitest'
import type { Delivery, Member, Person, PersonListItem, Task, WebhookWithSecret } from '../src/index.ts'
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
    expectTypeOf(crm.members.list).returns.toExtend<AsyncIterable<Member>>()
    expectTypeOf<Awaited<ReturnType<typeof list>>['meta']['has_more']>().toBeBoolean()
  })

  test('reject wrong inputs', () => {
    expectTypeOf(crm.people.create).parameter(0).toExtend<{ full_name: string }>()
    expectTypeOf(crm.people.create)
      .parameter(1)
      .toHaveProperty('idempotencyKey' as never)
    expectTypeOf<Parameters<typeof crm.activities.list>>().not.toExtend<[]>()
    // @ts-expect-error: `entity` and `id` are required.
    void (() => crm.activities.list())
    // @ts-expect-error: unknown filter.
    void (() => crm.people.list({ serch: 'ana' }))
    // @ts-expect-error: the name is required.
    void (() => crm.people.create({}))
    // @ts-expect-error: tasks have no key.
    void (() => crm.tasks.create({ title: 'x' }, { idempotencyKey: 'x' }))
    // @ts-expect-error: the page number is a number.
    void (() => crm.deals.list({ page: '1' }))
  })

  test('of error codes are those of the contract', () => {
    const { code } = new CrmApiError('Wait.', { status: 429 })
    expectTypeOf<'rate_limit_exceeded'>().toExtend<typeof code>()
    // @ts-expect-error: no such code.
    void (() => code === 'teapot')
  })
})
