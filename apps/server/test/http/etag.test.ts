import { expect, test } from 'vitest'
import { describeEachStore } from '../support/stores.ts'
import { errorOf, openService, openWorkspace } from '../support/test-service.ts'

type Open = Parameters<Parameters<typeof describeEachStore>[1]>[0]

/** A path, what is posted to make a record, and two changes of it. */
const KINDS: readonly (readonly [path: string, input: object, first: object, second: object])[] = [
  ['people', { full_name: 'Ana' }, { full_name: 'Bea' }, { full_name: 'Cid' }],
  ['companies', { full_name: 'Bolt' }, { full_name: 'Nut' }, { full_name: 'Gear' }],
  ['deals', { name: 'Chairs' }, { amount: 1 }, { amount: 2 }],
  ['pipelines', { name: 'Other', stages: [{ name: 'New' }] }, { stages: [{ name: 'A' }] }, { name: 'Third' }],
  ['tasks', { title: 'Call' }, { title: 'Write' }, { completed: true }],
  ['task-types', { title: 'Visit' }, { title: 'Demo' }, { title: 'Lunch' }],
  ['activities', { content_html: '<p>a</p>' }, { content_html: '<p>b</p>' }, { content_html: '<p>c</p>' }],
  ['products', { name: 'Chair', price_cts: 9, currency: 'USD' }, { price_cts: 1 }, { price_cts: 2 }],
  ['tags', { name: 'Hot' }, { name: 'Warm' }, { name: 'Cold' }],
  ['lists', { name: 'Fair' }, { name: 'Show' }, { name: 'Expo' }],
  ['lost-reasons', { name: 'Price' }, { name: 'Time' }, { name: 'Other' }],
  ['views', { name: 'Hot', kind: 'people' }, { name: 'Warm' }, { name: 'Cold' }],
  ['custom-fields', { label: 'Size', key: 'size', type: 'text' }, { label: 'A' }, { label: 'B' }],
  [
    'webhooks',
    { url: 'https://hooks.example/', events: ['deal.won'] },
    { events: ['deal.lost'] },
    { events: ['deal.won'] },
  ],
]

async function openAcme(open: Open) {
  const service = await openService(await open())
  const acme = await openWorkspace(service)
  await acme.call('POST', '/v1/pipelines', { name: 'Sales', stages: [{ name: 'New' }] })
  const send = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const response = await acme.call(method, `/v1/${path}`, body, { headers })
    return { ...response, etag: response.headers.get('ETag') ?? '' }
  }
  return { service, acme, send }
}

const CHANGED = { code: 'precondition_failed', message: 'The record has changed since it was read.' }

describeEachStore('entity tags', (open) => {
  test('of every kind hold a change and a deletion to the version that was read', async () => {
    const { acme, send } = await openAcme(open)
    const target = { month: '2026-11', owner_id: acme.owner.id, amount: 1 }
    const kinds = [...KINDS, ['targets', target, { amount: 2 }, { amount: 3 }]] as const
    for (const [kind, input, first, second] of kinds) {
      const created = await send('POST', kind, input)
      expect(created.status, kind).toBe(201)
      const path = `${kind}/${(created.json as { data: { id: string } }).data.id}`
      const before = await send('GET', path)
      expect(before.etag, kind).toMatch(/^"[0-9a-f]{16}-[0-9a-f]{16}"$/)
      const same = await send('GET', path, undefined, { 'If-None-Match': `"x-y", ${before.etag}` })
      expect([same.status, same.text, same.etag]).toEqual([304, '', before.etag])

      const ifBefore = { 'If-Match': before.etag }
      expect((await send('PATCH', path, first, ifBefore)).status, kind).toBe(200)
      expect(errorOf(await send('PATCH', path, second, ifBefore)), kind).toEqual(CHANGED)
      expect(errorOf(await send('DELETE', path, undefined, ifBefore)), kind).toEqual(CHANGED)
      const after = await send('GET', path, undefined, { 'If-None-Match': before.etag })
      expect(after.status).toBe(200)
      expect(after.json).toMatchObject({ data: kind === 'pipelines' ? {} : first })
      const anyOf = { 'If-Match': `"0000000000000000-0000000000000000", ${after.etag}` }
      expect((await send('PATCH', path, second, anyOf)).status, kind).toBe(200)
      expect((await send('DELETE', path, undefined, { 'If-Match': '*' })).status, kind).toBe(204)
      expect((await send('PATCH', path, first, ifBefore)).status).toBe(404)
    }
  })

  test('of the workspace and of members too', async () => {
    const { service, acme, send } = await openAcme(open)
    const member = {
      workspace: acme.slug,
      name: 'Max',
      email: `max@${acme.slug}.example`,
      role: 'member' as const,
    }
    const { id } = await service.crm.operator.addMember(member)
    for (const [path, first, second] of [
      ['workspace', { name: 'A' }, { name: 'B' }],
      [`members/${id}`, { role: 'admin' }, { role: 'member' }],
    ] as const) {
      const { etag } = await send('GET', path)
      expect((await send('GET', path, undefined, { 'If-None-Match': etag })).status).toBe(304)
      expect((await send('PATCH', path, first, { 'If-Match': etag })).status).toBe(200)
      expect(errorOf(await send('PATCH', path, second, { 'If-Match': etag }))).toEqual(CHANGED)
      if (path !== 'workspace')
        expect(errorOf(await send('DELETE', path, undefined, { 'If-Match': etag }))).toEqual(CHANGED)
    }
  })

  test('change with what a record shows, which is not its version', async () => {
    const { send } = await openAcme(open)
    const idOf = async (kind: string, input: object) =>
      ((await send('POST', kind, input)).json as { data: { id: string } }).data.id
    const company = await idOf('companies', { full_name: 'Bolt' })
    const person = `people/${await idOf('people', { full_name: 'Ana', company_id: company })}`
    const { etag } = await send('GET', person)
    await send('PATCH', `companies/${company}`, { full_name: 'Nut' })
    const after = await send('GET', person, undefined, { 'If-None-Match': etag })
    expect(after.status).toBe(200)
    expect(after.etag.split('-')[0]).toBe(etag.split('-')[0])
    expect((await send('PATCH', person, { full_name: 'Bea' }, { 'If-Match': etag })).status).toBe(200)
  })

  test('let one of twenty changes of one version through', async () => {
    const { send } = await openAcme(open)
    const { json } = await send('POST', 'people', { full_name: 'Ana', score: 0 })
    const path = `people/${(json as { data: { id: string } }).data.id}`
    const { etag } = await send('GET', path)
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async (_, score) => {
        const { status } = await send('PATCH', path, { score: score + 1 }, { 'If-Match': etag })
        return status
      }),
    )
    expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 19 }, () => 412)])
  })

  test('that are none are refused, and weak ones match nothing', async () => {
    const { send } = await openAcme(open)
    const { json } = await send('POST', 'tags', { name: 'Hot' })
    const path = `tags/${(json as { data: { id: string } }).data.id}`
    const { etag } = await send('GET', path)
    for (const header of ['', 'x', etag.slice(1), `${etag},`, '"\n"'.replace('\n', '')])
      expect([header, (await send('PATCH', path, { name: 'Warm' }, { 'If-Match': header })).status]).toEqual([
        header,
        header === '""' ? 412 : 422,
      ])
    expect((await send('PATCH', path, { name: 'Warm' }, { 'If-Match': `W/${etag}` })).status).toBe(412)
    expect(errorOf(await send('PATCH', path, { name: 'Warm' }, { 'If-Match': 'x' }))).toMatchObject({
      fields: { 'If-Match': 'Must be * or ETags from responses, in quotes and separated by commas.' },
    })
    expect((await send('GET', path, undefined, { 'If-None-Match': 'x' })).status).toBe(200)
  })
})
