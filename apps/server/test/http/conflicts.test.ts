import { expect, test } from 'vitest'
import { describeEachStore } from '../support/stores.ts'
import { errorOf, openService, openWorkspace } from '../support/test-service.ts'

/** What is unique in a workspace, and two records that differ in it. */
const UNIQUE = [
  ['tags', 'key', { name: 'Hot', key: 'hot' }, { name: 'Cold', key: 'cold' }],
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
    'of one of %s to a %s that another has is a 409, and changes nothing',
    async (family, field, first, second) => {
      const service = await openService(await open())
      const [acme, other] = [await openWorkspace(service), await openWorkspace(service)]
      const taken = (first as Record<string, string>)[field]
      await acme.createRecord(`/v1/${family}`, first)
      const made = await acme.createRecord(`/v1/${family}`, second)
      const path = `/v1/${family}/${made.id}`
      const refused = await acme.call('PATCH', path, { [field]: taken })
      const message = 'A record with this value already exists.'
      expect([refused.status, errorOf(refused)]).toEqual([
        409,
        { code: 'conflict', message, fields: { [field]: message } },
      ])
      expect((await acme.call('GET', path)).json).toEqual({ data: made })
      const { id } = await other.createRecord(`/v1/${family}`, second)
      expect((await other.call('PATCH', `/v1/${family}/${id}`, { [field]: taken })).status).toBe(200)
    },
  )
})
