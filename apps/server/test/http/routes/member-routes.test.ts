import { expect, test, vi } from 'vitest'
import { startRunWorker } from '../../../src/background/run-worker.ts'
import { describeEachStore } from '../../support/stores.ts'
import { errorOf, openService, openWorkspace } from '../../support/test-service.ts'

type Open = Parameters<Parameters<typeof describeEachStore>[1]>[0]

async function openMembers(open: Open, options = {}) {
  const service = await openService(await open(), options)
  const acme = await openWorkspace(service)
  const rival = await openWorkspace(service, 'Rival')
  const addMember = async (name: string, role: 'owner' | 'admin' | 'member') => {
    const email = `${name}@${acme.slug}.example`
    const { id } = await service.crm.operator.addMember({ workspace: acme.slug, name, email, role })
    const token = await acme.tokenFor(email, [...service.crm.operator.scopes])
    const call: typeof acme.call = (method, path, body) => acme.call(method, path, body, { token })
    return { id, call }
  }
  return { service, acme, rival, addMember }
}

const dataOf = ({ json }: { readonly json: unknown }) => (json as { data: Record<string, unknown> }).data

describeEachStore('members over HTTP', (open) => {
  test('are read, given another role and removed', async () => {
    const { acme, rival, addMember } = await openMembers(open)
    const { id } = await addMember('max', 'member')
    const ada = await addMember('ada', 'admin')
    const path = `/v1/members/${id}`
    expect(dataOf(await acme.call('PATCH', path, { role: 'admin' }))).toEqual({
      id,
      name: 'max',
      email: `max@${acme.slug}.example`,
      role: 'admin',
      created_at: '2026-03-01T12:00:00.000Z',
      removed_at: null,
      reassignment: null,
    })
    expect(errorOf(await ada.call('PATCH', path, { role: 'owner' }))).toEqual({
      code: 'forbidden',
      message: 'You do not have permission to update this member.',
    })
    expect((await rival.call('GET', path)).status).toBe(404)
    expect((await rival.call('DELETE', path)).status).toBe(404)
    expect((await ada.call('DELETE', path)).status).toBe(204)
    expect(dataOf(await acme.call('GET', path))).toMatchObject({ removed_at: '2026-03-01T12:00:00.000Z' })
    expect((await acme.call('DELETE', path)).status).toBe(404)
    expect(errorOf(await acme.call('DELETE', `/v1/members/${acme.owner.id}`))).toMatchObject({
      code: 'validation_error',
      fields: { id: 'Must not be the last owner of the workspace.' },
    })
  })

  test('hand over their records in the background, whichever process continues', async () => {
    const { service, acme, rival, addMember } = await openMembers(open)
    const max = await addMember('max', 'member')
    const ada = await addMember('ada', 'admin')
    for (const name of ['Ana', 'Bea', 'Cid', 'Dora', 'Eva', 'Fay'])
      await acme.call('POST', '/v1/people', { full_name: name, owner_user_id: max.id })
    const path = `/v1/members/${max.id}`
    for (const [successor, rule] of [
      [max.id, 'Must be another member.'],
      [rival.owner.id, 'Member not found.'],
      ['ada', 'Must be a UUID.'],
    ])
      expect(errorOf(await acme.call('DELETE', `${path}?reassign_to=${successor}`))).toMatchObject({
        fields: { reassign_to: rule },
      })
    expect((await acme.call('DELETE', `${path}?reassign_to=${ada.id}`)).status).toBe(204)
    expect((await max.call('GET', '/v1/me')).status).toBe(401)
    const log = { error: vi.fn(), info: vi.fn() }
    const stops = [startRunWorker(service.crm.runs, log), startRunWorker(service.crm.runs, log)]
    const readReassignment = async () => dataOf(await acme.call('GET', path))['reassignment']
    await expect
      .poll(readReassignment)
      .toMatchObject({ reassign_to: { id: ada.id }, total: 6, reassigned: 6, ended_at: expect.any(String) })
    await Promise.all(stops.map((stop) => stop()))
    expect(log.error).not.toHaveBeenCalled()
    const owned = await acme.call('GET', `/v1/people?owner_email=ada@${acme.slug}.example`)
    expect(owned.json).toMatchObject({ meta: { total: 6 } })
  })

  test('of whom two owners demote each other in a race of twenty keep one owner', async () => {
    const { acme, addMember } = await openMembers(open)
    const second = await addMember('second', 'owner')
    const role = { role: 'member' }
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => [
        acme.call('PATCH', `/v1/members/${second.id}`, role),
        second.call('PATCH', `/v1/members/${acme.owner.id}`, role),
      ]).flat(),
    )
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 403]))
    const { json } = await acme.call('GET', '/v1/members')
    const roles = (json as { data: { role: string }[] }).data.map((member) => member.role)
    expect(roles.toSorted()).toEqual(['member', 'owner'])
  })

  test('are invited by a mailed link, which is renewed and withdrawn', async () => {
    const { service, acme, rival } = await openMembers(open)
    const input = { email: 'Nia@new.example', role: 'member' }
    const invited = await acme.call('POST', '/v1/members/invitations', input)
    expect(invited.status).toBe(201)
    const { id, ...invitation } = dataOf(invited)
    expect(invitation).toEqual({
      email: 'nia@new.example',
      role: 'member',
      expires_at: '2026-03-08T12:00:00.000Z',
      created_at: '2026-03-01T12:00:00.000Z',
    })
    const path = `/v1/members/invitations/${id}`
    const ofMember = { email: acme.owner.email, role: 'member' }
    expect((await acme.call('POST', '/v1/members/invitations', ofMember)).status).toBe(409)
    const joined = { workspace: acme.slug, name: 'Jo', email: 'jo@new.example', role: 'member' as const }
    const ofJoined = { email: joined.email, role: joined.role }
    const stale = dataOf(await acme.call('POST', '/v1/members/invitations', ofJoined))
    await service.crm.operator.addMember(joined)
    expect((await acme.call('POST', `/v1/members/invitations/${stale['id']}/resend`)).status).toBe(409)
    expect((await acme.call('POST', `${path}/resend`)).status).toBe(200)
    expect((await rival.call('POST', `${path}/resend`)).status).toBe(404)
    const sent: string[] = []
    await service.crm.mail.send(async (mail) => void sent.push('link' in mail ? mail.link : ''))
    expect(sent).toHaveLength(3)
    expect((await rival.call('DELETE', path)).status).toBe(404)
    expect((await acme.call('DELETE', path)).status).toBe(204)
    expect((await acme.call('GET', '/v1/members/invitations')).json).toMatchObject({
      data: [],
      meta: { total: 0 },
    })
  })

  test('are invited by a link in the response where no mail server is set', async () => {
    const { acme } = await openMembers(open, { deliversMail: false })
    const input = { email: 'nia@new.example', role: 'member' }
    const { id, link } = dataOf(await acme.call('POST', '/v1/members/invitations', input))
    expect(link).toContain('/invitations/crm_in_')
    const { json } = await acme.call('GET', '/v1/members/invitations')
    expect(JSON.stringify(json)).not.toContain('crm_in_')
    const renewed = dataOf(await acme.call('POST', `/v1/members/invitations/${id}/resend`, {}))
    expect(renewed['link']).not.toBe(link)
  })
})

describeEachStore('the workspace over HTTP', (open) => {
  test('is changed by an owner, and the change holds at once', async () => {
    const { acme, addMember } = await openMembers(open)
    const changes = {
      name: 'Acme do Brasil',
      country: 'br',
      currency: 'BRL',
      locale: 'pt-BR',
      time_zone: 'America/Sao_Paulo',
    }
    const changed = await acme.call('PATCH', '/v1/workspace', changes)
    expect(dataOf(changed)).toMatchObject({ ...changes, country: 'BR', slug: acme.slug })
    await acme.call('POST', '/v1/pipelines', { name: 'Sales', stages: [{ name: 'New' }] })
    expect(dataOf(await acme.call('POST', '/v1/deals', { name: 'Tea', amount: 135050 }))).toMatchObject({
      currency: 'BRL',
      formatted_amount: 'R$\u00a01.350,50',
    })
    const ada = await addMember('ada', 'admin')
    expect(errorOf(await ada.call('PATCH', '/v1/workspace', { name: 'Ada' }))).toEqual({
      code: 'forbidden',
      message: 'You do not have permission to update this workspace.',
    })
    expect(dataOf(await ada.call('GET', '/v1/workspace'))).toMatchObject({ name: 'Acme do Brasil' })
  })

  test('names each invalid setting', async () => {
    const { acme } = await openMembers(open)
    const changes = {
      name: ' ',
      country: 'EU',
      currency: 'XXX',
      locale: 'klingon_1',
      time_zone: 'Mars/Base',
      slug: 'other',
    }
    expect(errorOf(await acme.call('PATCH', '/v1/workspace', changes))).toMatchObject({
      code: 'validation_error',
      fields: {
        name: expect.any(String),
        country: 'Must be a country of ISO 3166 such as BR.',
        currency: expect.stringContaining('BRL'),
        locale: 'Must be a BCP 47 locale such as pt-BR.',
        time_zone: 'Must be an IANA time zone such as America/Sao_Paulo.',
        slug: 'Unknown field.',
      },
    })
    expect((await acme.call('PATCH', '/v1/workspace', {})).status).toBe(400)
    expect((await acme.call('PATCH', '/v1/workspace', { time_zone: '+03:00' })).status).toBe(422)
    for (const time_zone of ['Asia/Calcutta', 'Asia/Kolkata', 'Etc/GMT+3'])
      expect((await acme.call('PATCH', '/v1/workspace', { time_zone })).json).toMatchObject({
        data: { time_zone },
      })
    const lowered = { country: 'br', locale: 'pt-br', time_zone: 'america/sao_paulo' }
    expect((await acme.call('PATCH', '/v1/workspace', lowered)).json).toMatchObject({
      data: { country: 'BR', locale: 'pt-BR', time_zone: 'America/Sao_Paulo' },
    })
  })
})
