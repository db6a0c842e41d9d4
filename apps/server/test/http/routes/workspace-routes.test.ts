import { expect, test } from 'vitest'
import { describeEachStore } from '../../support/stores.ts'
import { errorOf, openService, openWorkspace } from '../../support/test-service.ts'

describeEachStore('example records over HTTP', (open) => {
  test('are made once in a race of twenty, in the language of the caller, and taken out', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const rival = await openWorkspace(service, 'Rival')
    const headers = { 'Accept-Language': 'pt-BR, en;q=0.5' }
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => acme.call('POST', '/v1/workspace/examples', undefined, { headers })),
    )
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, ...Array(19).fill(409)])
    const { json } = await acme.call('GET', '/v1/deals?search=sof%C3%A1s')
    const [sofas] = (json as { data: { id: string; company: { full_name: string } }[] }).data
    expect(sofas?.company.full_name).toBe('Estúdio Figueira')

    expect((await rival.call('DELETE', '/v1/workspace/examples')).json).toEqual({
      data: { removed: 0, kept: [] },
    })
    await acme.call('PATCH', `/v1/deals/${sofas?.id}`, { amount: 1 })
    const removal = (await acme.call('DELETE', '/v1/workspace/examples')).json as {
      data: { removed: number; kept: { name: string; reason: string }[] }
    }
    expect(removal.data.removed).toBe(31)
    expect(removal.data.kept).toContainEqual({
      kind: 'deals',
      id: sofas?.id,
      name: 'Sofás',
      reason: 'changed',
    })
    expect((await acme.call('GET', '/v1/deals')).json).toMatchObject({ meta: { total: 1 } })
  })

  test('take no input, and are for owners and admins', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const email = `max@${acme.slug}.example`
    await service.crm.operator.addMember({ workspace: acme.slug, name: 'Max', email, role: 'member' })
    const token = await acme.tokenFor(email, ['workspace:manage'])
    const denied = await acme.call('POST', '/v1/workspace/examples', undefined, { token })
    expect(errorOf(denied)).toEqual({
      code: 'forbidden',
      message: 'You do not have permission to create this example.',
    })
    expect((await acme.call('DELETE', '/v1/workspace/examples', undefined, { token })).status).toBe(403)
    expect(errorOf(await acme.call('POST', '/v1/workspace/examples', { language: 'en' }))).toMatchObject({
      fields: { language: 'Unknown field.' },
    })
  })
})
