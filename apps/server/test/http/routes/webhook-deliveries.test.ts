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
const MINUTE_LATER = '2026-03-01T12:01:00.000Z'
const QUARTER_HOUR_LATER = '2026-03-01T12:15:00.000Z'
const FAILED_ATTEMPT = {
  created_at: NOON,
  duration_ms: 12,
  status: 500,
  error: null,
  response: 'Größe "no" \u2028',
}

const outcomeOf = (response: TestResponse) =>
  response.status < 300 ? String(response.status) : `${response.status} ${errorOf(response)['message']}`

async function updateDelivery(storage: Storage, acme: Workspace, id: string, fields: object): Promise<void> {
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
    return { storage, service, acme, webhook, path, log, sendTestEvent }
  }

  test('of a test event go only to the tested webhook', async () => {
    const { acme, webhook, path, log } = await setUp()
    const other = await acme.createRecord('/v1/webhooks', HOOK)
    const createResponse = await acme.call('POST', `${path}/test`)
    const { id } = dataOf(createResponse)
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
    expect([createResponse.status, createResponse.json]).toEqual([
      201,
      { data: { ...item, attempts: [], body } },
    ])
    expect((await acme.call('GET', `${log}/${String(id).toUpperCase()}`)).json).toEqual(createResponse.json)
    expect((await acme.call('GET', log)).json).toEqual({
      data: [item],
      meta: { total: 1, page: 1, per_page: 50, has_more: false },
    })
    expect((await acme.call('GET', `/v1/webhooks/${other.id}/deliveries`)).json).toMatchObject({
      data: [],
      meta: { total: 0 },
    })
  })

  test('are listed by page and by status', async () => {
    const { storage, service, acme, log, sendTestEvent } = await setUp()
    const ids: string[] = []
    for (let index = 0; index < 4; index += 1) {
      ids.push(await sendTestEvent())
      service.advanceClock(1000)
    }
    await updateDelivery(storage, acme, ids[0]!, { status: 'delivered', due_at: null })
    await updateDelivery(storage, acme, ids[1]!, {
      status: 'dropped',
      reason: 'retries_exhausted',
      due_at: null,
    })
    await updateDelivery(storage, acme, ids[2]!, { sending: true, due_at: QUARTER_HOUR_LATER, lease: 1 })
    const listIds = async (query: string) =>
      rowsOf(await acme.call('GET', `${log}?${query}`)).map(({ id }) => id)
    expect(await listIds('per_page=3')).toEqual([ids[3], ids[2], ids[1]])
    expect(await listIds('per_page=3&page=2&order=desc')).toEqual([ids[0]])
    expect(await listIds('order_by=created_at&order=asc')).toEqual(ids)
    expect(await listIds('status=delivered')).toEqual([ids[0]])
    expect(await listIds('status=dropped')).toEqual([ids[1]])
    expect(await listIds('status=pending')).toEqual([ids[3], ids[2]])
    expect((await acme.call('GET', `${log}?status=pending&per_page=1`)).json).toMatchObject({
      meta: { total: 2, has_more: true },
    })
    expect(
      rowsOf(await acme.call('GET', `${log}?order=asc`)).map(({ next_attempt_at }) => next_attempt_at),
    ).toEqual([...[null, null, null, '2026-03-01T12:00:03.000Z']])
    const errorResponse = await acme.call('GET', `${log}?status=sent&order_by=event&event=x&page=1&page=2`)
    expect([errorResponse.status, errorOf(errorResponse)['fields']]).toEqual([
      422,
      {
        status: 'Must be one of: pending, delivered, dropped.',
        order_by: 'Must be one of: created_at.',
        event: 'Unknown parameter.',
        page: 'Must be sent only once.',
      },
    ])
    const parameterResponse = await acme.call('GET', `${log}/${ids[0]}?status=pending`)
    expect([parameterResponse.status, errorOf(parameterResponse)['fields']]).toEqual([
      422,
      { status: 'Unknown parameter.' },
    ])
  })

  test.each(['retries_exhausted', 'access_revoked', null])(
    'that ended (%s) are redelivered with unchanged content',
    async (reason) => {
      const { storage, service, acme, log, sendTestEvent } = await setUp()
      const id = await sendTestEvent()
      const ended = {
        status: reason === null ? 'delivered' : 'dropped',
        reason,
        due_at: null,
        attempts: [FAILED_ATTEMPT],
        attempts_count: 4,
        lease: 4,
      }
      await updateDelivery(storage, acme, id, ended)
      const before = dataOf(await acme.call('GET', `${log}/${id}`))
      expect(before).toMatchObject({ next_attempt_at: null, attempts: [FAILED_ATTEMPT] })
      service.advanceClock(MINUTE)
      const redelivered = await acme.call('POST', `${log}/${id}/redeliver`)
      const after = {
        ...before,
        status: 'pending',
        reason: null,
        next_attempt_at: MINUTE_LATER,
        updated_at: MINUTE_LATER,
      }
      expect([redelivered.status, redelivered.json]).toEqual([200, { data: after }])
      expect((await acme.call('GET', `${log}/${id}`)).json).toEqual(redelivered.json)
      expect((await acme.call('GET', log)).json).toMatchObject({ meta: { total: 1 } })
    },
  )

  test('requested again by twenty concurrent calls are queued once', async () => {
    const { storage, service, acme, log, sendTestEvent } = await setUp()
    const id = await sendTestEvent()
    await updateDelivery(storage, acme, id, { status: 'dropped', reason: 'retries_exhausted', due_at: null })
    service.advanceClock(MINUTE)
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => acme.call('POST', `${log}/${id}/redeliver`)),
    )
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(responses[0]!.status).toBe(200)
    const delivery = await storage.read((tx) => tx.workspace(acme.id).deliveries.get(id))
    expect(delivery).toMatchObject({
      status: 'pending',
      last_attempt: true,
      sending: false,
      lease: 0,
      attempts_count: 0,
    })
  })

  test('are redelivered for an empty body or an empty object', async () => {
    const { acme, path, log, sendTestEvent } = await setUp()
    const id = await sendTestEvent()
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
    for (const [target, status] of [
      [`${log}/${id}/redeliver`, '200'],
      [`${path}/test`, '201'],
    ] as const) {
      for (const [body, headers] of [[undefined], [''], ['', form], ['{}'], [' { } ']] as const)
        expect(outcomeOf(await acme.call('POST', target, body, headers && { headers }))).toBe(status)
      for (const body of ['{', 'null ', '[]', '"a"', ' ', new Uint8Array([0xff])])
        expect(outcomeOf(await acme.call('POST', target, body))).toMatch(/^400 Request body must be/)
      expect(outcomeOf(await acme.call('POST', target, 'a=b', { headers: form }))).toBe(
        '400 Request body must be valid JSON.',
      )
      expect(outcomeOf(await acme.call('POST', target, ' '.repeat(1_048_577)))).toBe(
        '400 Request body is too large.',
      )
      const errorResponse = await acme.call(
        'POST',
        `${target}?now=1`,
        '{"url":"https://x.example.com","__proto__":{}}',
      )
      expect(errorResponse.status).toBe(422)
      expect(Object.entries(errorOf(errorResponse)['fields'] as object).toSorted()).toEqual([
        ['__proto__', 'Unknown field.'],
        ['now', 'Unknown parameter.'],
        ['url', 'Unknown field.'],
      ])
      const fieldResponse = await acme.call('POST', target, { event: 'deal.won' })
      expect([fieldResponse.status, errorOf(fieldResponse)['fields']]).toEqual([
        422,
        { event: 'Unknown field.' },
      ])
    }
    expect((await acme.call('GET', log)).json).toMatchObject({ meta: { total: 6 } })
  })

  test('are found only under their own webhook', async () => {
    const { service, acme, webhook, log, sendTestEvent } = await setUp()
    const id = await sendTestEvent()
    const rival = await openWorkspace(service, 'Rival')
    const rivalWebhook = await rival.createRecord('/v1/webhooks', HOOK)
    const other = await acme.createRecord('/v1/webhooks', HOOK)
    const rivalDelivery = (await rival.createRecord(`/v1/webhooks/${rivalWebhook.id}/test`, {})).id
    const outcomesOf = async (target: string, workspace = acme) => [
      outcomeOf(await workspace.call('GET', target)),
      outcomeOf(await workspace.call('POST', `${target}/redeliver`)),
    ]
    const notFound = Array(2).fill('404 Delivery not found.')
    for (const wrongId of [UNKNOWN_ID, rivalDelivery, webhook.id, 'x', '%00', '__proto__', '%ED%A0%80']) {
      expect(await outcomesOf(`${log}/${wrongId}`)).toEqual(notFound)
    }
    expect(await outcomesOf(`/v1/webhooks/${other.id}/deliveries/${id}`)).toEqual(notFound)
    expect(await outcomesOf(`/v1/webhooks/${rivalWebhook.id}/deliveries/${id}`, rival)).toEqual(notFound)
    expect(await outcomesOf(`${log}/${id}`, rival)).toEqual(Array(2).fill('404 Webhook not found.'))
    expect(await outcomesOf(`${log}/${id}`)).toEqual(['200', '200'])
  })
})
