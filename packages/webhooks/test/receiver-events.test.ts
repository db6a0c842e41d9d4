import { describe, expect, test } from 'vitest'
import { createReceiver, type Envelope, memoryStore } from '../src/index.ts'
import { deliveryRequest, personCreated, SECRET } from './deliveries.ts'

function deliveryOf(event: string, id = 'an-id') {
  return deliveryRequest(JSON.stringify({ id, event, version: 'v1', planet: { name: 'Vulcan' } }))
}

/** Adds to `ids` what the store is asked for. */
function recordIds(ids: string[]) {
  const store = memoryStore()
  const runOnce: typeof store.runOnce = (id, process) => {
    ids.push(id)
    return store.runOnce(id, process)
  }
  return { runOnce }
}

describe('an event without a handler', () => {
  test.each(['planet.discovered', 'deal.won', 'constructor', '__proto__', 'toString'])(
    '%s is answered with 200, and its id is not stored',
    async (event) => {
      const ids: string[] = []
      const { receive } = createReceiver({ secrets: [SECRET], store: recordIds(ids), on: {} })
      const response = await receive(deliveryOf(event))
      expect([response.status, await response.json()]).toEqual([200, { status: 'ignored' }])
      expect(ids).toEqual([])
    },
  )

  test('is handled once by onOther, and not by it when there is a handler', async () => {
    const others: Envelope[] = []
    const names: string[] = []
    const { receive } = createReceiver({
      secrets: [SECRET],
      store: memoryStore(),
      on: { 'person.created': ({ person }) => names.push(person.full_name) },
      onOther: (event) => others.push(event),
    })
    for (const request of [deliveryOf('planet.discovered'), deliveryOf('planet.discovered')])
      expect((await receive(request)).status).toBe(200)
    await receive(deliveryRequest(personCreated('known')))
    expect(others).toEqual([
      { id: 'an-id', event: 'planet.discovered', version: 'v1', planet: { name: 'Vulcan' } },
    ])
    expect(names).toEqual(['Ana'])
  })
})

test('webhook.test has a handler like any event', async () => {
  const urls: string[] = []
  const { receive } = createReceiver({
    secrets: [SECRET],
    store: memoryStore(),
    on: { 'webhook.test': ({ webhook }) => urls.push(webhook.url) },
  })
  const body = JSON.stringify({ id: 'a-test', event: 'webhook.test', webhook: { url: 'https://a.example' } })
  expect((await receive(deliveryRequest(body))).status).toBe(200)
  expect(urls).toEqual(['https://a.example'])
})

describe('a failing handler', () => {
  test.each([
    [
      'throws',
      () => {
        throw new Error('No disk.')
      },
    ],
    [
      'rejects',
      async () => {
        throw new Error('No disk.')
      },
    ],
  ])('that %s is answered with 500 and reported, and the next delivery is processed', async (_, fail) => {
    const errors: unknown[] = []
    let calls = 0
    const { receive } = createReceiver({
      secrets: [SECRET],
      store: memoryStore(),
      on: {
        'person.created': () => {
          calls += 1
          if (calls === 1) return fail()
        },
      },
      onError: (error, { id }) => errors.push(error, id),
    })
    const response = await receive(deliveryRequest(personCreated('retried')))
    expect([response.status, await response.json()]).toEqual([
      500,
      { error: { code: 'internal_error', message: 'The event was not processed.' } },
    ])
    expect(errors).toEqual([new Error('No disk.'), 'retried'])
    expect(await (await receive(deliveryRequest(personCreated('retried')))).json()).toEqual({
      status: 'processed',
    })
    expect(await (await receive(deliveryRequest(personCreated('retried')))).json()).toEqual({
      status: 'duplicate',
    })
    expect(calls).toBe(2)
  })
})
