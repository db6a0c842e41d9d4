import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { memoryStorage } from '@sales-crm/core/memory'
import { expect, test } from 'vitest'
import { RECORD_KIND_CASES } from '../support/record-kind-cases.ts'
import { describeEachStore, describePersistentStores } from '../support/stores.ts'
import {
  errorOf,
  openService,
  openWorkspace,
  type RequestOptions,
  sendRequest,
  type TestResponse,
  type Workspace,
} from '../support/test-service.ts'

const KEY = 'Idempotency-Key'
const DAY_MS = 86_400_000
const ANA = { full_name: 'Ana' }
const CONFLICT = {
  code: 'idempotency_conflict',
  message: 'The Idempotency-Key was used with a different body.',
  fields: { [KEY]: 'Was used with a different body. Send a new key with a new request.' },
}

function post(
  workspace: Workspace,
  path: string,
  body: unknown,
  key: string,
  more: RequestOptions = {},
): Promise<TestResponse> {
  return workspace.call('POST', path, body, { ...more, headers: { [KEY]: key } })
}

async function countRecords(
  workspace: Workspace,
  path = '/v1/people',
  more: RequestOptions = {},
): Promise<unknown> {
  const { json } = await workspace.call('GET', path, undefined, more)
  return (json as { meta: { total: number } }).meta.total
}

function isReplay({ headers }: TestResponse): boolean {
  const replayed = headers.get('Idempotent-Replayed')
  expect([null, 'true']).toContain(replayed)
  return replayed === 'true'
}

describeEachStore('a request with an Idempotency-Key', (open) => {
  test.each([
    ['/v1/people', ANA],
    ['/v1/companies', { full_name: 'Acme' }],
    ['/v1/deals', { name: 'Chairs', amount: 5 }],
  ])('to %s is replayed byte for byte and creates nothing', async (path, body) => {
    const acme = await openWorkspace(await openService(await open()))
    await acme.createRecord('/v1/pipelines', { name: 'Sales', stages: [{ name: 'New' }] })
    const first = await post(acme, path, body, 'k')
    const id = (first.json as { data: { id: string } }).data.id
    await acme.call(
      'PATCH',
      `${path}/${id}`,
      path === '/v1/deals' ? { name: 'Tables' } : { full_name: 'Other' },
    )
    const second = await post(acme, path, body, 'k')
    await acme.call('DELETE', `${path}/${id}`)
    const third = await post(acme, path, body, 'k')

    expect([first, second, third].map(({ status }) => status)).toEqual([201, 201, 201])
    expect([first, second, third].map(isReplay)).toEqual([false, true, true])
    expect([second.text, third.text]).toEqual([first.text, first.text])
    expect(new Set([first, second, third].map(({ headers }) => headers.get('X-Request-ID'))).size).toBe(3)
    expect(await countRecords(acme, path)).toBe(0)
  })

  test('compares bodies by value: field order does not matter, any other value is a conflict', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const emails = '"emails":[{"email":"a@x.example","type":"home"},{"email":"b@x.example"}]'
    const first = await post(acme, '/v1/people', `{"full_name":"Ana","score":1,${emails}}`, 'k')
    const reordered = '"emails":[{"type":"home","email":"a@x.example"},{"email":"b@x.example"}]'
    const replay = await post(
      acme,
      '/v1/people',
      `{ ${reordered}, "score": 1.0, "full_name": "\\u0041na" }`,
      'k',
    )
    expect([first.status, replay.status, isReplay(replay), replay.text]).toEqual([201, 201, true, first.text])

    for (const other of [
      `{"full_name":"Ana","score":2,${emails}}`,
      `{"full_name":"Ana","score":1,"position":null,${emails}}`,
      `{"full_name":"Ana","score":1,"emails":[{"email":"b@x.example"},{"email":"a@x.example","type":"home"}]}`,
      '{"full_name":""}',
      '{}',
    ]) {
      const errorResponse = await post(acme, '/v1/people', other, 'k')
      expect([errorResponse.status, errorOf(errorResponse), isReplay(errorResponse)]).toEqual([
        422,
        CONFLICT,
        false,
      ])
    }
    expect(await countRecords(acme)).toBe(1)
  })

  test('is processed anew after an error response', async () => {
    const service = await openService(await open(), {
      limits: { GET: 9, POST: 5, PATCH: 9, DELETE: 9 },
      gate: (local) => local,
    })
    const acme = await openWorkspace(service)
    const { token } = await acme.addMember('mia', 'member')
    const statusOf = async (body: unknown, path = '/v1/people') =>
      (await post(acme, path, body, 'k', { token })).status
    expect(await statusOf({ full_name: '' })).toBe(422)
    expect(await statusOf('{')).toBe(400)
    expect(await statusOf({ full_name: 'Ana', owner_user_id: acme.owner.id })).toBe(403)
    expect(await statusOf(ANA, '/v1/people?x=1')).toBe(422)
    await acme.call('POST', '/v1/people', { full_name: '' })
    expect(await statusOf(ANA)).toBe(429)
    expect(await countRecords(acme)).toBe(0)

    service.advanceClock(60_000)
    const responses = [
      await post(acme, '/v1/people', ANA, 'k', { token }),
      await post(acme, '/v1/people', ANA, 'k', { token }),
    ]
    expect(responses.map((response) => [response.status, isReplay(response)])).toEqual([
      [201, false],
      [201, true],
    ])
    expect(await statusOf(ANA, '/v1/people?x=1')).toBe(422)
  })

  test('is independent per app, workspace, path and key', async () => {
    const service = await openService(await open())
    const [acme, rival] = [await openWorkspace(service, 'Acme'), await openWorkspace(service, 'Rival')]
    const { access_token } = await service.crm.operator.createToken({
      workspace: acme.slug,
      client_id: rival.client_id,
      user_email: acme.owner.email,
    })
    const responses = [
      await post(acme, '/v1/people', ANA, 'k'),
      await post(acme, '/v1/people', { full_name: 'Bia' }, 'k', { token: access_token }),
      await post(rival, '/v1/people', { full_name: 'Caio' }, 'k'),
      await post(acme, '/v1/companies', ANA, 'k'),
      await post(acme, '/v1/people', ANA, 'K'),
    ]
    expect(responses.map((response) => [response.status, isReplay(response)])).toEqual(
      Array(5).fill([201, false]),
    )
    expect([
      await countRecords(acme),
      await countRecords(acme, '/v1/companies'),
      await countRecords(rival),
    ]).toEqual([3, 1, 1])
  })

  test('creates one record for twenty concurrent requests and returns it to all', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const responses = await Promise.all(Array.from({ length: 20 }, () => post(acme, '/v1/people', ANA, 'k')))
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(201))
    expect(responses.filter(isReplay)).toHaveLength(19)
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1)
    expect(await countRecords(acme)).toBe(1)
  })

  test('requires a key of 1 to 255 printable ASCII characters', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const fields = { [KEY]: 'Must be 1 to 255 printable ASCII characters.' }
    for (const key of ['', 'k'.repeat(256), 'chavé', 'a\tb', '\u007f', '\u0080']) {
      const response = await post(acme, '/v1/people', ANA, key)
      expect([key, response.status, errorOf(response)]).toEqual([
        key,
        422,
        { code: 'validation_error', message: 'Validation failed.', fields },
      ])
    }
    const errorResponse = await post(acme, '/v1/people', { full_name: '' }, 'k'.repeat(256))
    expect([errorResponse.status, errorOf(errorResponse)['fields']]).toEqual([
      422,
      { ...fields, full_name: 'Required.' },
    ])
    for (const key of ['k'.repeat(255), '~ !"', "'); drop table people; --", '__proto__'])
      expect([key, (await post(acme, '/v1/people', ANA, key)).status]).toEqual([key, 201])
    expect(await countRecords(acme)).toBe(4)
  })

  test('expires after a day', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    await post(acme, '/v1/people', ANA, 'k')
    for (const [milliseconds, replayed, count] of [
      [DAY_MS - 1, true, 1],
      [1, false, 2],
      [1, true, 2],
    ] as const) {
      service.advanceClock(milliseconds)
      const newToken = { token: await acme.tokenFor(acme.owner.email) }
      const response = await post(acme, '/v1/people', ANA, 'k', newToken)
      expect([response.status, isReplay(response), await countRecords(acme, '/v1/people', newToken)]).toEqual(
        [201, replayed, count],
      )
    }
  })

  test('ignores the key on operations without idempotency', async () => {
    const acme = await openWorkspace(await openService(await open()))
    for (const key of ['k', 'k', '', 'k'.repeat(256)]) {
      const webhook = { url: 'https://hooks.example/', events: ['deal.won'] }
      const response = await post(acme, '/v1/webhooks', webhook, key)
      expect([response.status, isReplay(response)]).toEqual([201, false])
    }
    expect(await countRecords(acme, '/v1/webhooks')).toBe(4)
  })
})

describePersistentStores('a request with an Idempotency-Key', (createDatabase) => {
  test('is replayed after the service was killed between commit and response', async () => {
    const { database, open } = await createDatabase()
    const before = await open()
    const acme = await openWorkspace(await openService(before))
    await before.close()

    const scriptInput = {
      database,
      path: '/v1/people',
      body: ANA,
      token: acme.token,
      headers: { [KEY]: 'k' },
    }
    const child = spawn(
      process.execPath,
      [new URL('../support/die-after-commit.ts', import.meta.url).pathname, JSON.stringify(scriptInput)],
      {
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    )
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])

    const { app } = await openService(await open())
    const replay = await sendRequest(app, 'POST', '/v1/people', ANA, scriptInput)
    expect([replay.status, isReplay(replay)]).toEqual([201, true])
    const listResponse = await sendRequest(app, 'GET', '/v1/people', undefined, { token: acme.token })
    expect(listResponse.json).toMatchObject({
      data: [{ id: (replay.json as { data: { id: string } }).data.id }],
      meta: { total: 1 },
    })
  })
})

describePersistentStores(
  'a request with an Idempotency-Key',
  (createDatabase) => {
    test('creates one record for twenty concurrent requests to two services', async () => {
      const { open } = await createDatabase()
      const services = [await openService(await open()), await openService(await open())]
      const acme = await openWorkspace(services[0]!)
      const send = (n: number) =>
        sendRequest(services[n % 2]!.app, 'POST', '/v1/people', ANA, {
          token: acme.token,
          headers: { [KEY]: 'k' },
        })
      const responses = await Promise.all(Array.from({ length: 20 }, (_, n) => send(n)))
      expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(201))
      expect(responses.filter(isReplay)).toHaveLength(19)
      expect(new Set(responses.map(({ text }) => text)).size).toBe(1)
      expect(await countRecords(acme)).toBe(1)
    })
  },
  ['postgres'],
)

test.each(RECORD_KIND_CASES)('a POST of $name takes a key', async ({ name, body }) => {
  const acme = await openWorkspace(await openService(memoryStorage()))
  if (name === 'deals') await acme.createRecord('/v1/pipelines', { name: 'Sales', stages: [{ name: 'New' }] })
  const path = `/v1/${name}`
  const input = body(1, acme.owner.id)
  const responses = await Promise.all(Array.from({ length: 20 }, () => post(acme, path, input, 'k')))
  expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect(responses.map(isReplay).filter((each) => !each)).toHaveLength(1)
  expect(responses[0]?.status).toBe(201)
  expect(errorOf(await post(acme, path, { ...input, x: 1 }, 'k'))).toMatchObject({
    code: 'idempotency_conflict',
  })
  expect(errorOf(await post(acme, path, { ...input, x: 1 }, '\u00e9'))).toMatchObject({
    code: 'validation_error',
    fields: { 'Idempotency-Key': expect.any(String), x: 'Unknown field.' },
  })
})

test.each(RECORD_KIND_CASES)(
  'a PATCH of $name takes a key, and changes once',
  async ({ name, body, change }) => {
    const acme = await openWorkspace(await openService(memoryStorage()))
    if (name === 'deals')
      await acme.createRecord('/v1/pipelines', { name: 'Sales', stages: [{ name: 'New' }] })
    const { json } = await post(acme, `/v1/${name}`, body(1, acme.owner.id), 'create')
    const path = `/v1/${name}/${(json as { data: { id: string } }).data.id}`
    const patch = (input: object, key: string) => acme.call('PATCH', path, input, { headers: { [KEY]: key } })
    const first = await Promise.all(Array.from({ length: 20 }, () => patch(change, 'k')))
    expect(new Set(first.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(first.map(isReplay).filter((each) => !each)).toHaveLength(1)
    const [[field = '', theirs]] = Object.entries(change) as [[string, string | number]]
    const other = typeof theirs === 'number' ? theirs + 1 : `${theirs} again`
    const later = await acme.call('PATCH', path, { [field]: other })
    expect((await patch(change, 'k')).text).toBe(first[0]?.text)
    expect((await acme.call('GET', path)).text).toBe(later.text)
    expect(errorOf(await patch({ ...change, [field]: other }, 'k'))).toMatchObject({
      code: 'idempotency_conflict',
    })
    expect(errorOf(await patch(change, '\u00e9'))).toMatchObject({ fields: { [KEY]: expect.any(String) } })
  },
)
