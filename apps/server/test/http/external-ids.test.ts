import { expect, test } from 'vitest'
import { describeEachStore } from '../support/stores.ts'
import { errorOf, openService, openWorkspace } from '../support/test-service.ts'

const KINDS = [
  ['people', { full_name: 'Ana' }],
  ['companies', { full_name: 'Acme' }],
  ['deals', { name: 'Roof' }],
  ['tasks', { title: 'Call' }],
  ['activities', { content_html: 'Called' }],
  ['products', { name: 'Chair', currency: 'BRL' }],
] as const

describeEachStore('an external id', (open) => {
  test('belongs to one of twenty records that are created with it at once, of each kind', async () => {
    const service = await openService(await open())
    const [acme, other] = [await openWorkspace(service), await openWorkspace(service)]
    await acme.createRecord('/v1/pipelines', { name: 'Sales', stages: [{ name: 'New' }] })
    for (const [kind, input] of KINDS) {
      const body = { ...input, external_ids: [{ source: 'hubspot', id: `${kind}-1` }] }
      const responses = await Promise.all(
        Array.from({ length: 20 }, () => acme.call('POST', `/v1/${kind}`, body)),
      )
      const created = responses.filter(({ status }) => status === 201)
      expect([kind, created.length]).toEqual([kind, 1])
      const { id } = (created[0]!.json as { data: { id: string } }).data
      for (const response of responses.filter(({ status }) => status !== 201)) {
        expect(errorOf(response)).toMatchObject({
          code: 'conflict',
          fields: { 'external_ids[0]': expect.any(String) },
        })
        expect(response.headers.get('X-Existing-Id')).toBe(id)
      }
      if (kind !== 'activities') {
        const list = await acme.call('GET', `/v1/${kind}?external_id=hubspot:${kind}-1&include=external_ids`)
        expect(list.json).toMatchObject({
          data: [{ id, external_ids: body.external_ids }],
          meta: { total: 1 },
        })
      }
      const second = await acme.createRecord(`/v1/${kind}`, input)
      const change = await acme.call('PATCH', `/v1/${kind}/${second.id}`, { external_ids: body.external_ids })
      expect([change.status, change.headers.get('X-Existing-Id')]).toEqual([409, id])
      if (kind !== 'deals') expect((await other.call('POST', `/v1/${kind}`, body)).status).toBe(201)
      await acme.call('DELETE', `/v1/${kind}/${id}`)
      expect((await acme.call('POST', `/v1/${kind}`, body)).status).toBe(201)
    }
  })
})
