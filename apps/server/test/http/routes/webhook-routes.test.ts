import { readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import pg from 'pg'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { DatabaseLocation } from '../../support/database-location.ts'
import { dataOf, rowsOf, UNKNOWN_ID } from '../../support/record-kind-cases.ts'
import { describeEachStore, describePersistentStores } from '../../support/stores.ts'
import {
  errorOf,
  openService,
  openWorkspace,
  type Service,
  type TestResponse,
  type Workspace,
} from '../../support/test-service.ts'

const PATH = '/v1/webhooks'
const HOOK = { url: 'https://hooks.example.com/crm', events: ['deal.won', 'deal.lost'] }
const NOON = '2026-03-01T12:00:00.000Z'
const SECRET = /^whsec_[0-9a-f]{64}$/
const NOT_FOUND = '404 not_found Webhook not found.'

const outcomeOf = (response: TestResponse) => {
  if (response.status < 300) return String(response.status)
  const { code, message, fields } = errorOf(response)
  return `${response.status} ${code} ${message}${fields === undefined ? '' : ` ${JSON.stringify(fields)}`}`
}

/** Returns a token of another app that the workspace has authorized. */
async function tokenOfAnotherApp({ crm }: Service, { slug, owner }: Workspace): Promise<string> {
  const { client_id } = await crm.operator.createApp({
    ...{ name: 'Other app', email: `other@${slug}.example`, redirect_uris: ['https://other.example/cb'] },
    scopes: [...crm.operator.scopes],
  })
  const { access_token } = await crm.operator.createToken({
    workspace: slug,
    client_id,
    user_email: owner.email,
  })
  return access_token
}

/** Returns every route below a webhook, with the id `id`. */
function routesOf(id: string): readonly (readonly [string, string, object?])[] {
  return [
    ['GET', `${PATH}/${id}`],
    ['PATCH', `${PATH}/${id}`, { auth_enable: true }],
    ['GET', `${PATH}/${id}/deliveries`],
    ['GET', `${PATH}/${id}/deliveries/${UNKNOWN_ID}`],
    ['POST', `${PATH}/${id}/deliveries/${UNKNOWN_ID}/redeliver`],
    ['POST', `${PATH}/${id}/test`],
    ['DELETE', `${PATH}/${id}`],
  ]
}

describeEachStore('a webhook', (open) => {
  test('is created, read, listed, updated and deleted', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const createResponse = await acme.call('POST', PATH, HOOK)
    const { id } = dataOf(createResponse)
    const webhook = { id, ...HOOK, auth_enable: false, created_at: NOON, updated_at: NOON }
    expect([createResponse.status, createResponse.json]).toEqual([201, { data: webhook }])
    const getResponse = await acme.call('GET', `${PATH}/${String(id).toUpperCase()}`)
    expect([getResponse.status, getResponse.text]).toEqual([200, createResponse.text])
    const meta = { total: 1, page: 1, per_page: 50, has_more: false }
    expect((await acme.call('GET', PATH)).json).toEqual({ data: [webhook], meta })
    service.advanceClock(1000)
    expect((await acme.call('PATCH', `${PATH}/${id}`, { ...HOOK, auth_enable: false })).json).toEqual({
      data: webhook,
    })
    const patchResponse = await acme.call('PATCH', `${PATH}/${id}`, {
      events: ['task.created'],
    })
    const after = { ...webhook, events: ['task.created'], updated_at: '2026-03-01T12:00:01.000Z' }
    expect([patchResponse.status, patchResponse.json]).toEqual([200, { data: after }])
    const deleteResponse = await acme.call('DELETE', `${PATH}/${id}`)
    expect([deleteResponse.status, deleteResponse.text]).toEqual([204, ''])
    for (const [method, path, body] of routesOf(String(id)))
      expect(outcomeOf(await acme.call(method, path, body))).toBe(NOT_FOUND)
    expect((await acme.call('GET', PATH)).json).toEqual({ data: [], meta: { ...meta, total: 0 } })
  })

  test('has a secret while auth_enable is set, shown only when it is created', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const record = await acme.createRecord(PATH, { ...HOOK, auth_enable: true })
    const other = await acme.createRecord(PATH, { ...HOOK, auth_enable: true })
    const path = `${PATH}/${record.id}`
    const patchWebhook = async (body: object) => dataOf(await acme.call('PATCH', path, body))
    expect(await patchWebhook({ auth_enable: true })).not.toHaveProperty('webhook_secret')
    expect(await patchWebhook({ url: 'https://new.example.com' })).toMatchObject({
      url: 'https://new.example.com/',
      auth_enable: true,
    })
    expect(await patchWebhook({ auth_enable: false })).toMatchObject({ auth_enable: false })
    const reenabled = await patchWebhook({ auth_enable: true })
    expect(reenabled).toMatchObject({ auth_enable: true })
    expect(Object.keys(dataOf(await acme.call('GET', path)))).toEqual([
      'id',
      'url',
      'events',
      'auth_enable',
      'created_at',
      'updated_at',
    ])
    expect((await acme.call('GET', PATH)).text).not.toContain('whsec_')
    const secrets = [record, other, reenabled].map(({ webhook_secret }) => String(webhook_secret))
    for (const secret of secrets) expect(secret).toMatch(SECRET)
    expect(new Set(secrets).size).toBe(3)
  })

  test('is not found by another app, another workspace or a malformed id', async () => {
    const service = await openService(await open())
    const [acme, rival] = [await openWorkspace(service), await openWorkspace(service, 'Rival')]
    const record = await acme.createRecord(PATH, HOOK)
    const otherAppToken = await tokenOfAnotherApp(service, acme)
    for (const token of [otherAppToken, rival.token]) {
      for (const [method, path, body] of routesOf(record.id))
        expect(outcomeOf(await acme.call(method, path, body, { token }))).toBe(NOT_FOUND)
      expect((await acme.call('GET', PATH, undefined, { token })).json).toMatchObject({
        data: [],
        meta: { total: 0 },
      })
    }
    for (const id of [UNKNOWN_ID, 'x', '%00', '__proto__', 'constructor', '%ED%A0%80', `${record.id}0`])
      for (const [method, path, body] of routesOf(id))
        expect(outcomeOf(await acme.call(method, path, body))).toBe(NOT_FOUND)
    expect((await acme.call('GET', `${PATH}/${record.id}`)).json).toEqual({ data: record })
  })

  test('is limited to fifty per app, also for concurrent creates', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    // Opens connections in advance.
    await Promise.all(Array.from({ length: 49 }, () => acme.createRecord(PATH, HOOK)))
    const responses = await Promise.all(Array.from({ length: 20 }, () => acme.call('POST', PATH, HOOK)))
    const limitError =
      '422 validation_error Validation failed. {"url":"The app has 50 webhooks, which is as many as it can have."}'
    expect(responses.map(outcomeOf).toSorted()).toEqual(['201', ...Array<string>(19).fill(limitError)])
    expect((await acme.call('GET', `${PATH}?per_page=1`)).json).toMatchObject({
      meta: { total: 50, has_more: true },
    })
    expect(
      outcomeOf(await acme.call('POST', PATH, HOOK, { token: await tokenOfAnotherApp(service, acme) })),
    ).toBe('201')
    expect(
      outcomeOf(
        await acme.call('DELETE', `${PATH}/${dataOf(responses.find(({ status }) => status === 201)!)['id']}`),
      ),
    ).toBe('204')
    expect(outcomeOf(await acme.call('POST', PATH, HOOK))).toBe('201')
  })

  test('is listed only by creation time', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const ids: string[] = []
    for (let index = 0; index < 3; index += 1) {
      ids.push((await acme.createRecord(PATH, HOOK)).id)
      service.advanceClock(1000)
    }
    const listIds = async (query: string) =>
      rowsOf(await acme.call('GET', `${PATH}?${query}`)).map(({ id }) => id)
    expect(await listIds('per_page=2')).toEqual([ids[2], ids[1]])
    expect(await listIds('per_page=2&page=2')).toEqual([ids[0]])
    expect(await listIds('order=asc&order_by=created_at')).toEqual(ids)
    const errorResponse = await acme.call('GET', `${PATH}?order_by=url&page=1&page=2&per_pag=1`)
    expect(errorOf(errorResponse)['fields']).toEqual({
      order_by: 'Must be one of: created_at.',
      page: 'Must be sent only once.',
      per_pag: 'Unknown parameter. Did you mean "per_page"?',
    })
  })
})

describeEachStore('the scopes of webhooks', (open) => {
  test('are webhooks:manage for all routes and webhooks:read for reads; errors name the first', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const record = await acme.createRecord(PATH, HOOK)
    const tokens = {
      manage: await acme.tokenFor(acme.owner.email, ['webhooks:manage']),
      read: await acme.tokenFor(acme.owner.email, ['webhooks:read']),
      neither: await acme.tokenFor(acme.owner.email, ['people:read', 'people:write', 'deals:write']),
    }
    const delivery = String(dataOf(await acme.call('POST', `${PATH}/${record.id}/test`))['id'])
    const readPaths = [
      PATH,
      `${PATH}/${record.id}`,
      `${PATH}/${record.id}/deliveries`,
      `${PATH}/${record.id}/deliveries/${delivery}`,
    ]
    const expectForbidden = async (token: string, method: string, path: string, body?: object | string) => {
      const response = await acme.call(method, path, body, { token })
      expect([method, path, outcomeOf(response)]).toEqual([
        ...[method, path, "403 insufficient_scope This endpoint requires the 'webhooks:manage' scope."],
      ])
      expect(response.headers.get('WWW-Authenticate')).toBe(
        'Bearer error="insufficient_scope", scope="webhooks:manage"',
      )
    }
    for (const path of readPaths) {
      for (const token of [tokens.manage, tokens.read])
        expect(outcomeOf(await acme.call('GET', path, undefined, { token }))).toBe('200')
      const headResponse = await service.app.request(path, {
        method: 'HEAD',
        headers: { Authorization: `Bearer ${tokens.read}` },
      })
      expect([headResponse.status, await headResponse.text()]).toEqual([200, ''])
      await expectForbidden(tokens.neither, 'GET', path)
    }
    const writeRoutes = routesOf(record.id).filter(([method]) => method !== 'GET')
    for (const token of [tokens.read, tokens.neither]) {
      await expectForbidden(token, 'POST', PATH, HOOK)
      for (const [method, path, body] of writeRoutes) await expectForbidden(token, method, path, body)
    }
    // The scope is checked before the body.
    await expectForbidden(tokens.read, 'POST', PATH, '{')
    expect(outcomeOf(await acme.call('POST', PATH, HOOK, { token: tokens.manage }))).toBe('201')
    expect(
      outcomeOf(await acme.call('DELETE', `${PATH}/${record.id}`, undefined, { token: tokens.manage })),
    ).toBe('204')
  })

  test('suffice for a member of any role', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const { token } = await acme.addMember('mia', 'member')
    expect(outcomeOf(await acme.call('POST', PATH, HOOK, { token }))).toBe('201')
    expect((await acme.call('GET', PATH)).json).toMatchObject({ meta: { total: 1 } })
  })
})

describePersistentStores('the secret of a webhook', (createDatabase) => {
  test('is in no table, file or log, and is deleted when auth_enable is turned off', async () => {
    const { database, open } = await createDatabase()
    const lines: string[] = []
    const storage = await open()
    const service = await openService(storage, { log: pino({}, { write: (line) => void lines.push(line) }) })
    const acme = await openWorkspace(service)
    const sealedOf = (id: string) =>
      storage.read(async (tx) => (await tx.workspace(acme.id).webhooks.get(id))?.sealed_secret)
    const record = await acme.createRecord(PATH, { ...HOOK, auth_enable: true })
    await acme.call('POST', `${PATH}/${record.id}/test`)
    const first = await sealedOf(record.id)
    expect(await dumpTable(database, 'webhooks')).toContain(first)
    await acme.call('PATCH', `${PATH}/${record.id}`, { auth_enable: false })
    expect(await sealedOf(record.id)).toBeNull()
    const second = dataOf(await acme.call('PATCH', `${PATH}/${record.id}`, { auth_enable: true }))
    const secrets = [record, second].map(({ webhook_secret }) => String(webhook_secret).replace('whsec_', ''))
    const stored = [
      await dumpTable(database, 'webhooks'),
      await dumpTable(database, 'deliveries'),
      ...filesOf(database),
    ].join('')
    expect(stored).toContain(record.id)
    for (const secret of secrets) {
      expect(secret).toMatch(/^[0-9a-f]{64}$/)
      expect(stored).not.toContain(secret)
      expect(lines.join('')).not.toContain(secret)
    }
    expect(await dumpTable(database, 'webhooks')).not.toContain(first)
    await acme.call('DELETE', `${PATH}/${record.id}`)
    expect(await dumpTable(database, 'webhooks')).not.toContain(record.id)
  })
})

/** Returns all rows of a table as text. */
async function dumpTable({ driver, location }: DatabaseLocation, table: string): Promise<string> {
  if (driver === 'postgres') {
    const client = new pg.Client(location)
    await client.connect()
    const { rows } = await client.query(`select t::text as text from "${table}" t`)
    await client.end()
    return JSON.stringify(rows)
  }
  const file = new Database(location, { readonly: true })
  const rows = file.prepare(`select * from "${table}"`).all()
  file.close()
  return JSON.stringify(rows)
}

function filesOf({ driver, location }: DatabaseLocation): readonly string[] {
  return driver === 'postgres'
    ? []
    : readdirSync(dirname(location)).map((name) => readFileSync(`${dirname(location)}/${name}`, 'latin1'))
}
