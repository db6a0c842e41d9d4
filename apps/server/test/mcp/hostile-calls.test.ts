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

const NOBODY = '01890000-0000-7000-8000-000000000000'

async function place() {
  const service = await openService(memoryStorage())
  const acme = await openWorkspace(service)
  const tool = createToolCaller(service.app, acme.token)
  const made = async (entity: string, ...records: object[]) =>
    createdIds(await tool('create_records', { entity, records }))
  return { ...service, acme, tool, made }
}

function errors(results: readonly BatchItemResult[]) {
  return results.map(({ error }) => error && { code: error.code, message: error.message, ...error.fields })
}

test.each([
  ['get_records', { ids: [] }, 'ids: Must have between 1 and 50 ids.'],
  ['get_records', { ids: Array(51).fill(NOBODY) }, 'ids: Must have between 1 and 50 ids.'],
  ['get_records', { ids: NOBODY }, 'ids: Must be an array.'],
  ['get_records', { ids: [1] }, 'ids[0]: Must be a string.'],
  ['get_records', { ids: [NOBODY], expand: true }, 'expand: Unknown field. Valid: entity, ids.'],
  ['delete_records', { ids: Array(26).fill(NOBODY) }, 'ids: Must have between 1 and 25 ids.'],
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
    'filter.tagg: Unknown field. Did you mean "tag"? Valid: search, tag, list_id, owner_email, company_id, updated_after.',
  ],
  [
    'list_records',
    { filter: { per_page: 1 } },
    'filter.per_page: Unknown field. Valid: search, tag, list_id, owner_email, company_id, updated_after.',
  ],
  ['list_records', { filter: { search: '%' } }, 'filter.search: Must hold a letter or a digit.'],
  [
    'list_records',
    { filter: { updated_after: 'yesterday' } },
    'filter.updated_after: Must be an ISO 8601 date-time with a time zone, such as 2026-03-01T12:00:00Z.',
  ],
  ['list_records', { order_by: 'name' }, 'order_by: Must be one of: created_at, updated_at, full_name.'],
  ['list_records', { per_page: 51 }, 'per_page: Must be an integer between 1 and 50.'],
  ['list_records', { page: 0 }, 'page: Must be an integer between 1 and 9007199254740991.'],
  ['list_records', { page: 1e300 }, 'page: Must be an integer between 1 and 9007199254740991.'],
  ['get_timeline', { id: NOBODY, limit: 101 }, 'limit: Must be an integer between 1 and 100.'],
])('%s with %j names the field and the rule', async (name, args, fault) => {
  const { tool } = await place()
  expect(await tool(name, { entity: 'people', ...args })).toEqual({
    isError: true,
    text: `Validation failed.\n- ${fault}`,
    result: {},
  })
})

test.each([
  ['search', { query: '…' }, 'query: Must hold a letter or a digit, and at most 40 words in 200 characters.'],
  [
    'search',
    { query: 'a', entities: ['tasks'] },
    'entities[0]: Must be one of: people, companies, deals, products.',
  ],
  ['move_deal', { id: NOBODY }, 'stage: Exactly one of stage and stage_id is required.'],
  [
    'move_deal',
    { id: NOBODY, stage: 'a', stage_id: 'b' },
    'stage: Exactly one of stage and stage_id is required.',
  ],
  ['manage_task', { action: 'finish' }, 'action: Must be one of: create, update, complete, reopen, delete.'],
  ['manage_task', { action: 'complete' }, 'id: Required for complete.'],
  ['manage_task', { action: 'create' }, 'fields: Required for create.'],
  [
    'manage_task',
    { action: 'create', id: NOBODY, fields: { title: 'x' } },
    'id: Must be left out for create.',
  ],
  [
    'manage_task',
    { action: 'delete', id: NOBODY, fields: {} },
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
  [
    'create_records',
    { entity: 'products', records: [{}], idempotency_key: 'k' },
    'idempotency_key: Must be left out for products.',
  ],
  ['list_records', { entity: 'activities' }, 'filter.entity: Required.'],
  [
    'list_records',
    { entity: 'activities', filter: { entity: 'people', entity_id: 'x' } },
    'filter.entity_id: Must be a UUID.',
  ],
  ['get_timeline', { entity: 'tasks', id: NOBODY }, 'entity: Must be one of: people, companies, deals.'],
  ['aggregate', { entity: 'people', metric: 'median' }, 'metric: Must be one of: count, sum, avg.'],
  [
    'aggregate',
    { entity: 'deals', metric: 'count', group_by: 'phase' },
    /^group_by: Must be one of: .*stage_id/,
  ],
  [
    'log_activity',
    { entity: 'people', entity_id: NOBODY, content_html: 'Hi' },
    'entity_id: Person not found.',
  ],
  ['get_context', { verbose: true }, 'verbose: Unknown field. There is none.'],
])('%s with %j names what would be right', async (name, args, fault) => {
  const { tool } = await place()
  const { isError, text } = await tool(name, args)
  const [first, second] = text.split('\n- ')
  expect([isError, first, second]).toEqual([
    true,
    'Validation failed.',
    fault instanceof RegExp ? expect.stringMatching(fault) : fault,
  ])
})

test('a stage, a pipeline and a custom field that are not there are answered with those that are', async () => {
  const { tool, made } = await place()
  const stages = [{ name: 'New' }, { name: 'Twice' }, { name: 'twice', type: 'win' }]
  const [pipeline] = await made('pipelines', { name: 'Sales', stages })
  const [deal] = await made('deals', { name: 'Big' })
  await made(
    'custom_fields',
    { key: 'seats', label: 'Seats', type: 'number', show_deals: true },
    { key: 'colour', label: 'Colour', type: 'text' },
  )
  const named =
    /^Validation failed\.\n- stage: Stage not found\. Valid: Sales \/ New \([0-9a-f-]{36}\), Sales \/ Twice \(.*\), Sales \/ twice \(.*\)\.$/
  expect((await tool('move_deal', { id: deal, stage: 'Negotiation' })).text).toMatch(named)
  expect((await tool('move_deal', { id: deal, stage: 'TWICE' })).text).toMatch(
    /stage: More than one has this name: send the id\. Valid: /,
  )
  expect((await tool('move_deal', { id: deal, stage_id: NOBODY })).text).toMatch(
    /stage_id: Stage not found\. Valid: Sales \/ New/,
  )
  expect((await tool('move_deal', { id: deal, stage: 'New', pipeline: 'x' })).text).toContain(
    `pipeline: Pipeline not found. Valid: Sales (${pipeline}).`,
  )
  const update = { id: deal, pipeline_id: NOBODY, custom_fields: [{ key: 'seat', value: 1 }] }
  const [refused] = resultsOf(await tool('update_records', { entity: 'deals', updates: [update] }))
  expect(refused!.error!.fields).toEqual({
    pipeline_id: `Pipeline not found. Valid: Sales (${pipeline}).`,
    'custom_fields.seat': 'Custom field not found. Valid: seats.',
  })
  const [lost] = resultsOf(
    await tool('update_records', { entity: 'deals', updates: [{ id: deal, stage_id: NOBODY }] }),
  )
  expect(lost!.error!.fields!['stage_id']).toMatch(
    /^Stage not found in this pipeline\. Valid: Sales \/ New \(/,
  )
})

test('what a token may not read is not told in an error either', async () => {
  const { app, acme } = await place()
  const tool = createToolCaller(app, await acme.tokenFor(acme.owner.email, ['people:write']))
  const record = {
    full_name: 'Ana',
    owner_email: 'nobody@x.example',
    tags: ['vip'],
    custom_fields: [{ key: 'x', value: 1 }],
  }
  const [refused] = resultsOf(await tool('create_records', { entity: 'people', records: [record] }))
  expect(refused!.error!.fields).toEqual({
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

test('a member is let do through a tool what it may do anywhere', async () => {
  const { app, acme, tool } = await place()
  const bob = await acme.addMember('bob', 'member')
  const [hers] = createdIds(
    await tool('create_records', {
      entity: 'people',
      records: [{ full_name: 'Ana', owner_email: acme.owner.email }],
    }),
  )
  const byBob = createToolCaller(app, bob.token)
  const update = await byBob('update_records', { entity: 'people', updates: [{ id: hers, score: 1 }] })
  expect(errors(resultsOf(update))).toEqual([
    { code: 'forbidden', message: 'You do not have permission to update this person.' },
  ])
  const gone = await byBob('delete_records', { entity: 'people', ids: [hers!] })
  expect([gone.isError, errors(resultsOf(gone))]).toEqual([
    true,
    [{ code: 'forbidden', message: 'You do not have permission to delete this person.' }],
  ])
  const made = await byBob('create_records', {
    entity: 'pipelines',
    records: [{ name: 'Mine', stages: [{ name: 'New' }] }],
  })
  expect(errors(resultsOf(made))).toMatchObject([{ code: 'forbidden' }])
  expect((await byBob('get_records', { entity: 'people', ids: [hers!] })).isError).toBe(false)
})

test('a deleted record and one of another workspace are not there', async () => {
  const service = await openService(memoryStorage())
  const [acme, rival] = [await openWorkspace(service), await openWorkspace(service)]
  const [tool, theirs] = [
    createToolCaller(service.app, acme.token),
    createToolCaller(service.app, rival.token),
  ]
  const [ana, gone] = createdIds(
    await theirs('create_records', {
      entity: 'people',
      records: [{ full_name: 'Ana' }, { full_name: 'Gone' }],
    }),
  )
  await theirs('create_records', {
    entity: 'pipelines',
    records: [{ name: 'Theirs', stages: [{ name: 'New' }] }],
  })
  const [deal] = createdIds(
    await theirs('create_records', { entity: 'deals', records: [{ name: 'Big', person_id: ana }] }),
  )
  await theirs('delete_records', { entity: 'people', ids: [gone!] })
  const lost = { code: 'not_found', message: 'Person not found.' }
  for (const call of [tool, theirs]) {
    const ids = call === tool ? [ana, gone] : [gone]
    expect(errors(resultsOf(await call('get_records', { entity: 'people', ids })))).toEqual(
      ids.map(() => lost),
    )
    expect(errors(resultsOf(await call('delete_records', { entity: 'people', ids })))).toEqual(
      ids.map(() => lost),
    )
    expect(
      errors(resultsOf(await call('change_memberships', { entity: 'people', ids, add_tags: ['x'] }))),
    ).toEqual(ids.map(() => lost))
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

test('text that is no Unicode, and names that mean something to JavaScript, are refused by the field', async () => {
  const { tool } = await place()
  const records = [
    { full_name: '\ud800' },
    { full_name: 'a\0b' },
    JSON.parse('{"full_name":"x","__proto__":{}}'),
    JSON.parse('{"constructor":1}'),
  ]
  const answer = await tool('create_records', { entity: 'people', records })
  const faults = resultsOf(answer).map(({ error }) =>
    Object.entries(error!.fields!).map((each) => each.join(': ')),
  )
  expect(faults).toEqual([
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

test('a schema is described as it judges', async () => {
  const { tool, made } = await place()
  await made('custom_fields', {
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
    order_by: ['created_at', 'updated_at', 'name'],
    aggregate: { fields: ['amount'], groups: expect.arrayContaining(['stage_id']) },
    scopes: { read: 'deals:read', write: 'deals:write' },
  })
})

test('every kind of record can be described, and what is required of it is', async () => {
  const { tool } = await place()
  const required: Record<string, string[]> = {}
  for (const entity of [...KINDS]) {
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

const KINDS = [
  ...['people', 'companies', 'deals', 'tasks', 'activities', 'products', 'pipelines'],
  ...['task_types', 'tags', 'lists', 'custom_fields'],
]

test('an event is told of what a tool did, as of anything else', async () => {
  const { acme, tool } = await place()
  const events = ['person.created', 'person.updated', 'person.deleted']
  const hook = await acme.createRecord('/v1/webhooks', { url: 'https://hooks.example/x', events })
  const [id] = createdIds(await tool('create_records', { entity: 'people', records: [{ full_name: 'Ana' }] }))
  await tool('update_records', { entity: 'people', updates: [{ id, score: 5 }] })
  await tool('delete_records', { entity: 'people', ids: [id!] })
  const { json } = await acme.call('GET', `/v1/webhooks/${hook.id}/deliveries?order=asc`)
  expect((json as { data: { event: string }[] }).data.map(({ event }) => event).sort()).toEqual(
    events.toSorted(),
  )
})

describeEachStore('two workspaces', (open) => {
  test('that call two hundred times at once are each answered with what is theirs', async () => {
    const service = await openService(await open())
    const places = await Promise.all([0, 1].map((index) => openWorkspace(service, `Workspace ${index}`)))
    for (const { token, name } of places.map(({ token }, index) => ({ token, name: `Marker${index}` }))) {
      await createToolCaller(service.app, token)('create_records', {
        entity: 'people',
        records: [{ full_name: name }],
      })
    }
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, call) => {
        const { token, id } = places[call % 2]!
        const name = call % 4 < 2 ? 'get_context' : 'search'
        const message = {
          jsonrpc: '2.0',
          id: call,
          method: 'tools/call',
          params: { name, arguments: call % 4 < 2 ? {} : { query: 'marker' } },
        }
        const { json, text } = await postMessage(service.app, message, { token })
        const answered = (json as { id: number }).id
        return (
          answered === call &&
          text.includes(call % 4 < 2 ? id : `Marker${call % 2}`) &&
          !text.includes(`Marker${1 - (call % 2)}`)
        )
      }),
    )
    expect(answers.filter(Boolean)).toHaveLength(200)
  })

  test('and twenty who each add a tag to one record at once add twenty', async () => {
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

  test('and a race of twenty creations under one key makes one', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const args = { entity: 'people', records: [{ full_name: 'Ana' }], idempotency_key: 'race' }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        sendLegacyRequest(service.app, acme.token, 'tools/call', { name: 'create_records', arguments: args }),
      ),
    )
    const ids = answers.map(
      ({ json }) =>
        (json as { result: { structuredContent: { results: BatchItemResult[] } } }).result.structuredContent
          .results[0]!.id,
    )
    expect([new Set(ids).size, ids[0]]).toEqual([1, expect.any(String)])
  })
})

describe('an answer that would be too large', () => {
  async function largeOnes(count: number) {
    const { app, acme, tool, made } = await place()
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
      ids.push(...(await made('people', ...records)))
    }
    return { app, token: acme.token, tool, ids }
  }

  test('is not given, and says to ask for less; an id that is named twice is answered once', async () => {
    const { tool, ids } = await largeOnes(41)
    const all = await tool('get_records', { entity: 'people', ids })
    expect([all.isError, all.text]).toEqual([
      true,
      'The answer has more than 2000000 characters. Ask for fewer records at once.',
    ])
    const one = await tool('get_records', { entity: 'people', ids: Array(50).fill(ids[0]) })
    expect(resultsOf(one).map(({ id }) => id)).toEqual([ids[0]])
  })

  test('in sum ends a batch: what comes after is not done, and says so', async () => {
    const { app, token, ids } = await largeOnes(30)
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
    const answers = json as {
      readonly id: number
      readonly error?: { readonly code: number; readonly message: string }
    }[]
    expect([status, answers.length]).toEqual([200, 19])
    const undone = answers.filter(({ error }) => error !== undefined)
    expect(answers.slice(-undone.length)).toEqual(undone)
    expect(answers.length - undone.length).toBeLessThan(5)
    expect(undone[0]).toMatchObject({
      error: { code: -32000, message: expect.stringMatching(/^Not done: /) },
    })
  })
})
