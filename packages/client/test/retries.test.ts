import { expect, test } from 'vitest'
import { freePort } from '../../../apps/server/test/support/service-process.ts'
import { CrmApiError, CrmConnectionError } from '../src/errors.ts'
import { systemRuntime } from '../src/runtime.ts'
import { openClient, openLiveService } from './support/live-client.ts'
import { openLossyProxy } from './support/lossy-proxy.ts'
import { openScriptedServer } from './support/scripted-server.ts'

const LIMITED = {
  status: 429,
  headers: { 'Retry-After': '60' },
  body: { error: { code: 'rate_limit_exceeded', message: 'Wait.', request_id: 'r' } },
}

/** Opens a service and a client whose connections pass a proxy that can lose responses. */
async function openLossyClient() {
  const live = await openLiveService()
  const proxy = await openLossyProxy(live.port)
  const { crm, waits } = openClient({ url: proxy.url, token: live.acme.token }, live)
  const countOf = async (path: string) =>
    ((await live.acme.call('GET', path)).json as { meta: { total: number } }).meta.total
  return { crm, waits, proxy, countOf, acme: live.acme }
}

test('creates one person although the responses to two attempts are lost', async () => {
  const { crm, proxy, countOf } = await openLossyClient()
  proxy.loseResponses(2)
  expect(await crm.people.create({ full_name: 'Ana Lima' })).toMatchObject({ full_name: 'Ana Lima' })
  expect(proxy.lostResponses()).toBe(2)
  expect(await countOf('/v1/people')).toBe(1)
})

test('creates one record for two calls with the same key', async () => {
  const { crm, countOf } = await openLossyClient()
  const options = { idempotencyKey: 'order-17' }
  const first = await crm.companies.create({ full_name: 'Pampa' }, options)
  expect(await crm.companies.create({ full_name: 'Pampa' }, options)).toEqual(first)
  expect(await countOf('/v1/companies')).toBe(1)
  await expect(crm.companies.create({ full_name: 'Other' }, options)).rejects.toMatchObject({
    code: 'idempotency_conflict',
  })
})

test('creates one task, tag or activity although the first response is lost', async () => {
  const { crm, proxy, countOf } = await openLossyClient()
  proxy.loseResponses(1)
  await crm.tasks.create({ title: 'Call' })
  proxy.loseResponses(1)
  await crm.tags.create({ name: 'Hot' })
  proxy.loseResponses(1)
  const { id } = await crm.activities.create({ content_html: 'Called' })
  expect(proxy.lostResponses()).toBe(3)
  expect(await Promise.all(['/v1/tasks', '/v1/tags'].map(countOf))).toEqual([1, 1])
  expect(await crm.activities.get(id)).toMatchObject({ content_html: 'Called' })
})

test('a batch and an upsert write once although their first responses are lost', async () => {
  const { crm, proxy, countOf } = await openLossyClient()
  const operations = [
    { op: 'create', record: { full_name: 'Ana' } },
    { op: 'create', record: {} },
  ] as const
  proxy.loseResponses(1)
  const items = await crm.people.batch({ operations })
  expect(items).toMatchObject([
    { status: 201, body: { data: { full_name: 'Ana' } } },
    { status: 422, body: { error: { fields: { full_name: 'Required.' } } } },
  ])
  const input = { match: { email: 'eva@x.example' }, record: { full_name: 'Eva' } }
  proxy.loseResponses(1)
  expect(await crm.people.upsert(input)).toMatchObject({ full_name: 'Eva' })
  expect(proxy.lostResponses()).toBe(2)
  expect(await countOf('/v1/people')).toBe(2)
  await crm.people.create({ full_name: 'Eva', emails: [{ email: 'eva@x.example' }] })
  const several = await crm.people.upsert(input).catch((error: unknown) => error)
  expect(several).toMatchObject({ code: 'conflict', existingIds: [expect.any(String), expect.any(String)] })
})

test('changes a person once, and does not undo what somebody else changed before the repetition', async () => {
  const { crm, proxy, acme } = await openLossyClient()
  const { id } = await crm.people.create({ full_name: 'Ana' })
  proxy.loseResponses(1, async () => {
    await acme.call('PATCH', `/v1/people/${id}`, { full_name: 'Cid' })
  })
  expect(await crm.people.update(id, { full_name: 'Bea' })).toMatchObject({ full_name: 'Bea' })
  expect(proxy.lostResponses()).toBe(1)
  expect(await crm.people.get(id)).toMatchObject({ full_name: 'Cid' })
})

test('does not repeat a create without a key whose response is lost', async () => {
  const { crm, waits, proxy, countOf } = await openLossyClient()
  proxy.loseResponses(1)
  const webhook = { url: 'https://hooks.radar.example/crm', events: ['deal.won' as const] }
  await expect(crm.webhooks.create(webhook)).rejects.toBeInstanceOf(CrmConnectionError)
  expect(waits).toEqual([])
  expect(await countOf('/v1/webhooks')).toBe(1)
})

test('repeats a read, an update and a change of tags whose response is lost', async () => {
  const { crm, waits, proxy } = await openLossyClient()
  const { id } = await crm.people.create({ full_name: 'Ana' })
  proxy.loseResponses(1)
  expect(await crm.people.update(id, { score: 5 })).toMatchObject({ score: 5 })
  proxy.loseResponses(1)
  expect(await crm.people.get(id)).toMatchObject({ score: 5 })
  const tag = await crm.tags.create({ name: 'VIP' })
  proxy.loseResponses(1)
  expect(await crm.people.changeMemberships(id, { add_tags: [tag.id] })).toMatchObject({ tags: [tag] })
  expect(waits).toHaveLength(3)
})

test('does not repeat the update of a webhook, whose response may have its secret', async () => {
  const { crm, waits, proxy } = await openLossyClient()
  const url = 'https://hooks.radar.example/crm'
  const { id } = await crm.webhooks.create({ url, events: ['deal.won'] })
  proxy.loseResponses(1)
  await expect(crm.webhooks.update(id, { auth_enable: true })).rejects.toBeInstanceOf(CrmConnectionError)
  expect(waits).toEqual([])
})

test('a delete whose first response is lost succeeds; one of a missing record does not', async () => {
  const { crm, proxy, countOf } = await openLossyClient()
  const { id } = await crm.people.create({ full_name: 'Ana' })
  proxy.loseResponses(1)
  expect(await crm.people.delete(id)).toBeUndefined()
  expect(proxy.lostResponses()).toBe(1)
  expect(await countOf('/v1/people')).toBe(0)
  await expect(crm.people.delete(id)).rejects.toMatchObject({ code: 'not_found' })
})

test('a delete of a missing record is an error after a rejected attempt', async () => {
  const live = await openLiveService({ DELETE: 1 })
  const { crm, waits } = openClient({ url: live.url, token: live.acme.token }, live)
  const missing = '01a1fc31-2860-78c5-98aa-1e202d361899'
  await expect(crm.people.delete(missing)).rejects.toMatchObject({ code: 'not_found' })
  await expect(crm.people.delete(missing)).rejects.toMatchObject({ code: 'not_found' })
  expect(waits).toEqual([60_000])
})

test('waits as long as Retry-After demands, then creates also without a key', async () => {
  const live = await openLiveService({ POST: 2 })
  const { crm, waits } = openClient({ url: live.url, token: live.acme.token }, live, { random: () => 0.5 })
  for (const title of ['One', 'Two', 'Three']) await crm.tasks.create({ title })
  expect(waits).toEqual([60_500])
  expect((await crm.tasks.list()).meta.total).toBe(3)
})

test('backs off exponentially, with jitter, and throws the last error after the retries', async () => {
  const { url, requests } = await openScriptedServer(() => ({ status: 503, body: 'No upstream.' }))
  const { crm, waits } = openClient({ url, token: 'abc', maxRetries: 7 }, undefined, { random: () => 0.5 })
  await expect(crm.tasks.create({ title: 'Call' })).rejects.toMatchObject({ status: 503, code: undefined })
  expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 15_000, 15_000])
  expect(requests).toHaveLength(8)
})

test.each([
  [500, 2],
  [502, 2],
  [504, 2],
  [503, 2],
  [400, 1],
  [403, 1],
  [409, 1],
  [422, 1],
])('status %d: a repeatable call is sent %d times', async (status, attempts) => {
  const { url, requests } = await openScriptedServer(() => ({ status, body: {} }))
  const { crm } = openClient({ url, token: 'abc', maxRetries: 1 })
  await expect(crm.people.create({ full_name: 'Ana' })).rejects.toMatchObject({ status })
  expect(requests).toHaveLength(attempts)
  expect(new Set(requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
})

test('each create and update has a key of its own, where the response has no secret', async () => {
  const { url, requests } = await openScriptedServer(() => ({ status: 201, body: { data: {} } }))
  const { crm } = openClient({ url, token: 'abc' })
  const collections = [
    ...[crm.people, crm.people, crm.companies, crm.deals, crm.pipelines, crm.tasks, crm.taskTypes],
    ...[crm.activities, crm.products, crm.tags, crm.lists, crm.customFields, crm.webhooks],
  ] as readonly {
    create(input: object): Promise<unknown>
    update(id: string, changes: object): Promise<unknown>
  }[]
  for (const { create } of collections) await create({})
  const keys = requests.map(({ headers }) => headers['idempotency-key'])
  expect(new Set(keys).size).toBe(collections.length)
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
  expect(keys.indexOf(undefined)).toBe(collections.length - 1)
  for (const { update } of collections) await update('1', {})
  const all = requests.map(({ headers }) => headers['idempotency-key'])
  expect(new Set(all).size).toBe(2 * collections.length - 1)
})

test('does not repeat a create without a key after a 500', async () => {
  const { url, requests } = await openScriptedServer(() => ({ status: 500, body: {} }))
  const { crm } = openClient({ url, token: 'abc' })
  const webhook = { url: 'https://hooks.radar.example/crm', events: ['deal.won' as const] }
  await expect(crm.webhooks.create(webhook)).rejects.toBeInstanceOf(CrmApiError)
  await expect(crm.webhooks.test('1')).rejects.toBeInstanceOf(CrmApiError)
  expect(requests).toHaveLength(2)
})

test('throws an error at once whose Retry-After is longer than five minutes', async () => {
  const { url } = await openScriptedServer(() => ({ ...LIMITED, headers: { 'Retry-After': '99999999999' } }))
  const { crm, waits } = openClient({ url, token: 'abc' })
  await expect(crm.people.list()).rejects.toMatchObject({ retryAfterSeconds: 99_999_999_999 })
  expect(waits).toEqual([])
})

test('an abort ends the waiting with the reason of the signal', async () => {
  const { url, requests } = await openScriptedServer(() => LIMITED)
  const controller = new AbortController()
  const { crm } = openClient({ url, token: 'abc' }, undefined, {
    sleep(milliseconds, signal) {
      queueMicrotask(() => controller.abort(new Error('The user left.')))
      return systemRuntime.sleep(milliseconds, signal)
    },
  })
  await expect(crm.people.list({}, { signal: controller.signal })).rejects.toThrow('The user left.')
  expect(requests).toHaveLength(1)
})

test('an abort ends an attempt, and an aborted signal prevents the first one', async () => {
  const controller = new AbortController()
  const { url, requests } = await openScriptedServer(async () => {
    controller.abort()
    await new Promise(() => {})
    return {}
  })
  const { crm, waits } = openClient({ url, token: 'abc' })
  const aborted = { name: 'AbortError' }
  await expect(crm.people.get('1', { signal: controller.signal })).rejects.toMatchObject(aborted)
  await expect(crm.people.get('1', { signal: controller.signal })).rejects.toMatchObject(aborted)
  await expect(crm.people.list({}, { signal: controller.signal })).rejects.toMatchObject(aborted)
  expect(requests).toHaveLength(1)
  expect(waits).toEqual([])
})

test('repeats an attempt that takes longer than the timeout', async () => {
  const { url } = await openScriptedServer(async (_, index) => {
    if (index < 2) await new Promise(() => {})
    return { body: { data: { id: '1' } } }
  })
  const { crm, waits } = openClient({ url, token: 'abc', timeoutMs: 50 })
  expect(await crm.people.get('1')).toEqual({ id: '1' })
  expect(waits).toHaveLength(2)
})

test('the error of a call without response names the request and has the cause', async () => {
  const { crm } = openClient({ url: `http://127.0.0.1:${await freePort()}`, token: 'abc', maxRetries: 0 })
  const error = await crm.people.list({ search: 'ana' }).then(undefined, (reason: unknown) => reason)
  expect(error).toBeInstanceOf(CrmConnectionError)
  expect(error).toMatchObject({
    message: expect.stringMatching(
      /^No complete response to GET http:.*\/v1\/people: fetch failed \(.*REFUSED/,
    ),
    cause: expect.any(TypeError),
  })
})

test('waits out a restart of the service, beyond the number of retries', async () => {
  const port = await freePort()
  const { crm, waits, advanceClock } = openClient({ url: `http://127.0.0.1:${port}`, token: 'abc' })
  const elapsedMs = () => waits.reduce((sum, wait) => sum + wait, 0)
  await expect(crm.people.get('1')).rejects.toBeInstanceOf(CrmConnectionError)
  expect(elapsedMs()).toBe(30_000)
  expect(waits.length).toBeGreaterThan(3)
  advanceClock(1)

  // Without a key nobody knows whether the lost call was executed.
  const attempts = waits.length
  await expect(crm.webhooks.test('1')).rejects.toBeInstanceOf(CrmConnectionError)
  expect(waits).toHaveLength(attempts)
  const once = openClient({ url: `http://127.0.0.1:${port}`, token: 'abc', maxRetries: 0 })
  await expect(once.crm.people.get('1')).rejects.toBeInstanceOf(CrmConnectionError)
  expect(once.waits).toEqual([])
})

test('waits longer with what is written than with what is read, and as long as the call says', async () => {
  const url = `http://127.0.0.1:${await freePort()}`
  const { crm, waits } = openClient({
    url,
    token: 'abc',
    maxRetries: 1,
    maxOutageMs: 0,
    maxWriteOutageMs: 60_000,
  })
  const outageOf = async (call: Promise<unknown>) => {
    const attempts = waits.length
    await expect(call).rejects.toBeInstanceOf(CrmConnectionError)
    return waits.slice(attempts).reduce((sum, wait) => sum + wait, 0)
  }
  expect(await outageOf(crm.people.get('1'))).toBeLessThanOrEqual(1_000)
  expect(await outageOf(crm.people.update('1', { score: 1 }))).toBe(60_000)
  expect(await outageOf(crm.people.update('1', { score: 1 }, { maxOutageMs: 5_000 }))).toBe(5_000)
  expect(await outageOf(crm.people.create({ full_name: 'Ana' }, { maxOutageMs: 0 }))).toBeLessThanOrEqual(
    1_000,
  )
})

test('waits for a token that cannot be reached', async () => {
  const { url } = await openScriptedServer(() => ({ body: { data: { id: '1' } } }))
  let failures = 2
  const token = async () => {
    failures -= 1
    if (failures >= 0) throw new CrmConnectionError('No response.')
    return 'abc'
  }
  const { crm, waits } = openClient({ url, token })
  expect(await crm.people.get('1')).toEqual({ id: '1' })
  expect(waits).toHaveLength(2)
})

test.each([
  ['Sun, 01 Mar 2026 12:00:05 GMT', 5_000],
  ['Sun, 01 Mar 2026 11:59:00 GMT', 0],
  ['soon', 0],
])('waits for the Retry-After %j of a proxy', async (date, waitMs) => {
  const { url } = await openScriptedServer((_, index) =>
    index === 0 ? { status: 429, headers: { 'Retry-After': date } } : { body: { data: { id: '1' } } },
  )
  const { crm, waits } = openClient({ url, token: 'abc' })
  expect(await crm.people.get('1')).toEqual({ id: '1' })
  expect(waits).toEqual([waitMs])
})
