import { memoryStorage } from '@sales-crm/core/memory'
import { describe, expect, test } from 'vitest'
import {
  type BatchItemResult,
  createdIds,
  createToolCaller,
  postMessage,
  resultsOf,
  sendLegacyRequest,
} from '../support/mcp-requests.ts'
import { describeEachStore } from '../support/stores.ts'
import { openService, openWorkspace } from '../support/test-service.ts'

const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000'

async function openTestService() {
  const service = await openService(memoryStorage())
  const acme = await openWorkspace(service)
  const tool = createToolCaller(service.app, acme.token)
  const createRecords = async (entity: string, ...records: object[]) =>
    createdIds(await tool('create_records', { entity, records }))
  return { ...service, acme, tool, createRecords }
}

function errorsOf(results: readonly BatchItemResult[]) {
  return results.map(({ error }) => error && { code: error.code, message: error.message, ...error.fields })
}

test.each([
  ['get_records', { ids: [] }, 'ids: Must have between 1 and 50 ids.'],
  ['get_records', { ids: Array(51).fill(UNKNOWN_ID) }, 'ids: Must have between 1 and 50 ids.'],
  ['get_records', { ids: UNKNOWN_ID }, 'ids: Must be an array.'],
  ['get_records', { ids: [1] }, 'ids[0]: Must be a string.'],
  ['get_records', { ids: [UNKNOWN_ID], expand: true }, 'expand: Unknown field. Valid: entity, ids.'],
  ['delete_records', { ids: Array(26).fill(UNKNOWN_ID) }, 'ids: Must have between 1 and 25 ids.'],
  ['create_records', { records: Array(26).fill({}) }, 'records: Must have between 1 and 25 records.'],
  ['create_records', { records: ['Ana'] }, 'records[0]: Must be an object.'],
  [
    'create_records',
    { records: [{}], idempotency_key: 'ü' },
    'idempotency_key: Must be 1 to 200 printable ASCII characters.',
  ],
  ['create_records', {}, 'records: Required.'],
  ['update_records', { updates: [{ full_name: 'Ana' }] }, 'updates[0].id: Required.'],
  ['update_records', { updates: [{ id: 7 }] }, 'updates[0].id: Must be a string.'],
  [
    'list_records',
    { filter: { tagg: 'x' } },
    'filter.tagg: Unknown field. Did you mean "tag"? Valid: search, tag, list_id, filter, view, updated_after, owner_email, team_id, company_id, external_id.',
  ],
  [
    'list_records',
    { filter: { per_page: 1 } },
    'filter.per_page: Unknown field. Valid: search, tag, list_id, filter, view, updated_after, owner_email, team_id, company_id, external_id.',
  ],
  ['list_records', { filter: [] }, 'filter: Must be an object.'],
  ['list_records', { filter: ['tag'] }, 'filter: Must be an object.'],
  ['list_records', { filter: { search: '%' } }, 'filter.search: Must hold a letter or a digit.'],
  [
    'list_records',
    { filter: { updated_after: 'yesterday' } },
    'filter.updated_after: Must be an ISO 8601 date-time with a time zone, such as 2026-03-01T12:00:00Z.',
  ],
  [
    'list_records',
    { order_by: 'name' },
    'order_by: Must be one of: created_at, updated_at, full_name, entity_id, position, score, avatar_url, last_activity_at, open_amounts, custom_fields.<key>.',
  ],
  ['list_records', { per_page: 51 }, 'per_page: Must be an integer between 1 and 50.'],
  ['list_records', { page: 0 }, 'page: Must be an integer between 1 and 9007199254740991.'],
  ['list_records', { page: 1e300 }, 'page: Must be an integer between 1 and 9007199254740991.'],
  ['get_timeline', { id: UNKNOWN_ID, limit: 101 }, 'limit: Must be an integer between 1 and 100.'],
])('%s with %j reports the field and the rule', async (name, args, error) => {
  const { tool } = await openTestService()
  expect(await tool(name, { entity: 'people', ...args })).toEqual({
    isError: true,
    text: `Validation failed.\n- ${error}`,
    result: {},
  })
})

test.each([
  ['search', { query: '…' }, 'query: Must hold a letter or a digit, and at most 12 words in 200 characters.'],
  [
    'search',
    { query: 'a', entities: ['tags'] },
    'entities[0]: Must be one of: people, companies, deals, products, tasks, activities.',
  ],
  ['move_deal', { id: UNKNOWN_ID }, 'stage: Exactly one of stage and stage_id is required.'],
  [
    'move_deal',
    { id: UNKNOWN_ID, stage: 'a', stage_id: 'b' },
    'stage: Exactly one of stage and stage_id is required.',
  ],
  ['manage_task', { action: 'finish' }, 'action: Must be one of: create, update, complete, reopen, delete.'],
  ['manage_task', { action: 'complete' }, 'id: Required for complete.'],
  ['manage_task', { action: 'create' }, 'fields: Required for create.'],
  [
    'manage_task',
    { action: 'create', id: UNKNOWN_ID, fields: { title: 'x' } },
    'id: Must be left out for create.',
  ],
  [
    'manage_task',
    { action: 'delete', id: UNKNOWN_ID, fields: {} },
    'fields: Must be left out: only create and update take fields.',
  ],
  [
    'manage_task',
    { action: 'create', fields: { title: 'x', type: 'cal' } },
    /^fields\.type: Task type not found\. Valid: .*call/,
  ],
  [
    'manage_task',
    { action: 'create', fields: { titel: 'x' } },
    /^fields\.titel: Unknown field\. Did you mean "title"\? Valid: title, /,
  ],
  ['list_records', { entity: 'activities' }, 'filter.entity: Required.'],
  [
    'list_records',
    { entity: 'activities', filter: { entity: 'people', entity_id: 'x' } },
    'filter.entity_id: Must be a UUID.',
  ],
  ['get_timeline', { entity: 'tasks', id: UNKNOWN_ID }, 'entity: Must be one of: people, companies, deals.'],
  ['aggregate', { entity: 'people', metric: 'median' }, 'metric: Must be one of: count, sum, avg.'],
  [
    'aggregate',
    { entity: 'deals', metric: 'count', group_by: 'phase' },
    /^group_by: Must be one of: .*stage_id/,
  ],
  [
    'log_activity',
    { entity: 'people', entity_id: UNKNOWN_ID, content_html: 'Hi' },
    'entity_id: Person not found.',
  ],
  ['get_context', { verbose: true }, 'verbose: Unknown field. There is none.'],
])('%s with %j reports the valid input', async (name, args, error) => {
  const { tool } = await openTestService()
  const { isError, text } = await tool(name, args)
  const [first, second] = text.split('\n- ')
  expect([isError, first, second]).toEqual([
    true,
    'Validation failed.',
    error instanceof RegExp ? expect.stringMatching(error) : error,
  ])
})

test('an unknown stage, pipeline or custom field is reported with the valid ones', async () => {
  const { tool, createRecords } = await openTestService()
  const stages = [{ name: 'New' }, { name: 'Twice' }, { name: 'twice', type: 'win' }]
  const [pipeline] = await createRecords('pipelines', { name: 'Sales', stages })
  const [deal] = await createRecords('deals', { name: 'Big' })
  await createRecords(
    'custom_fields',
    { key: 'seats', label: 'Seats', type: 'number', show_deals: true },
    { key: 'colour', label: 'Colour', type: 'text' },
  )
  const stageError =
    /^Validation failed\.\n- stage: Stage not found\. Valid: Sales \/ New \([0-9a-f-]{36}\), Sales \/ Twice \(.*\), Sales \/ twice \(.*\)\.$/
  expect((await tool('move_deal', { id: deal, stage: 'Negotiation' })).text).toMatch(stageError)
  expect((await tool('move_deal', { id: deal, stage: 'TWICE' })).text).toMatch(
    /stage: More than one has this name: send the id\. Valid: /,
  )
  expect((await tool('move_deal', { id: deal, stage_id: UNKNOWN_ID })).text).toMatch(
    /stage_id: Stage not found\. Valid: Sales \/ New/,
  )
  expect((await tool('move_deal', { id: deal, stage: 'New', pipeline: 'x' })).text).toContain(
    `pipeline: Pipeline not found. Valid: Sales (${pipeline}).`,
  )
  const update = { id: deal, pipeline_id: UNKNOWN_ID, custom_fields: [{ key: 'seat', value: 1 }] }
  const [rejected] = resultsOf(await tool('update_records', { entity: 'deals', updates: [update] }))
  expect(rejected!.error!.fields).toEqual({
    pipeline_id: `Pipeline not found. Valid: Sales (${pipeline}).`,
    'custom_fields.seat': 'Custom field not found. Valid: seats.',
  })
  const [wrongPipeline] = resultsOf(
    await tool('update_records', { entity: 'deals', updates: [{ id: deal, stage_id: UNKNOWN_ID }] }),
  )
  expect(wrongPipeline!.error!.fields!['stage_id']).toMatch(
    /^Stage not found in this pipeline\. Valid: Sales \/ New \(/,
  )
})

test('errors and schemas reveal nothing that the token may not read', async () => {
  const { app, acme } = await openTestService()
  const tool = createToolCaller(app, await acme.tokenFor(acme.owner.email, ['people:write']))
  const record = {
    full_name: 'Ana',
    owner_email: 'nobody@x.example',
    tags: ['vip'],
    custom_fields: [{ key: 'x', value: 1 }],
  }
  const [rejected] = resultsOf(await tool('create_records', { entity: 'people', records: [record] }))
  expect(rejected!.error!.fields).toEqual({
    owner_email: 'Member not found.',
    'tags[0]': 'Tag not found.',
    'custom_fields.x': 'Custom field not found.',
  })
  const context = await tool('get_context')
  expect([context.result['members'], context.result['pipelines'], context.result['left_out']]).toEqual([
    undefined,
    undefined,
    [
      { name: 'pipelines', scope: 'deals:read' },
      { name: 'task_types', scope: 'tasks:read' },
      { name: 'members', scope: 'members:read' },
    ],
  ])
  const schema = await tool('describe_schema', { entity: 'people' })
  expect([schema.result['custom_fields'], schema.result['left_out']]).toEqual([
    null,
    { custom_fields: 'Takes the scope custom_fields:read.' },
  ])
})

test('a tool applies the permissions of the member', async () => {
  const { app, acme, tool } = await openTestService()
  const bob = await acme.addMember('bob', 'member')
  const [ownersRecord] = createdIds(
    await tool('create_records', {
      entity: 'people',
      records: [{ full_name: 'Ana', owner_email: acme.owner.email }],
    }),
  )
  const byBob = createToolCaller(app, bob.token)
  const update = await byBob('update_records', {
    entity: 'people',
    updates: [{ id: ownersRecord, score: 1 }],
  })
  expect(errorsOf(resultsOf(update))).toEqual([
    { code: 'forbidden', message: 'You do not have permission to update this person.' },
  ])
  const deletion = await byBob('delete_records', { entity: 'people', ids: [ownersRecord!] })
  expect([deletion.isError, errorsOf(resultsOf(deletion))]).toEqual([
    true,
    [{ code: 'forbidden', message: 'You do not have permission to delete this person.' }],
  ])
  const creation = await byBob('create_records', {
    entity: 'pipelines',
    records: [{ name: 'Mine', stages: [{ name: 'New' }] }],
  })
  expect(errorsOf(resultsOf(creation))).toMatchObject([{ code: 'forbidden' }])
  expect((await byBob('get_records', { entity: 'people', ids: [ownersRecord!] })).isError).toBe(false)
})

test('a deleted record and one of another workspace are not found', async () => {
  const service = await openService(memoryStorage())
  const [acme, other] = [await openWorkspace(service), await openWorkspace(service)]
  const [tool, otherTool] = [
    createToolCaller(service.app, acme.token),
    createToolCaller(service.app, other.token),
  ]
  const [ana, deleted] = createdIds(
    await otherTool('create_records', {
      entity: 'people',
      records: [{ full_name: 'Ana' }, { full_name: 'Deleted' }],
    }),
  )
  await otherTool('create_records', {
    entity: 'pipelines',
    records: [{ name: 'Theirs', stages: [{ name: 'New' }] }],
  })
  const [deal] = createdIds(
    await otherTool('create_records', { entity: 'deals', records: [{ name: 'Big', person_id: ana }] }),
  )
  await otherTool('delete_records', { entity: 'people', ids: [deleted!] })
  const notFound = { code: 'not_found', message: 'Person not found.' }
  for (const call of [tool, otherTool]) {
    const ids = call === tool ? [ana, deleted] : [deleted]
    expect(errorsOf(resultsOf(await call('get_records', { entity: 'people', ids })))).toEqual(
      ids.map(() => notFound),
    )
    expect(errorsOf(resultsOf(await call('delete_records', { entity: 'people', ids })))).toEqual(
      ids.map(() => notFound),
    )
    expect(
      errorsOf(resultsOf(await call('change_memberships', { entity: 'people', ids, add_tags: ['x'] }))),
    ).toEqual(ids.map(() => notFound))
  }
  expect((await tool('get_timeline', { entity: 'people', id: ana })).text).toBe('Person not found.')
  expect((await tool('move_deal', { id: deal, stage: 'New' })).text).toBe('Deal not found.')
  expect((await tool('search', { query: 'ana' })).result).toMatchObject({ people: { total: 0 } })
  expect(
    (await tool('manage_task', { action: 'create', fields: { title: 'x', person_id: ana } })).text,
  ).toContain('Person not found.')
  expect((await tool('aggregate', { entity: 'people', metric: 'count' })).result).toMatchObject({
    groups: [{ count: 0 }],
  })
})

test('rejects invalid Unicode and prototype property names by field', async () => {
  const { tool } = await openTestService()
  const records = [
    { full_name: '\ud800' },
    { full_name: 'a\0b' },
    JSON.parse('{"full_name":"x","__proto__":{}}'),
    JSON.parse('{"constructor":1}'),
  ]
  const response = await tool('create_records', { entity: 'people', records })
  const fieldErrors = resultsOf(response).map(({ error }) =>
    Object.entries(error!.fields!).map((each) => each.join(': ')),
  )
  expect(fieldErrors).toEqual([
    ['full_name: Must be valid Unicode text.'],
    ['full_name: Must not contain control characters.'],
    [expect.stringMatching(/^__proto__: Unknown field\. Valid: /)],
    [expect.stringMatching(/^constructor: Unknown field\. Valid: /), 'full_name: Required.'],
  ])
  for (const entity of ['constructor', '__proto__', 'toString']) {
    expect((await tool('list_records', { entity })).text).toContain('entity: Must be one of: people')
  }
  expect((await tool('search', { query: '\udfff' })).isError).toBe(true)
  expect(
    (await tool('get_records', { entity: 'people', ids: ['\ud800', "'; drop table people; --"] })).isError,
  ).toBe(true)
})

test('describe_schema reports the rules of validation', async () => {
  const { tool, createRecords } = await openTestService()
  await createRecords('custom_fields', {
    key: 'size',
    label: 'Size',
    type: 'select',
    required: true,
    value: { select_list: [{ key: 's', option: 'Small' }] },
    show_deals: true,
  })
  const { result } = await tool('describe_schema', { entity: 'deals' })
  const fields = Object.fromEntries(
    (result['fields'] as { name: string }[]).map((field) => [field.name, field]),
  )
  expect(fields).toMatchObject({
    name: { type: 'string', required: true, rules: ['Must be between 1 and 120 characters.'] },
    amount: {
      type: 'number',
      null_clears: true,
      rules: ['Must be an integer between 0 and 1000000000000000.'],
    },
    currency: { type: 'string', options: expect.arrayContaining(['USD', 'EUR']) },
    forecast_date: { null_clears: true, rules: [expect.stringContaining('ISO 8601')] },
    custom_fields: {
      type: 'array',
      fields: [
        { name: 'key', required: true },
        { name: 'value', type: 'any' },
      ],
    },
  })
  expect(fields['name']).not.toHaveProperty('null_clears')
  const { result: people } = await tool('describe_schema', { entity: 'people' })
  expect(people['fields']).toContainEqual({
    name: 'phones',
    type: 'array',
    null_clears: true,
    rules: ['Must have at most 20 entries.'],
    fields: [
      {
        name: 'phone',
        type: 'string',
        required: true,
        rules: ['Must be between 3 and 30 characters.', 'Must hold only digits, spaces and + - . ( ).'],
      },
      expect.objectContaining({ name: 'type' }),
    ],
  })
  expect(result).toMatchObject({
    entity: 'deals',
    custom_fields: [
      {
        key: 'size',
        label: 'Size',
        type: 'select',
        required: true,
        options: [{ key: 's', option: 'Small' }],
      },
    ],
    filters: expect.arrayContaining([{ name: 'status', type: 'string', options: ['open', 'win', 'lost'] }]),
    order_by: expect.arrayContaining(['created_at', 'amount', 'source', 'custom_fields.<key>']),
    aggregate: { fields: ['amount'], groups: expect.arrayContaining(['stage_id']) },
    scopes: { read: 'deals:read', write: 'deals:write' },
  })
})

test('describe_schema describes every entity with its required fields', async () => {
  const { tool } = await openTestService()
  const required: Record<string, string[]> = {}
  for (const entity of [...ENTITIES]) {
    const { result } = await tool('describe_schema', { entity })
    required[entity] = (result['fields'] as { name: string; required?: true }[]).flatMap((field) =>
      field.required ? [field.name] : [],
    )
  }
  expect(required).toEqual({
    people: ['full_name'],
    companies: ['full_name'],
    deals: ['name'],
    tasks: ['title'],
    activities: ['content_html'],
    products: ['name', 'currency'],
    pipelines: ['name', 'stages'],
    task_types: ['title'],
    tags: ['name'],
    lists: ['name'],
    custom_fields: ['label', 'key', 'type'],
  })
})

const ENTITIES = [
  ...['people', 'companies', 'deals', 'tasks', 'activities', 'products', 'pipelines'],
  ...['task_types', 'tags', 'lists', 'custom_fields'],
]

test('writes of tools emit webhook events', async () => {
  const { acme, tool } = await openTestService()
  const events = ['person.created', 'person.updated', 'person.deleted']
  const webhook = await acme.createRecord('/v1/webhooks', { url: 'https://hooks.example/x', events })
  const [id] = createdIds(await tool('create_records', { entity: 'people', records: [{ full_name: 'Ana' }] }))
  await tool('update_records', { entity: 'people', updates: [{ id, score: 5 }] })
  await tool('delete_records', { entity: 'people', ids: [id!] })
  const { json } = await acme.call('GET', `/v1/webhooks/${webhook.id}/deliveries?order=asc`)
  expect((json as { data: { event: string }[] }).data.map(({ event }) => event).sort()).toEqual(
    events.toSorted(),
  )
})

describeEachStore('concurrent MCP calls', (open) => {
  test('get only their own data from two hundred concurrent calls', async () => {
    const service = await openService(await open())
    const workspaces = await Promise.all([0, 1].map((index) => openWorkspace(service, `Workspace ${index}`)))
    for (const { token, name } of workspaces.map(({ token }, index) => ({ token, name: `Marker${index}` }))) {
      await createToolCaller(service.app, token)('create_records', {
        entity: 'people',
        records: [{ full_name: name }],
      })
    }
    const responses = await Promise.all(
      Array.from({ length: 200 }, async (_, call) => {
        const { token, id } = workspaces[call % 2]!
        const name = call % 4 < 2 ? 'get_context' : 'search'
        const message = {
          jsonrpc: '2.0',
          id: call,
          method: 'tools/call',
          params: { name, arguments: call % 4 < 2 ? {} : { query: 'marker' } },
        }
        let response = await postMessage(service.app, message, { token })
        // On a slow machine a call may wait for its turn for too long.
        while (response.status === 429) response = await postMessage(service.app, message, { token })
        const { json, text } = response
        const isOwn =
          (json as { id: number }).id === call &&
          text.includes(call % 4 < 2 ? id : `Marker${call % 2}`) &&
          !text.includes(`Marker${1 - (call % 2)}`)
        return isOwn ? [] : [text]
      }),
    )
    expect(responses.flat()).toEqual([])
  })

  test('keep all tags that twenty concurrent calls add to one record', async () => {
    const service = await openService(await open())
    const tool = createToolCaller(service.app, (await openWorkspace(service)).token)
    const keys = Array.from({ length: 20 }, (_, n) => `t${n}`)
    await tool('create_records', { entity: 'tags', records: keys.map((key) => ({ name: key, key })) })
    const [id] = createdIds(
      await tool('create_records', { entity: 'people', records: [{ full_name: 'Ana' }] }),
    )
    await Promise.all(
      keys.map((key) => tool('change_memberships', { entity: 'people', ids: [id], add_tags: [key] })),
    )
    const [ana] = resultsOf(await tool('get_records', { entity: 'people', ids: [id] }))
    expect((ana!.record!['tags'] as { key: string }[]).map(({ key }) => key).sort()).toEqual([...keys].sort())
  })

  test('create one record from twenty concurrent calls with one idempotency key', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const args = { entity: 'people', records: [{ full_name: 'Ana' }], idempotency_key: 'race' }
    const responses = await Promise.all(
      Array.from({ length: 20 }, () =>
        sendLegacyRequest(service.app, acme.token, 'tools/call', { name: 'create_records', arguments: args }),
      ),
    )
    const ids = responses.map(
      ({ json }) =>
        (json as { result: { structuredContent: { results: BatchItemResult[] } } }).result.structuredContent
          .results[0]!.id,
    )
    expect([new Set(ids).size, ids[0]]).toEqual([1, expect.any(String)])
  })
})

describe('a response above the size limit', () => {
  async function createLargeRecords(count: number) {
    const { app, acme, tool, createRecords } = await openTestService()
    for (let nth = 0; nth < 5; nth += 1) {
      await acme.call('POST', '/v1/custom-fields', {
        label: `F${nth}`,
        key: `f${nth}`,
        type: 'long_text',
        show_people: true,
      })
    }
    const custom_fields = Array.from({ length: 5 }, (_, nth) => ({
      key: `f${nth}`,
      value: 'x'.repeat(9_900),
    }))
    const ids: string[] = []
    while (ids.length < count) {
      const records = Array.from({ length: Math.min(15, count - ids.length) }, () => ({
        full_name: 'Ana',
        custom_fields,
      }))
      ids.push(...(await createRecords('people', ...records)))
    }
    return { app, token: acme.token, tool, ids }
  }

  test('is rejected with advice to request fewer records; a repeated id is returned once', async () => {
    const { tool, ids } = await createLargeRecords(41)
    const all = await tool('get_records', { entity: 'people', ids })
    expect([all.isError, all.text]).toEqual([
      true,
      'The answer has more than 2000000 characters. Ask for fewer records at once.',
    ])
    const one = await tool('get_records', { entity: 'people', ids: Array(50).fill(ids[0]) })
    expect(resultsOf(one).map(({ id }) => id)).toEqual([ids[0]])
  })

  test('stops a batch: the remaining messages are rejected as not done', async () => {
    const { app, token, ids } = await createLargeRecords(30)
    const params = { name: 'get_records', arguments: { entity: 'people', ids } }
    const batch = Array.from({ length: 20 }, (_, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params,
    }))
    const { status, json } = await postMessage(
      app,
      [...batch, { jsonrpc: '2.0', method: 'notifications/initialized' }].slice(-20),
      {
        token,
      },
    )
    const responses = json as {
      readonly id: number
      readonly error?: { readonly code: number; readonly message: string }
    }[]
    expect([status, responses.length]).toEqual([200, 19])
    const rejected = responses.filter(({ error }) => error !== undefined)
    expect(responses.slice(-rejected.length)).toEqual(rejected)
    expect(responses.length - rejected.length).toBeLessThan(5)
    expect(rejected[0]).toMatchObject({
      error: { code: -32000, message: expect.stringMatching(/^Not done: /) },
    })
  })
})
