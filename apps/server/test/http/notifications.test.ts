import { CONSOLE_CLIENT_ID } from '@sales-crm/core'
import { expect, test } from 'vitest'
import { dataOf, rowsOf } from '../support/record-kind-cases.ts'
import { describeEachStore } from '../support/stores.ts'
import { errorOf, openService, openWorkspace } from '../support/test-service.ts'

type Open = Parameters<Parameters<typeof describeEachStore>[1]>[0]

const UNKNOWN_ID = 'ffffffff-ffff-7fff-bfff-ffffffffffff'

async function setUp(open: Open) {
  const service = await openService(await open())
  const acme = await openWorkspace(service)
  const ann = await acme.addMember('ann', 'member')
  const person = await acme.createRecord('/v1/people', {
    ...{ full_name: 'Ana', owner_email: acme.owner.email },
  })
  const as = (token: string) => ({ token })
  const listOf = async (token: string, query = '') =>
    rowsOf(await acme.call('GET', `/v1/notifications${query}`, undefined, as(token)))
  const note = (id: string) => ({
    ...{ entity: 'people', entity_id: person.id },
    content_html: `<p>Hi <a href="${service.ports.issuer}/members/${id}">@ann</a></p>`,
  })
  return { service, acme, ann, person, as, listOf, note }
}

describeEachStore('notifications', (open) => {
  test('are for followers of people, companies, deals and tasks', async () => {
    const { acme } = await setUp(open)
    await acme.createRecord('/v1/pipelines', { name: 'Sales', stages: [{ name: 'New' }] })
    for (const [kind, body] of [
      ['companies', { full_name: 'Acme' }],
      ['deals', { name: 'Chairs' }],
      ['tasks', { title: 'Call' }],
    ] as const) {
      const { id } = await acme.createRecord(`/v1/${kind}`, body)
      for (const [method, isFollowing] of [
        ['PUT', true],
        ['DELETE', false],
      ] as const) {
        expect((await acme.call(method, `/v1/${kind}/${id}/following`)).status).toBe(204)
        const record = dataOf(await acme.call('GET', `/v1/${kind}/${id}?include=following`))
        expect([kind, record['following']]).toEqual([kind, isFollowing])
      }
    }
  })

  test('are made of mentions and of changes of what a member follows, and are marked as read', async () => {
    const { service, acme, ann, person, as, listOf, note } = await setUp(open)
    const path = `/v1/people/${person.id}/following`
    for (const _ of [1, 2]) expect((await acme.call('PUT', path, undefined, as(ann.token))).status).toBe(204)
    const included = await acme.call(
      'GET',
      `/v1/people/${person.id}?include=following`,
      undefined,
      as(ann.token),
    )
    expect(dataOf(included)['following']).toBe(true)
    const list = rowsOf(await acme.call('GET', '/v1/people?include=following'))
    expect(list[0]!['following']).toBe(false)
    const saved = await acme.createRecord('/v1/activities', note(ann.id))
    expect(saved['content_html']).toContain(`/members/${ann.id}"`)
    await Promise.all(
      ['CTO', 'CEO', 'COO'].map((position) => acme.call('PATCH', `/v1/people/${person.id}`, { position })),
    )
    const rows = await listOf(ann.token)
    expect(rows).toHaveLength(2)
    expect(rows).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'mention', title: 'Ana', activity_id: saved.id, changes: 1 }),
        expect.objectContaining({ kind: 'change', title: 'Ana', event: 'person.updated', changes: 3 }),
      ]),
    )
    const one = `/v1/notifications/${rows[0]!['id']}`
    expect(dataOf(await acme.call('PATCH', one, { read: true }, as(ann.token)))['read_at']).not.toBeNull()
    expect(await listOf(ann.token, '?unread=true')).toHaveLength(1)
    expect(await listOf(ann.token, '?per_page=1&page=2')).toHaveLength(1)
    expect((await acme.call('PATCH', one, { read: false })).status).toBe(404)
    const all = await acme.call('PATCH', '/v1/notifications', { read: true }, as(ann.token))
    expect([all.status, dataOf(all)]).toEqual([200, { read: 1 }])
    expect((await acme.call('DELETE', path, undefined, as(ann.token))).status).toBe(204)
    await acme.call('PATCH', `/v1/people/${person.id}`, { position: 'none' })
    expect(await listOf(ann.token, '?unread=true')).toEqual([])
    const rival = await openWorkspace(service, 'Rival')
    expect((await rival.call('PUT', path)).status).toBe(404)
    expect(await listOf(rival.token)).toEqual([])
  })

  test('what a member follows is listed, without what is hidden, deleted or of another workspace', async () => {
    const { service, acme, ann, person, as } = await setUp(open)
    const company = await acme.createRecord('/v1/companies', { full_name: 'Acme' })
    const tasks = [
      await acme.createRecord('/v1/tasks', { title: 'Write' }),
      await acme.createRecord('/v1/tasks', { title: 'Call' }),
    ]
    const follow = (path: string) => acme.call('PUT', `/v1/${path}/following`, undefined, as(ann.token))
    for (const { id } of tasks) await follow(`tasks/${id}`)
    await Promise.all([follow(`people/${person.id}`), follow(`companies/${company.id}`)])
    const list = async (query = '', token = ann.token) =>
      rowsOf(await acme.call('GET', `/v1/following${query}`, undefined, as(token)))
    expect((await list()).map(({ kind, name }) => [kind, name])).toEqual([
      ['people', 'Ana'],
      ['companies', 'Acme'],
      ['tasks', 'Call'],
      ['tasks', 'Write'],
    ])
    expect((await list('?per_page=3&page=2')).map(({ name }) => name)).toEqual(['Write'])
    expect(await list('?page=9007199254740991&per_page=100')).toEqual([])
    await acme.call('PATCH', `/v1/people/${person.id}`, { full_name: 'Bia' })
    expect((await list('?per_page=1'))[0]).toMatchObject({ kind: 'people', id: person.id, name: 'Bia' })
    await acme.call('PATCH', '/v1/workspace', { visibility: { people: 'owner' } })
    await acme.call('DELETE', `/v1/companies/${company.id}`)
    await acme.call('DELETE', `/v1/tasks/${tasks[0]!.id}/following`, undefined, as(ann.token))
    expect((await list()).map(({ name }) => name)).toEqual(['Call'])
    const rival = await openWorkspace(service, 'Rival')
    expect([await list('', acme.token), await list('', rival.token)]).toEqual([[], []])
  })

  test('show nothing of a record that is hidden since, which cannot be followed', async () => {
    const { acme, ann, person, as, listOf, note } = await setUp(open)
    const path = `/v1/people/${person.id}/following`
    await acme.call('PUT', path, undefined, as(ann.token))
    await acme.createRecord('/v1/activities', note(ann.id))
    await acme.call('PATCH', '/v1/workspace', { visibility: { people: 'owner' } })
    await acme.call('PATCH', `/v1/people/${person.id}`, { position: 'CTO' })
    await acme.createRecord('/v1/activities', note(ann.id))
    expect(await listOf(ann.token)).toMatchObject([{ kind: 'mention', title: null }])
    for (const method of ['PUT', 'DELETE'])
      expect((await acme.call(method, path, undefined, as(ann.token))).status).toBe(404)
  })

  test('of a reminder are made once by two processes, and the mail of the day is queued once', async () => {
    const { service, acme, ann, as, listOf } = await setUp(open)
    const remind_at = '2026-03-01T12:30:00.000Z'
    const task = await acme.createRecord('/v1/tasks', {
      ...{ title: 'Call', remind_at, owner_email: ann.email, due_date: '2026-03-01T15:00:00Z' },
    })
    expect(task['remind_at']).toBe(remind_at)
    const actor = await service.crm.operator.actorFor({ workspace: acme.slug, email: ann.email })
    const changes = { reminder_time: '12:45', notices: { reminder: { mail: true } } } as const
    await service.crm.members.updateMe({ ...actor, clientId: CONSOLE_CLIENT_ID }, changes)
    service.advanceClock(3_000_000)
    const send = async () => {
      while ((await service.crm.reminders.send()) > 0);
    }
    await Promise.all([send(), send(), send()])
    expect((await listOf(ann.token)).map(({ kind }) => kind).toSorted()).toEqual(['reminder', 'task_due'])
    const sent: string[] = []
    await service.crm.mail.send(async (mail) => void sent.push(mail.kind))
    expect(sent.toSorted()).toEqual(['notice', 'tasks_of_day'])
    expect(dataOf(await acme.call('GET', '/v1/me', undefined, as(ann.token)))).toMatchObject({
      ...{ reminder_time: '12:45', language: null },
      notices: { reminder: { app: true, mail: true }, mention: { app: true, mail: false } },
    })
  })

  test('refuse what is no change of them', async () => {
    const { acme, ann, person, as, listOf, note } = await setUp(open)
    await acme.createRecord('/v1/activities', note(ann.id))
    const [row] = await listOf(ann.token)
    const one = `/v1/notifications/${row!['id']}`
    for (const [method, path, body, status, fields] of [
      ['PATCH', one, {}, 400, undefined],
      ['PATCH', one, { read: 'yes' }, 422, { read: 'Must be true or false.' }],
      ['PATCH', one, '{', 400, undefined],
      ['PATCH', '/v1/notifications', { read: false }, 422, { read: 'Must be true.' }],
      ['PATCH', '/v1/notifications', {}, 400, undefined],
      ['PATCH', '/v1/notifications/any', { read: true }, 404, undefined],
      ['PATCH', `/v1/notifications/${UNKNOWN_ID}`, { read: true }, 404, undefined],
      ['GET', '/v1/notifications?unread=maybe', undefined, 422, { unread: expect.any(String) }],
      ['GET', '/v1/following?order_by=name', undefined, 422, { order_by: 'Unknown parameter.' }],
      ['GET', '/v1/following?per_page=0', undefined, 422, { per_page: expect.any(String) }],
      ['PUT', `/v1/people/${UNKNOWN_ID}/following`, undefined, 404, undefined],
      ['PUT', `/v1/people/${person.id}/following`, { a: 1 }, 422, { a: expect.any(String) }],
      ['PUT', `/v1/people/${person.id}/following?a=1`, undefined, 422, { a: 'Unknown parameter.' }],
      ['PATCH', '/v1/me', { reminder_time: '8:30' }, 422, { reminder_time: expect.any(String) }],
      [
        'PATCH',
        '/v1/me',
        { notices: { mention: { push: true } } },
        422,
        { 'notices.mention.push': expect.any(String) },
      ],
      ['PATCH', '/v1/me', { reminder_time: '\ud800' }, 422, { reminder_time: expect.any(String) }],
      ['PATCH', '/v1/me', {}, 400, undefined],
      ['PATCH', '/v1/me', { language: 'en' }, 403, undefined],
    ] as const) {
      const refused = await acme.call(method, path, body, as(ann.token))
      expect([path, refused.status, errorOf(refused)['fields']]).toEqual([path, status, fields])
    }
    const many = Array.from({ length: 21 }, (_, nth) => UNKNOWN_ID.replace(/^ff/, String(nth + 10)))
    const content_html = many.map((id) => note(id).content_html).join('')
    const refused = await acme.call('POST', '/v1/activities', { content_html })
    expect([refused.status, errorOf(refused)['fields']]).toEqual([
      422,
      { content_html: 'Must mention at most 20 members.' },
    ])
  })
})
