import { expect, test } from 'vitest'
import { createRecordMaker, dataOf, listPath, RECORD_KIND_CASES } from '../support/record-kind-cases.ts'
import { describeEachStore } from '../support/stores.ts'
import { errorOf, openService, openWorkspace, type Workspace } from '../support/test-service.ts'

const UNLIMITED = { GET: 0, POST: 0, PATCH: 0, DELETE: 0 }
const INHERITED = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']

const RECORD = 'emails phones avatar_url owner_user_id owner_email tags lists deals custom_fields'
const FIELDS: Readonly<Record<string, string>> = {
  people: `full_name score position company_id ${RECORD}`,
  companies: `full_name website ${RECORD}`,
  deals:
    'name amount currency pipeline_id stage_id source forecast_date person_id company_id owner_email tags lists custom_fields lost_reason_id lost_note',
  pipelines: 'name stages',
  'lost-reasons': 'name position',
  targets: 'month owner_id currency amount',
  tasks:
    'title notes due_date type person_id company_id deal_id owner_email owner_user_id priority completed',
  'task-types': 'title color key',
  activities: 'content_html entity entity_id owner_email owner_user_id attachments',
  products: 'name currency price_cts description code is_active billing_cycle image',
  tags: 'name color key',
  lists: 'name description',
  'custom-fields': 'label key type value required show_people show_companies show_deals',
  teams: 'name members',
  views: 'kind name filter order_by order group_by columns layout shared default_for',
}

const ORDERS: Readonly<Record<string, string>> = {
  people:
    'created_at, updated_at, full_name, entity_id, position, score, avatar_url, last_activity_at, open_amounts, custom_fields.<key>',
  companies:
    'created_at, updated_at, full_name, entity_id, website, avatar_url, last_activity_at, open_amounts, custom_fields.<key>',
  deals:
    'created_at, updated_at, name, amount, forecast_date, closed_at, currency, source, entity_id, lost_note, amount_source, last_activity_at, custom_fields.<key>',
  pipelines: 'created_at, name',
  'lost-reasons': 'created_at, name, position',
  targets: 'created_at, month',
  tasks: 'created_at, updated_at, due_date, title, notes, priority, remind_at',
  'task-types': 'created_at, title',
  activities: 'created_at, updated_at',
  products: 'created_at, name, currency, price_cts, description, code, billing_cycle',
  tags: 'created_at, name',
  lists: 'created_at, name',
  'custom-fields': 'created_at, label',
  teams: 'created_at, name',
  views: 'created_at, name',
}

describeEachStore('a hostile request', (open) => {
  async function setUp(): Promise<Workspace> {
    return openWorkspace(await openService(await open(), { limits: UNLIMITED }))
  }

  test('with a value of the wrong type is 422 with the field, for every field', async () => {
    const acme = await setUp()
    const createRecord = await createRecordMaker(acme)
    const values = [
      '{}',
      '[[]]',
      '[null]',
      '[{"__proto__":{}}]',
      '{"toString":1}',
      '{"length":9}',
      '1e400',
      '"\\u0000"',
      '"\\ud800"',
    ]
    for (const kind of RECORD_KIND_CASES) {
      const path = `/v1/${kind.name}`
      const id = await createRecord(kind)
      for (const field of FIELDS[kind.name]!.split(' ')) {
        for (const value of values) {
          const responses = [
            await acme.call(
              'POST',
              path,
              JSON.stringify({ ...kind.body(0, acme.owner.id), [field]: '@' }).replace('"@"', () => value),
            ),
            await acme.call(
              'PATCH',
              `${path}/${id}`,
              JSON.stringify({ ...kind.change, [field]: '@' }).replace('"@"', () => value),
            ),
          ]
          const errors = responses.map((response) => [
            response.status,
            Object.keys(errorOf(response)['fields'] ?? {})[0]?.split(/[.[]/)[0],
          ])
          expect([path, field, value, ...errors]).toEqual([path, field, value, [422, field], [422, field]])
        }
      }
    }
  })

  test('whose body is not a JSON object is 400', async () => {
    const acme = await setUp()
    const createRecord = await createRecordMaker(acme)
    for (const kind of RECORD_KIND_CASES) {
      const paths = [
        ['POST', `/v1/${kind.name}`] as const,
        ['PATCH', `/v1/${kind.name}/${await createRecord(kind)}`] as const,
      ]
      for (const [method, path] of paths) {
        for (const [body, message] of [
          ['', 'Request body must be valid JSON.'],
          ['{', 'Request body must be valid JSON.'],
          ['[]', 'Request body must be a JSON object.'],
          ['null', 'Request body must be a JSON object.'],
          [`{"x":${'['.repeat(64)}${']'.repeat(64)}}`, 'Request body is nested too deeply.'],
          [`{"x":${'{"x":'.repeat(9_999)}1${'}'.repeat(9_999)}}`, 'Request body is nested too deeply.'],
        ] as const) {
          const response = await acme.call(method, path, body)
          expect([path, response.status, errorOf(response)]).toEqual([
            path,
            400,
            { code: 'bad_request', message },
          ])
        }
      }
    }
  })

  test('with an unknown order_by is 422 and lists the valid ones', async () => {
    const acme = await setUp()
    for (const kind of RECORD_KIND_CASES) {
      const path = listPath(kind)
      const getList = (query: string) => acme.call('GET', `${path}${path.includes('?') ? '&' : '?'}${query}`)
      const names = ORDERS[kind.name]!
      for (const order_by of [
        '',
        'id',
        'workspace_id',
        'created_at;drop table people',
        'created_at desc',
        '"name"',
        'NAME',
        '%00',
        ...INHERITED,
      ]) {
        const response = await getList(`order_by=${order_by}`)
        expect([path, order_by, response.status, errorOf(response)['fields']]).toEqual([
          path,
          order_by,
          422,
          { order_by: `Must be one of: ${names}.` },
        ])
      }
      for (const order_by of names.split(', ').filter((name) => !name.includes('<')))
        expect((await getList(`order_by=${order_by}&order=asc`)).status).toBe(200)
      const response = await getList('order=DESC&page=0&per_page=101&__proto__=1&constructor=1')
      expect([response.status, Object.entries(errorOf(response)['fields'] as object)]).toEqual([
        422,
        expect.arrayContaining([
          ['__proto__', 'Unknown parameter.'],
          ['constructor', 'Unknown parameter.'],
          ['page', 'Must be a positive integer.'],
          ['per_page', 'Must be between 1 and 100.'],
          ['order', 'Must be one of: asc, desc.'],
        ]),
      ])
    }
  })

  test('with names of inherited properties finds nothing', async () => {
    const acme = await setUp()
    await acme.createRecord('/v1/pipelines', { name: 'Sales', stages: [{ name: 'New' }] })
    for (const name of INHERITED) {
      const postAndListErrors = async (path: string, body: object) =>
        Object.entries(errorOf(await acme.call('POST', path, body))['fields'] as object)
      const key = name.toLowerCase()
      expect(
        await postAndListErrors('/v1/people', { full_name: 'a', custom_fields: [{ key: name, value: 'x' }] }),
      ).toEqual([[`custom_fields.${key}`, 'Custom field not found.']])
      expect(await postAndListErrors('/v1/deals', { name: 'a', tags: [name] })).toEqual([
        ['tags[0]', 'Tag not found.'],
      ])
      expect(await postAndListErrors('/v1/tasks', { title: 'a', type: name })).toEqual([
        ['type', 'Task type not found.'],
      ])
      expect(
        await postAndListErrors('/v1/activities', { content_html: 'a', entity: name, entity_id: 'x' }),
      ).toEqual([
        ['entity', 'Must be one of: people, companies, deals.'],
        ['entity_id', 'Must be a UUID.'],
      ])
      expect(await postAndListErrors('/v1/products', { name: 'a', currency: name })).toEqual([
        ['currency', expect.stringMatching(/^Must be one of: AED/)],
      ])
      expect((await acme.call('GET', `/v1/tags/${name}`)).status).toBe(404)
      expect((await acme.call('GET', `/v1/people?tag=${name}`)).json).toMatchObject({ data: [] })
      expect((await acme.call('GET', `/v1/activities?entity=${name}&id=x`)).status).toBe(422)
    }
  })

  test('may use names of inherited properties as keys and reads back what it stored', async () => {
    const acme = await setUp()
    const select_list = [
      { key: 'valueof', option: '__proto__' },
      { key: 'constructor', option: 'toString' },
    ]
    await acme.createRecord('/v1/custom-fields', {
      label: '__proto__',
      key: 'constructor',
      type: 'multi_select',
      value: { select_list },
    })
    const { id: tagId } = await acme.createRecord('/v1/tags', { name: 'Constructor' })
    const custom_fields = [{ key: 'constructor', value: ['constructor', 'valueof'] }]
    const { id } = await acme.createRecord('/v1/people', {
      full_name: '__proto__',
      tags: ['CONSTRUCTOR'],
      custom_fields,
    })
    expect(dataOf(await acme.call('GET', `/v1/people/${id}`))).toMatchObject({
      full_name: '__proto__',
      tags: [{ id: tagId }],
      custom_fields,
    })
    expect((await acme.call('GET', '/v1/people?tag=constructor&search=proto')).json).toMatchObject({
      data: [{ id }],
    })
    const patchResponse = await acme.call('PATCH', `/v1/people/${id}`, {
      custom_fields: [{ key: 'constructor', value: null }],
    })
    expect(dataOf(patchResponse)).toMatchObject({ custom_fields: [] })
  })
})
