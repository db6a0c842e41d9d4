import { expect, test } from 'vitest'
import { dataOf } from '../support/record-kind-cases.ts'
import { describeEachStore } from '../support/stores.ts'
import { errorOf, openService, openWorkspace } from '../support/test-service.ts'

const TAKEN = [409, { name: 'A record with this value already exists.' }]

describeEachStore('a team over HTTP', (open) => {
  test('has a name of its own, and is held to its version', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const { id: memberId } = await acme.addMember('ann', 'member')
    const south = await acme.createRecord('/v1/teams', { name: 'South', members: [{ id: memberId }] })
    const north = await acme.createRecord('/v1/teams', { name: 'North' })
    const path = `/v1/teams/${south.id}`
    const refused = async (...call: Parameters<typeof acme.call>) => {
      const response = await acme.call(...call)
      return [response.status, errorOf(response)['fields']]
    }
    expect(await refused('POST', '/v1/teams', { name: 'South' })).toEqual(TAKEN)
    expect(await refused('PATCH', `/v1/teams/${north.id}`, { name: 'South' })).toEqual(TAKEN)

    const ETag = (await acme.call('GET', path)).headers.get('ETag')!
    const unchanged = await acme.call('GET', path, undefined, { headers: { 'If-None-Match': ETag } })
    expect(unchanged.status).toBe(304)
    const changed = await acme.call('PATCH', path, { members: [] }, { headers: { 'If-Match': ETag } })
    expect([changed.status, dataOf(changed)['members']]).toEqual([200, []])
    const stale = { headers: { 'If-Match': ETag } }
    expect((await acme.call('PATCH', path, { name: 'West' }, stale)).status).toBe(412)
    expect((await acme.call('DELETE', path, undefined, stale)).status).toBe(412)
    expect((await acme.call('DELETE', path)).status).toBe(204)
  })

  test('never has a member who is removed at the same time', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const members = await Promise.all(['a', 'b', 'c'].map((name) => acme.addMember(name, 'member')))
    await Promise.all(
      members.flatMap(({ id }, nth) => [
        acme.call('POST', '/v1/teams', { name: `Team ${nth}`, members: [{ id }] }),
        acme.call('DELETE', `/v1/members/${id}`),
      ]),
    )
    const { json } = await acme.call('GET', '/v1/teams')
    const teams = (json as { readonly data: readonly { readonly members: readonly object[] }[] }).data
    expect(teams.flatMap((team) => team.members)).toEqual([])
  })
})
