import { memoryStorage } from '@sales-crm/core/memory'
import { expect, test } from 'vitest'
import { dataOf, rowsOf } from '../support/record-kind-cases.ts'
import { describeEachStore } from '../support/stores.ts'
import { errorOf, openService, openWorkspace } from '../support/test-service.ts'

const BODIES = {
  people: { full_name: 'Ana' },
  companies: { full_name: 'Acme' },
  deals: { name: 'Roof' },
  tasks: { title: 'Call' },
} as const

describeEachStore('a shared record', (open) => {
  test.each(Object.entries(BODIES))('of %s is visible as long as it is shared', async (kind, body) => {
    const acme = await openWorkspace(await openService(await open()))
    await acme.createRecord('/v1/pipelines', { name: 'Sales', stages: [{ name: 'New' }] })
    const [ann, ben] = [await acme.addMember('ann', 'member'), await acme.addMember('ben', 'member')]
    const rules = { visibility: { [kind]: 'owner' } }
    expect((await acme.call('PATCH', '/v1/workspace', rules)).status).toBe(200)
    const { id } = await acme.createRecord(`/v1/${kind}`, { ...body, owner_user_id: ann.id })
    const path = `/v1/${kind}/${id}`
    const readAsBen = async () => {
      const [record, shares, list] = await Promise.all(
        [path, `${path}/shares`, `/v1/${kind}`].map((each) =>
          acme.call('GET', each, undefined, { token: ben.token }),
        ),
      )
      const { meta } = list!.json as { readonly meta: { readonly total: number } }
      return [record!.status, shares!.status, meta.total]
    }
    expect(await readAsBen()).toEqual([404, 404, 0])
    const shares = [{ member_id: ben.id, access: 'read' }]
    const shared = await acme.call('PUT', `${path}/shares`, { shares }, { token: ann.token })
    expect([shared.status, dataOf(shared)]).toEqual([200, shares])
    expect(await readAsBen()).toEqual([200, 200, 1])
    const [row] = rowsOf(
      await acme.call('GET', `/v1/${kind}?include=shared_with`, undefined, { token: ben.token }),
    )
    expect(row).toMatchObject({ id, shared_with: shares })
    const viewers = await acme.call('GET', `${path}/viewers`, undefined, { token: ben.token })
    expect(dataOf(viewers)).toEqual([
      { member_id: ann.id, reason: 'owner', team_id: null, access: 'write' },
      { member_id: acme.owner.id, reason: 'workspace_owner', team_id: null, access: 'write' },
      { member_id: ben.id, reason: 'share', team_id: null, access: 'read' },
    ])
    const denied = await acme.call('PUT', `${path}/shares`, { shares: [] }, { token: ben.token })
    expect([denied.status, errorOf(denied)['code']]).toEqual([403, 'forbidden'])
    await acme.call('PUT', `${path}/shares`, { shares: [] })
    expect(await readAsBen()).toEqual([404, 404, 0])
    const hidden = await acme.call('GET', `${path}/viewers`, undefined, { token: ben.token })
    expect([hidden.status, errorOf(hidden)['code']]).toEqual([404, 'not_found'])
  })
})

test('the rules of a workspace are changed one by one, by an owner', async () => {
  const acme = await openWorkspace(await openService(memoryStorage()))
  const { token } = await acme.addMember('ada', 'admin')
  const update = async (visibility: object, options = {}) => {
    const response = await acme.call('PATCH', '/v1/workspace', { visibility }, options)
    return response.status === 200
      ? dataOf(response)['visibility']
      : [response.status, errorOf(response)['fields']]
  }
  const everyone = { people: 'everyone', companies: 'everyone', deals: 'everyone', tasks: 'everyone' }
  expect(await update({ deals: 'team' })).toEqual({ ...everyone, deals: 'team' })
  expect(await update({ tasks: 'owner' })).toEqual({ ...everyone, deals: 'team', tasks: 'owner' })
  expect(await update({ deals: 'nobody', products: 'team' })).toEqual([
    422,
    {
      'visibility.deals': 'Must be one of: everyone, team, owner.',
      'visibility.products': 'Unknown field.',
    },
  ])
  expect(await update({ people: 'team' }, { token })).toEqual([403, undefined])
})
