import type { Storage } from '@sales-crm/core/ports'
import { expect, test } from 'vitest'
import { dataOf, rowsOf, UNKNOWN_ID } from '../../support/record-kind-cases.ts'
import { describeEachStore } from '../../support/stores.ts'
import {
  errorOf,
  openService,
  openWorkspace,
  type TestResponse,
  type Workspace,
} from '../../support/test-service.ts'

const HOOK = { url: 'https://hooks.example.com/crm', events: ['deal.won'] }
const NOON = '2026-03-01T12:00:00.000Z'
const MINUTE = 60_000
const ONE_PAST_NOON = '2026-03-01T12:01:00.000Z'
const IN_A_QUARTER = '2026-03-01T12:15:00.000Z'
const FAILED = { created_at: NOON, duration_ms: 12, status: 500, error: null, response: 'Größe "no" \u2028' }

const told = (answer: TestResponse) =>
  answer.status < 300 ? String(answer.status) : `${answer.status} ${errorOf(answer)['message']}`

async function change(storage: Storage, acme: Workspace, id: string, fields: object): Promise<void> {
  await storage.transact(async (tx) => {
    const { deliveries } = tx.workspace(acme.id)
    await deliveries.update({ ...(await deliveries.getForUpdate(id))!, ...fields })
  })
}

describeEachStore('the deliveries of a webhook', (open) => {
  async function setUp() {
    const storage = await open()
    const service = await openService(storage)
    const acme = await openWorkspace(service)
    const webhook = await acme.createRecord('/v1/webhooks', HOOK)
    const path = `/v1/webhooks/${webhook.id}`
    const log = `${path}/deliveries`
    const sendTestEvent = async () => (await acme.createRecord(`${path}/test`, {})).id
    return { storage, service, acme, webhook, path, log, tested: sendTestEvent }
  }

  test('begin with a test, which goes to it alone', async () => {
    const { acme, webhook, path, log } = await setUp()
    const other = await acme.createRecord('/v1/webhooks', HOOK)
    const made = await acme.call('POST', `${path}/test`)
    const { id } = dataOf(made)
    const item = {
      ...{
        id,
        webhook_id: webhook.id,
        event: 'webhook.test',
        status: 'pending',
        reason: null,
        attempts_count: 0,
      },
      ...{ next_attempt_at: NOON, created_at: NOON, updated_at: NOON },
    }
    const body = JSON.stringify({ id, event: 'webhook.test', version: 'v1', created_at: NOON, webhook })
    expect([made.status, made.json]).toEqual([201, { data: { ...item, attempts: [], body } }])
    expect((await acme.call('GET', `${log}/${String(id).toUpperCase()}`)).json).toEqual(made.json)
    expect((await acme.call('GET', log)).json).toEqual({
      data: [item],
      meta: { total: 1, page: 1, per_page: 50, has_more: false },
    })
    expect((await acme.call('GET', `/v1/webhooks/${other.id}/deliveries`)).json).toMatchObject({
      data: [],
      meta: { total: 0 },
    })
  })

  test('are listed page by page and by status', async () => {
    const { storage, service, acme, log, tested: sendTestEvent } = await setUp()
    const ids: string[] = []
    for (let nth = 0; nth < 4; nth += 1) {
      ids.push(await sendTestEvent())
      service.advanceClock(1000)
    }
    await change(storage, acme, ids[0]!, { status: 'delivered', due_at: null })
    await change(storage, acme, ids[1]!, { status: 'dropped', reason: 'retries_exhausted', due_at: null })
    await change(storage, acme, ids[2]!, { sending: true, due_at: IN_A_QUARTER, lease: 1 })
    const listed = async (query: string) =>
      rowsOf(await acme.call('GET', `${log}?${query}`)).map(({ id }) => id)
    expect(await listed('per_page=3')).toEqual([ids[3], ids[2], ids[1]])
    expect(await listed('per_page=3&page=2&order=desc')).toEqual([ids[0]])
    expect(await listed('order_by=created_at&order=asc')).toEqual(ids)
    expect(await listed('status=delivered')).toEqual([ids[0]])
    expect(await listed('status=dropped')).toEqual([ids[1]])
    expect(await listed('status=pending')).toEqual([ids[3], ids[2]])
    expect((await acme.call('GET', `${log}?status=pending&per_page=1`)).json).toMatchObject({
      meta: { total: 2, has_more: true },
    })
    expect(
      rowsOf(await acme.call('GET', `${log}?order=asc`)).map(({ next_attempt_at }) => next_attempt_at),
    ).toEqual([...[null, null, null, '2026-03-01T12:00:03.000Z']])
    const refused = await acme.call('GET', `${log}?status=sent&order_by=event&event=x&page=1&page=2`)
    expect([refused.status, errorOf(refused)['fields']]).toEqual([
      422,
      {
        status: 'Must be one of: pending, delivered, dropped.',
        order_by: 'Must be one of: created_at.',
        event: 'Unknown parameter.',
        page: 'Must be sent only once.',
      },
    ])
    const parameter = await acme.call('GET', `${log}/${ids[0]}?status=pending`)
    expect([parameter.status, errorOf(parameter)['fields']]).toEqual([422, { status: 'Unknown parameter.' }])
  })

  test.each(['retries_exhausted', 'access_revoked', null])(
    'that are over (%s) are sent once more, as they were',
    async (reason) => {
      const { storage, service, acme, log, tested: sendTestEvent } = await setUp()
      const id = await sendTestEvent()
      const over = {
        status: reason === null ? 'delivered' : 'dropped',
        reason,
        due_at: null,
        attempts: [FAILED],
        attempts_count: 4,
        lease: 4,
      }
      await change(storage, acme, id, over)
      const before = dataOf(await acme.call('GET', `${log}/${id}`))
      expect(before).toMatchObject({ next_attempt_at: null, attempts: [FAILED] })
      service.advanceClock(MINUTE)
      const again = await acme.call('POST', `${log}/${id}/redeliver`)
      const after = {
        ...before,
        status: 'pending',
        reason: null,
        next_attempt_at: ONE_PAST_NOON,
        updated_at: ONE_PAST_NOON,
      }
      expect([again.status, again.json]).toEqual([200, { data: after }])
      expect((await acme.call('GET', `${log}/${id}`)).json).toEqual(again.json)
      expect((await acme.call('GET', log)).json).toMatchObject({ meta: { total: 1 } })
    },
  )

  test('that twenty ask for again at once wait once', async () => {
    const { storage, service, acme, log, tested: sendTestEvent } = await setUp()
    const id = await sendTestEvent()
    await change(storage, acme, id, { status: 'dropped', reason: 'retries_exhausted', due_at: null })
    service.advanceClock(MINUTE)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => acme.call('POST', `${log}/${id}/redeliver`)),
    )
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]!.status).toBe(200)
    const kept = await storage.read((tx) => tx.workspace(acme.id).deliveries.get(id))
    expect(kept).toMatchObject({
      status: 'pending',
      last_attempt: true,
      sending: false,
      lease: 0,
      attempts_count: 0,
    })
  })

  test('are asked for again with nothing in the body, or an empty object', async () => {
    const { acme, path, log, tested: sendTestEvent } = await setUp()
    const id = await sendTestEvent()
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
    for (const [target, status] of [
      [`${log}/${id}/redeliver`, '200'],
      [`${path}/test`, '201'],
    ] as const) {
      for (const [body, headers] of [[undefined], [''], ['', form], ['{}'], [' { } ']] as const)
        expect(told(await acme.call('POST', target, body, headers && { headers }))).toBe(status)
      for (const body of ['{', 'null ', '[]', '"a"', ' ', new Uint8Array([0xff])])
        expect(told(await acme.call('POST', target, body))).toMatch(/^400 Request body must be/)
      expect(told(await acme.call('POST', target, 'a=b', { headers: form }))).toBe(
        '400 Request body must be valid JSON.',
      )
      expect(told(await acme.call('POST', target, ' '.repeat(1_048_577)))).toBe(
        '400 Request body is too large.',
      )
      const refused = await acme.call(
        'POST',
        `${target}?now=1`,
        '{"url":"https://x.example.com","__proto__":{}}',
      )
      expect(refused.status).toBe(422)
      expect(Object.entries(errorOf(refused)['fields'] as object).toSorted()).toEqual([
        ['__proto__', 'Unknown field.'],
        ['now', 'Unknown parameter.'],
        ['url', 'Unknown field.'],
      ])
      const field = await acme.call('POST', target, { event: 'deal.won' })
      expect([field.status, errorOf(field)['fields']]).toEqual([422, { event: 'Unknown field.' }])
    }
    expect((await acme.call('GET', log)).json).toMatchObject({ meta: { total: 6 } })
  })

  test('are found under their own webhook alone', async () => {
    const { service, acme, webhook, log, tested: sendTestEvent } = await setUp()
    const id = await sendTestEvent()
    const rival = await openWorkspace(service, 'Rival')
    const theirs = await rival.createRecord('/v1/webhooks', HOOK)
    const other = await acme.createRecord('/v1/webhooks', HOOK)
    const foreign = (await rival.createRecord(`/v1/webhooks/${theirs.id}/test`, {})).id
    const sent = async (target: string, workspace = acme) => [
      told(await workspace.call('GET', target)),
      told(await workspace.call('POST', `${target}/redeliver`)),
    ]
    const gone = Array(2).fill('404 Delivery not found.')
    for (const wrong of [UNKNOWN_ID, foreign, webhook.id, 'x', '%00', '__proto__', '%ED%A0%80']) {
      expect(await sent(`${log}/${wrong}`)).toEqual(gone)
    }
    expect(await sent(`/v1/webhooks/${other.id}/deliveries/${id}`)).toEqual(gone)
    expect(await sent(`/v1/webhooks/${theirs.id}/deliveries/${id}`, rival)).toEqual(gone)
    expect(await sent(`${log}/${id}`, rival)).toEqual(Array(2).fill('404 Webhook not found.'))
    expect(await sent(`${log}/${id}`)).toEqual(['200', '200'])
  })
})
