import { expect, test } from 'vitest'
import { describeEachStore } from '../../support/stores.ts'
import { errorOf, openService, openWorkspace } from '../../support/test-service.ts'

const OLD = {
  full_name: '\u200b',
  emails: [
    { email: 'a?b@x.example', type: 'work' },
    { email: 'A?B@x.example', type: 'home' },
  ],
  phones: [
    { phone: '190', type: 'work' },
    { phone: '1-90', type: 'work' },
  ],
  website: 'https://old.example:0/',
} as const

describeEachStore('values that were stored under older rules', (open) => {
  async function withOldCompany() {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const { id } = await acme.createRecord('/v1/companies', { full_name: 'Acme' })
    await service.ports.storage.transact(async (tx) => {
      const { companies } = tx.workspace(acme.id)
      await companies.update({ ...(await companies.get(id))!, ...OLD })
    })
    const path = `/v1/companies/${id}`
    return { ...acme, path, company: (await acme.call('GET', path)).json as { data: typeof OLD } }
  }

  test('can be sent back unchanged, with and without changes of other fields', async () => {
    const { call, path, company } = await withOldCompany()
    const { full_name, emails, phones, website } = company.data
    expect(company.data).toMatchObject(OLD)
    const body = { full_name, emails, phones, website }
    expect((await call('PATCH', path, body)).json).toEqual(company)
    const avatar_url = 'https://img.example/a.png'
    expect((await call('PATCH', path, { ...body, avatar_url })).json).toMatchObject({
      data: { ...OLD, avatar_url },
    })
    expect((await call('PATCH', path, { avatar_url: null })).json).toMatchObject({ data: OLD })
  })

  test('are refused once they change, and elsewhere', async () => {
    const { call, path, company } = await withOldCompany()
    const { emails, phones, website } = company.data
    const fields = {
      'emails[0].email': 'Must not have ?, &, = or % before the @.',
      'emails[1].email': 'Must not have ?, &, = or % before the @.',
    }
    const changes = { emails: emails.toReversed(), phones, website }
    const refused = await call('PATCH', path, changes)
    expect([refused.status, errorOf(refused)['fields']]).toEqual([422, fields])
    const created = await call('POST', '/v1/companies', { full_name: 'New', emails })
    expect([created.status, errorOf(created)['fields']]).toEqual([422, fields])
  })
})
