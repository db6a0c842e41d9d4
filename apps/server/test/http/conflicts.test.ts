import { expect, test } from 'vitest'
import { describeEachStore } from '../support/stores.ts'
import { errorOf, openService, openWorkspace } from '../support/test-service.ts'

/** Unique fields, each with two records that differ in it. */
const UNIQUE = [
  ['tags', 'key', { name: 'Hot', key: 'hot' }, { name: 'Cold', key: 'cold' }],
  ['lost-reasons', 'name', { name: 'Price' }, { name: 'Rival' }],
  ['task-types', 'key', { title: 'Visit', key: 'visit' }, { title: 'Demo', key: 'demo' }],
  [
    'products',
    'code',
    { name: 'Chair', currency: 'BRL', code: 'hot' },
    { name: 'Desk', currency: 'BRL', code: 'cold' },
  ],
] as const

describeEachStore('a change', (open) => {
  test.each(UNIQUE)(
    'of %s to a used %s returns 409 and changes nothing; another workspace may use the value',
    async (kind, field, first, second) => {
      const service = await openService(await open())
      const [acme, other] = [await openWorkspace(service), await openWorkspace(service)]
      const usedValue = (first as Record<string, string>)[field]
      await acme.createRecord(`/v1/${kind}`, first)
      const record = await acme.createRecord(`/v1/${kind}`, second)
      const path = `/v1/${kind}/${record.id}`
      const errorResponse = await acme.call('PATCH', path, { [field]: usedValue })
      const message = 'A record with this value already exists.'
      expect([errorResponse.status, errorOf(errorResponse)]).toEqual([
        409,
        { code: 'conflict', message, fields: { [field]: message } },
      ])
      expect((await acme.call('GET', path)).json).toEqual({ data: record })
      const { id } = await other.createRecord(`/v1/${kind}`, second)
      expect((await other.call('PATCH', `/v1/${kind}/${id}`, { [field]: usedValue })).status).toBe(200)
    },
  )
})
