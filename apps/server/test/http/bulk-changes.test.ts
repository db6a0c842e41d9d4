import { memoryStorage } from '@sales-crm/core/memory'
import { expect, test } from 'vitest'
import { describeEachStore } from '../support/stores.ts'
import { errorOf, openService, openWorkspace, type TestResponse } from '../support/test-service.ts'

interface BulkChange {
  readonly id: string
  readonly state: string
  readonly total: number
  readonly changed: number
}

const bulkOf = ({ json }: TestResponse) => (json as { readonly data: BulkChange }).data
const FILTER = { field: 'score', op: 'less', value: 20 }

async function openPeople(...[service, acme]: Awaited<ReturnType<typeof openBoth>>) {
  const operations = Array.from({ length: 30 }, (_, score) => ({
    ...{ op: 'create', record: { full_name: `Person ${score}`, score } },
  }))
  expect((await acme.call('POST', '/v1/people/batch', { operations })).status).toBe(200)
  service.advanceClock(1000)
}

async function openBoth(storage: Parameters<typeof openService>[0]) {
  const service = await openService(storage)
  return [service, await openWorkspace(service)] as const
}

describeEachStore('a bulk change', (open) => {
  test('changes each record once, by twenty workers, and is taken back', async () => {
    const [service, acme] = await openBoth(await open())
    await openPeople(service, acme)
    const { id: tag } = await acme.createRecord('/v1/tags', { name: 'Hot' })
    const begun = await acme.call('POST', '/v1/people/bulk', {
      filter: FILTER,
      change: { position: 'Buyer', add_tags: ['hot'] },
    })
    expect(begun.status).toBe(201)
    expect(bulkOf(begun)).toMatchObject({ state: 'running', total: 20, changed: 0 })
    const path = `/v1/bulk-changes/${bulkOf(begun).id}`
    const workOff = async () => {
      while (await service.crm.runs.continue());
    }
    await Promise.all(Array.from({ length: 20 }, workOff))
    expect(bulkOf(await acme.call('GET', path))).toMatchObject({ state: 'done', done: 20, changed: 20 })
    const total = async (query: string) =>
      ((await acme.call('GET', `/v1/people?${query}`)).json as { meta: { total: number } }).meta.total
    expect(await total(`tag=${tag}`)).toBe(20)
    expect((await acme.call('GET', `${path}/failures`)).json).toMatchObject({ data: [], meta: { total: 0 } })

    service.advanceClock(1000)
    expect((await acme.call('POST', `${path}/revert`)).status).toBe(200)
    await Promise.all(Array.from({ length: 20 }, workOff))
    expect(bulkOf(await acme.call('GET', path))).toMatchObject({
      state: 'reverted',
      reversal: { done: 20, restored: 20, failed: 0 },
    })
    expect(await total(`tag=${tag}`)).toBe(0)
    expect((await acme.call('GET', '/v1/bulk-changes')).json).toMatchObject({ meta: { total: 1 } })
  })

  test('is not there for another workspace, and bounded in number', async () => {
    const [service, acme] = await openBoth(await open())
    await openPeople(service, acme)
    const other = await openWorkspace(service, 'Other')
    const input = { all: true, change: { position: 'Buyer' } }
    const paths: string[] = []
    for (let count = 0; count < 10; count += 1) {
      const { id } = bulkOf(await acme.call('POST', '/v1/people/bulk', input))
      paths.push(`/v1/bulk-changes/${id}`)
    }
    const eleventh = await acme.call('POST', '/v1/people/bulk', input)
    expect([eleventh.status, errorOf(eleventh)]).toMatchObject([
      409,
      { fields: { state: '10 changes of the workspace are running already.' } },
    ])
    expect((await acme.call('POST', `${paths[0]}/stop`)).status).toBe(200)
    for (const step of ['stop', 'revert'])
      expect((await acme.call('POST', `${paths[step === 'stop' ? 0 : 1]}/${step}`)).status, step).toBe(409)
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/failures'],
      ['POST', '/stop'],
      ['POST', '/revert'],
    ] as const)
      expect((await other.call(method, `${paths[1]}${path}`)).status, path).toBe(404)
    expect((await other.call('GET', '/v1/bulk-changes')).json).toMatchObject({ data: [] })
    const narrow = { token: await acme.tokenFor(acme.owner.email, ['companies:write']) }
    expect((await acme.call('GET', paths[1]!, undefined, narrow)).status).toBe(403)
    expect((await acme.call('GET', '/v1/bulk-changes', undefined, narrow)).json).toMatchObject({ data: [] })
  })
})

test('every kind has bulk changes, of which ten run at once', async () => {
  for (const kind of ['people', 'companies', 'deals', 'tasks', 'products']) {
    const [service, acme] = await openBoth(memoryStorage())
    const start = () => acme.call('POST', `/v1/${kind}/bulk`, { all: true, change: { delete: true } })
    for (let count = 0; count < 10; count += 1)
      expect(bulkOf(await start()), kind).toMatchObject({ state: 'running', total: 0 })
    expect((await start()).status, kind).toBe(409)
    while (await service.crm.runs.continue());
    expect((await start()).status, kind).toBe(201)
  }
})

test('a bulk change that is none has one error for each fault', async () => {
  const [, acme] = await openBoth(memoryStorage())
  const send = async (body: unknown) => errorOf(await acme.call('POST', '/v1/people/bulk', body))
  expect(await send({ change: { score: 1 } })).toMatchObject({
    fields: { filter: 'Required, or another filter, or all.' },
  })
  expect(await send({ filter: '{"field":"score"}', change: { full_name: '\ud800' } })).toMatchObject({
    code: 'validation_error',
    fields: { filter: expect.any(String), 'change.full_name': expect.any(String) },
  })
  expect(await send({ all: true, change: [] })).toMatchObject({ fields: { change: 'Must be an object.' } })
  expect(await send('{')).toMatchObject({ code: 'bad_request' })
  const query = await acme.call('POST', '/v1/people/bulk?x=1', { all: true, change: { score: 1 } })
  expect([query.status, errorOf(query)]).toMatchObject([422, { fields: { x: expect.any(String) } }])
  const path = '/v1/bulk-changes/x'
  for (const [method, step] of [
    ['POST', '/stop'],
    ['POST', '/revert'],
  ] as const)
    expect((await acme.call(method, `${path}${step}`, { mode: 1 })).status, step).toBe(422)
  expect((await acme.call('GET', `${path}?x=1`)).status).toBe(422)
  expect((await acme.call('GET', `${path}/failures?page=0`)).status).toBe(422)
  expect((await acme.call('GET', '/v1/bulk-changes?page=0')).status).toBe(422)
})
