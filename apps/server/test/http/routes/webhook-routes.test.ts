import { readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import pg from 'pg'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { checkScopes } from '../../../src/http/routes/api-routes.ts'
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
const GONE = '404 not_found Webhook not found.'

const told = (answer: TestResponse) => {
  if (answer.status < 300) return String(answer.status)
  const { code, message, fields } = errorOf(answer)
  return `${answer.status} ${code} ${message}${fields === undefined ? '' : ` ${JSON.stringify(fields)}`}`
}

/** Another app that the workspace has let in. */
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

/** Every route that names a webhook, on the webhook `id`. */
function ofWebhook(id: string): readonly (readonly [string, string, object?])[] {
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
  test('is made, read, listed, changed and deleted', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const made = await acme.call('POST', PATH, HOOK)
    const { id } = dataOf(made)
    const webhook = { id, ...HOOK, auth_enable: false, created_at: NOON, updated_at: NOON }
    expect([made.status, made.json]).toEqual([201, { data: webhook }])
    const shown = await acme.call('GET', `${PATH}/${String(id).toUpperCase()}`)
    expect([shown.status, shown.text]).toEqual([200, made.text])
    const meta = { total: 1, page: 1, per_page: 50, has_more: false }
    expect((await acme.call('GET', PATH)).json).toEqual({ data: [webhook], meta })
    service.advanceClock(1000)
    expect((await acme.call('PATCH', `${PATH}/${id}`, { ...HOOK, auth_enable: false })).json).toEqual({
      data: webhook,
    })
    const changed = await acme.call('PATCH', `${PATH}/${id}`, { events: ['task.created', 'task.created'] })
    const after = { ...webhook, events: ['task.created'], updated_at: '2026-03-01T12:00:01.000Z' }
    expect([changed.status, changed.json]).toEqual([200, { data: after }])
    const removed = await acme.call('DELETE', `${PATH}/${id}`)
    expect([removed.status, removed.text]).toEqual([204, ''])
    for (const [method, path, body] of ofWebhook(String(id)))
      expect(told(await acme.call(method, path, body))).toBe(GONE)
    expect((await acme.call('GET', PATH)).json).toEqual({ data: [], meta: { ...meta, total: 0 } })
  })

  test('has a secret while it wants one, and shows each only when it is made', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const made = await acme.createRecord(PATH, { ...HOOK, auth_enable: true })
    const other = await acme.createRecord(PATH, { ...HOOK, auth_enable: true })
    const path = `${PATH}/${made.id}`
    const patched = async (body: object) => dataOf(await acme.call('PATCH', path, body))
    expect(await patched({ auth_enable: true })).not.toHaveProperty('webhook_secret')
    expect(await patched({ url: 'https://new.example.com' })).toMatchObject({
      url: 'https://new.example.com/',
      auth_enable: true,
    })
    expect(await patched({ auth_enable: false })).toMatchObject({ auth_enable: false })
    const again = await patched({ auth_enable: true })
    expect(again).toMatchObject({ auth_enable: true })
    expect(Object.keys(dataOf(await acme.call('GET', path)))).toEqual([
      'id',
      'url',
      'events',
      'auth_enable',
      'created_at',
      'updated_at',
    ])
    expect((await acme.call('GET', PATH)).text).not.toContain('whsec_')
    const secrets = [made, other, again].map(({ webhook_secret }) => String(webhook_secret))
    for (const secret of secrets) expect(secret).toMatch(SECRET)
    expect(new Set(secrets).size).toBe(3)
  })

  test('is not there for another app, for another workspace, and under an id that is none', async () => {
    const service = await openService(await open())
    const [acme, rival] = [await openWorkspace(service), await openWorkspace(service, 'Rival')]
    const made = await acme.createRecord(PATH, HOOK)
    const another = await tokenOfAnotherApp(service, acme)
    for (const token of [another, rival.token]) {
      for (const [method, path, body] of ofWebhook(made.id))
        expect(told(await acme.call(method, path, body, { token }))).toBe(GONE)
      expect((await acme.call('GET', PATH, undefined, { token })).json).toMatchObject({
        data: [],
        meta: { total: 0 },
      })
    }
    for (const id of [UNKNOWN_ID, 'x', '%00', '__proto__', 'constructor', '%ED%A0%80', `${made.id}0`])
      for (const [method, path, body] of ofWebhook(id))
        expect(told(await acme.call(method, path, body))).toBe(GONE)
    expect((await acme.call('GET', `${PATH}/${made.id}`)).json).toEqual({ data: made })
  })

  test('is one of fifty at most, however many are made at once', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    // Side by side, so that those who race next find connections open.
    await Promise.all(Array.from({ length: 49 }, () => acme.createRecord(PATH, HOOK)))
    const answers = await Promise.all(Array.from({ length: 20 }, () => acme.call('POST', PATH, HOOK)))
    const full =
      '422 validation_error Validation failed. {"url":"The app has 50 webhooks, which is as many as it can have."}'
    expect(answers.map(told).toSorted()).toEqual(['201', ...Array<string>(19).fill(full)])
    expect((await acme.call('GET', `${PATH}?per_page=1`)).json).toMatchObject({
      meta: { total: 50, has_more: true },
    })
    expect(told(await acme.call('POST', PATH, HOOK, { token: await tokenOfAnotherApp(service, acme) }))).toBe(
      '201',
    )
    expect(
      told(
        await acme.call('DELETE', `${PATH}/${dataOf(answers.find(({ status }) => status === 201)!)['id']}`),
      ),
    ).toBe('204')
    expect(told(await acme.call('POST', PATH, HOOK))).toBe('201')
  })

  test('is listed by the time it was made alone', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const ids: string[] = []
    for (let nth = 0; nth < 3; nth += 1) {
      ids.push((await acme.createRecord(PATH, HOOK)).id)
      service.advanceClock(1000)
    }
    const listed = async (query: string) =>
      rowsOf(await acme.call('GET', `${PATH}?${query}`)).map(({ id }) => id)
    expect(await listed('per_page=2')).toEqual([ids[2], ids[1]])
    expect(await listed('per_page=2&page=2')).toEqual([ids[0]])
    expect(await listed('order=asc&order_by=created_at')).toEqual(ids)
    const refused = await acme.call('GET', `${PATH}?order_by=url&page=1&page=2&per_pag=1`)
    expect(errorOf(refused)['fields']).toEqual({
      order_by: 'Must be one of: created_at.',
      page: 'Must be sent only once.',
      per_pag: 'Unknown parameter. Did you mean "per_page"?',
    })
  })
})

test('a second scope that there is not stops the start', () => {
  const route = { method: 'GET', path: PATH, scope: 'webhooks:manage' } as const
  expect(() => checkScopes([{ ...route, alternativeScope: 'webhooks:read' }])).not.toThrow()
  expect(() => checkScopes([{ ...route, alternativeScope: 'webhooks:raed' }])).toThrow(
    'GET /v1/webhooks has no scope',
  )
})

describeEachStore('the scopes of webhooks', (open) => {
  test('are one for all, and another for what is read; a refusal names the one', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const made = await acme.createRecord(PATH, HOOK)
    const tokens = {
      manage: await acme.tokenFor(acme.owner.email, ['webhooks:manage']),
      read: await acme.tokenFor(acme.owner.email, ['webhooks:read']),
      neither: await acme.tokenFor(acme.owner.email, ['people:read', 'people:write', 'deals:write']),
    }
    const delivery = String(dataOf(await acme.call('POST', `${PATH}/${made.id}/test`))['id'])
    const reading = [
      PATH,
      `${PATH}/${made.id}`,
      `${PATH}/${made.id}/deliveries`,
      `${PATH}/${made.id}/deliveries/${delivery}`,
    ]
    const refused = async (token: string, method: string, path: string, body?: object | string) => {
      const answer = await acme.call(method, path, body, { token })
      expect([method, path, told(answer)]).toEqual([
        ...[method, path, "403 insufficient_scope This endpoint requires the 'webhooks:manage' scope."],
      ])
      expect(answer.headers.get('WWW-Authenticate')).toBe(
        'Bearer error="insufficient_scope", scope="webhooks:manage"',
      )
    }
    for (const path of reading) {
      for (const token of [tokens.manage, tokens.read])
        expect(told(await acme.call('GET', path, undefined, { token }))).toBe('200')
      const headed = await service.app.request(path, {
        method: 'HEAD',
        headers: { Authorization: `Bearer ${tokens.read}` },
      })
      expect([headed.status, await headed.text()]).toEqual([200, ''])
      await refused(tokens.neither, 'GET', path)
    }
    const changing = ofWebhook(made.id).filter(([method]) => method !== 'GET')
    for (const token of [tokens.read, tokens.neither]) {
      await refused(token, 'POST', PATH, HOOK)
      for (const [method, path, body] of changing) await refused(token, method, path, body)
    }
    // Before the body is looked at.
    await refused(tokens.read, 'POST', PATH, '{')
    expect(told(await acme.call('POST', PATH, HOOK, { token: tokens.manage }))).toBe('201')
    expect(told(await acme.call('DELETE', `${PATH}/${made.id}`, undefined, { token: tokens.manage }))).toBe(
      '204',
    )
  })

  test('are enough for a member of any role', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const { token } = await acme.addMember('mia', 'member')
    expect(told(await acme.call('POST', PATH, HOOK, { token }))).toBe('201')
    expect((await acme.call('GET', PATH)).json).toMatchObject({ meta: { total: 1 } })
  })
})

describePersistentStores('the secret of a webhook', (found) => {
  test('lies in no database and no log; turned off, nothing of it is kept', async () => {
    const { database: place, open } = await found()
    const lines: string[] = []
    const storage = await open()
    const service = await openService(storage, { log: pino({}, { write: (line) => void lines.push(line) }) })
    const acme = await openWorkspace(service)
    const sealedOf = (id: string) =>
      storage.read(async (tx) => (await tx.workspace(acme.id).webhooks.get(id))?.sealed_secret)
    const made = await acme.createRecord(PATH, { ...HOOK, auth_enable: true })
    await acme.call('POST', `${PATH}/${made.id}/test`)
    const first = await sealedOf(made.id)
    expect(await dumpTable(place, 'webhooks')).toContain(first)
    await acme.call('PATCH', `${PATH}/${made.id}`, { auth_enable: false })
    expect(await sealedOf(made.id)).toBeNull()
    const second = dataOf(await acme.call('PATCH', `${PATH}/${made.id}`, { auth_enable: true }))
    const secrets = [made, second].map(({ webhook_secret }) => String(webhook_secret).replace('whsec_', ''))
    const kept = [
      await dumpTable(place, 'webhooks'),
      await dumpTable(place, 'deliveries'),
      ...filesOf(place),
    ].join('')
    expect(kept).toContain(made.id)
    for (const secret of secrets) {
      expect(secret).toMatch(/^[0-9a-f]{64}$/)
      expect(kept).not.toContain(secret)
      expect(lines.join('')).not.toContain(secret)
    }
    expect(await dumpTable(place, 'webhooks')).not.toContain(first)
    await acme.call('DELETE', `${PATH}/${made.id}`)
    expect(await dumpTable(place, 'webhooks')).not.toContain(made.id)
  })
})

/** All rows of a table, as text. */
async function dumpTable({ driver, location: where }: DatabaseLocation, table: string): Promise<string> {
  if (driver === 'postgres') {
    const client = new pg.Client(where)
    await client.connect()
    const { rows } = await client.query(`select t::text as text from "${table}" t`)
    await client.end()
    return JSON.stringify(rows)
  }
  const file = new Database(where, { readonly: true })
  const rows = file.prepare(`select * from "${table}"`).all()
  file.close()
  return JSON.stringify(rows)
}

function filesOf({ driver, location: where }: DatabaseLocation): readonly string[] {
  return driver === 'postgres'
    ? []
    : readdirSync(dirname(where)).map((name) => readFileSync(`${dirname(where)}/${name}`, 'latin1'))
}
