import { expect, test } from 'vitest'
import { describeEachStore } from '../support/stores.ts'
import { openService, openWorkspace } from '../support/test-service.ts'

interface Item {
  readonly status: number
  readonly body: { readonly data?: { readonly id: string }; readonly error?: object } | null
}

describeEachStore('a batch', (open) => {
  test('has the status and body of each call alone, and sends their events', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const { id } = await acme.createRecord('/v1/people', { full_name: 'Eva' })
    const events = ['person.created', 'person.updated', 'person.deleted']
    const webhook = await acme.createRecord('/v1/webhooks', { url: 'https://hooks.example/x', events })
    const response = await acme.call('POST', '/v1/people/batch', {
      operations: [
        { op: 'create', record: { full_name: 'Ana' } },
        { op: 'create', record: { full_name: 7 } },
        { op: 'upsert', match: { email: 'bob@x.example' }, record: { full_name: 'Bob' } },
        { op: 'update', id, record: { score: 5 } },
        { op: 'delete', id },
      ],
    })
    expect(response.status).toBe(200)
    const { data } = response.json as { readonly data: readonly Item[] }
    expect(data.map(({ status }) => status)).toEqual([201, 422, 201, 200, 204])
    expect(data[1]!.body).toEqual({
      error: {
        code: 'validation_error',
        message: 'Validation failed.',
        request_id: response.headers.get('X-Request-ID'),
        fields: { full_name: 'Must be a string.' },
      },
    })
    expect(data[4]!.body).toBeNull()
    const stored = await acme.call('GET', `/v1/people/${data[0]!.body!.data!.id}`)
    expect(stored.json).toEqual(data[0]!.body)
    expect((await acme.call('GET', '/v1/people')).json).toMatchObject({ meta: { total: 2 } })
    const deliveries = await acme.call('GET', `/v1/webhooks/${webhook.id}/deliveries`)
    const sent = (deliveries.json as { readonly data: readonly { readonly event: string }[] }).data
    expect(sent.map(({ event }) => event).toSorted()).toEqual([
      ...['person.created', 'person.created', 'person.deleted', 'person.updated'],
    ])
  })

  test('has a body of up to 4 MiB', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const createTasks = (count: number) =>
      Array.from({ length: count }, () => ({
        op: 'create',
        record: { title: 'Call', notes: '\u{1f600}'.repeat(3000) },
      }))
    const response = await acme.call('POST', '/v1/tasks/batch', { operations: createTasks(100) })
    expect(response.status).toBe(200)
    const tooLarge = await acme.call('POST', '/v1/tasks/batch', { operations: createTasks(400) })
    expect(tooLarge.json).toMatchObject({
      error: { code: 'bad_request', message: 'Request body is too large.' },
    })
    expect((await acme.call('GET', '/v1/tasks')).json).toMatchObject({ meta: { total: 100 } })
  })

  test('of a hundred records that fails in the last one writes nothing if it is atomic', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const operations = Array.from({ length: 99 }, (_, index) => ({
      op: 'create',
      record: { title: `Call ${index}` },
    }))
    const failing = { op: 'create', record: { title: 'x', person_id: acme.owner.id } }
    const body = { operations: [...operations, failing] }
    const response = await acme.call('POST', '/v1/tasks/batch', { ...body, atomic: true })
    expect(response.status).toBe(422)
    expect(response.json).toMatchObject({
      error: { fields: { 'operations[99].person_id': 'Person not found.' } },
    })
    expect((await acme.call('GET', '/v1/tasks')).json).toMatchObject({ meta: { total: 0 } })
    const alone = await acme.call('POST', '/v1/tasks/batch', body)
    expect((alone.json as { data: readonly Item[] }).data.map(({ status }) => status)).toEqual([
      ...operations.map(() => 201),
      422,
    ])
    expect((await acme.call('GET', '/v1/tasks')).json).toMatchObject({ meta: { total: 99 } })
  })

  test('of twenty equal ones with one key at the same time, one writes', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const body = { operations: [{ op: 'create', record: { name: 'Hot' } }] }
    const headers = { 'Idempotency-Key': 'once' }
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => acme.call('POST', '/v1/tags/batch', body, { headers })),
    )
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(responses.map(({ json }) => JSON.stringify(json))).size).toBe(1)
    expect((await acme.call('GET', '/v1/tags')).json).toMatchObject({ meta: { total: 1 } })
  })

  test('of each kind creates, and refuses what is malformed', async () => {
    const acme = await openWorkspace(await openService(await open()))
    await acme.createRecord('/v1/pipelines', { name: 'Sales', stages: [{ name: 'New' }] })
    for (const [kind, record] of [
      ['people', { full_name: 'Ana' }],
      ['companies', { full_name: 'Acme' }],
      ['deals', { name: 'Roof' }],
      ['tasks', { title: 'Call' }],
      ['activities', { content_html: '<p>Called</p><script>x</script>' }],
      ['products', { name: 'Chair', currency: 'BRL' }],
      ['tags', { name: 'Hot' }],
      ['lists', { name: 'Fair' }],
    ] as const) {
      const path = `/v1/${kind}/batch`
      const response = await acme.call('POST', path, { operations: [{ op: 'create', record }] })
      const { data } = response.json as { readonly data: readonly Item[] }
      expect([kind, response.status, data[0]!.status]).toEqual([kind, 200, 201])
      const stored = await acme.call('GET', `/v1/${kind}/${data[0]!.body!.data!.id}`)
      expect(stored.json).toEqual(data[0]!.body)
      expect((await acme.call('POST', path, { operations: [] })).status).toBe(422)
    }
  })
})
