import { expect, test } from 'vitest'
import { describeEachStore } from '../support/stores.ts'
import { errorOf, openService, openWorkspace } from '../support/test-service.ts'

const CALLS = [
  ['people', { email: 'ana@x.example' }, { full_name: 'Ana' }],
  ['companies', { external_id: { source: 'hubspot', id: '1' } }, { full_name: 'Acme' }],
  ['deals', { external_id: { source: 'hubspot', id: '1' } }, { name: 'Roof' }],
  ['products', { code: 'A-1' }, { name: 'Chair', currency: 'BRL' }],
] as const

interface Answer {
  readonly data: { readonly id: string }
}

describeEachStore('an upsert', (open) => {
  test('creates one record of twenty that race with one value, and changes it in the others', async () => {
    const acme = await openWorkspace(await openService(await open()))
    await acme.createRecord('/v1/pipelines', { name: 'Sales', stages: [{ name: 'New' }] })
    for (const [kind, match, record] of CALLS) {
      const responses = await Promise.all(
        Array.from({ length: 20 }, () => acme.call('POST', `/v1/${kind}/upsert`, { match, record })),
      )
      const statuses = responses.map(({ status }) => status)
      expect([kind, statuses.filter((status) => status === 201).length]).toEqual([kind, 1])
      expect([kind, statuses.filter((status) => status === 200).length]).toEqual([kind, 19])
      expect(new Set(responses.map(({ json }) => (json as Answer).data.id)).size).toBe(1)
      expect((await acme.call('GET', `/v1/${kind}`)).json).toMatchObject({ meta: { total: 1 } })
    }
  })

  test('names the records in the error object if several match', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const emails = [{ email: 'ana@x.example' }]
    const first = await acme.createRecord('/v1/people', { full_name: 'Ana', emails })
    const second = await acme.createRecord('/v1/people', { full_name: 'Eva', emails })
    const input = { match: { email: 'ana@x.example' }, record: { full_name: 'Ana' } }
    const response = await acme.call('POST', '/v1/people/upsert', input)
    expect(response.status).toBe(409)
    expect(errorOf(response)).toMatchObject({
      code: 'conflict',
      fields: { match: 'Several records hold this value.' },
      existing_ids: [first.id, second.id],
    })
  })

  test('of each kind is refused with the field below record, and names who holds its value', async () => {
    const acme = await openWorkspace(await openService(await open()))
    await acme.createRecord('/v1/pipelines', { name: 'Sales', stages: [{ name: 'New' }] })
    const [mine, taken] = ['mine', 'taken'].map((id) => ({ source: 'erp', id }))
    for (const [kind, , record] of CALLS) {
      const { id } = await acme.createRecord(`/v1/${kind}`, { ...record, external_ids: [taken] })
      const input = { match: { external_id: mine }, record: { ...record, external_ids: [mine, taken] } }
      const response = await acme.call('POST', `/v1/${kind}/upsert`, input)
      expect(response.status).toBe(409)
      expect(errorOf(response)).toMatchObject({
        fields: { 'record.external_ids[1]': 'A record with this value already exists.' },
        existing_ids: [id],
      })
      expect((await acme.call('POST', `/v1/${kind}/upsert`, { match: {}, record })).status).toBe(422)
    }
  })
})
