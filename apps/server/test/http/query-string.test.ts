import { memoryStorage } from '@sales-crm/core/memory'
import { expect, test } from 'vitest'
import { errorOf, openService, openWorkspace } from '../support/test-service.ts'

const PAGE = { page: 'Must be a positive integer.' }
const PER_PAGE = { per_page: 'Must be between 1 and 100.' }
const ONCE = 'Must be sent only once.'
const ENCODING = 'Must be percent-encoded UTF-8.'
test.each([
  ['page=0', PAGE],
  ['page=-1', PAGE],
  ['page=', PAGE],
  ['page=1e2', PAGE],
  ['page=01', { page: 'Must be written without leading zeros.' }],
  ['per_page=010', { per_page: 'Must be written without leading zeros.' }],
  ['page=%2B1', PAGE],
  ['page=1.0', PAGE],
  ['page=9007199254740993', { page: 'Must be at most 9007199254740991.' }],
  ['page=99999999999999999999', { page: 'Must be at most 9007199254740991.' }],
  ['per_page=99999999999999999999', PER_PAGE],
  ['updated_after=2016-12-31T23:59:60Z', { updated_after: 'Leap seconds are not supported.' }],
  ['page=%00', PAGE],
  ['per_page=0', PER_PAGE],
  ['per_page=101', PER_PAGE],
  [
    'order_by=company_id',
    {
      order_by:
        'Must be one of: created_at, updated_at, full_name, entity_id, position, score, avatar_url, last_activity_at, open_amounts, custom_fields.<key>.',
    },
  ],
  [
    'order_by=constructor',
    {
      order_by:
        'Must be one of: created_at, updated_at, full_name, entity_id, position, score, avatar_url, last_activity_at, open_amounts, custom_fields.<key>.',
    },
  ],
  [
    'order_by=(select%201)',
    {
      order_by:
        'Must be one of: created_at, updated_at, full_name, entity_id, position, score, avatar_url, last_activity_at, open_amounts, custom_fields.<key>.',
    },
  ],
  ['order=up', { order: 'Must be one of: asc, desc.' }],
  ['page[]=1', { 'page[]': 'Unknown parameter.' }],
  ['pge=2', { pge: 'Unknown parameter. Did you mean "page"?' }],
  ['__proto__=1&constructor=2', { ['__proto__']: 'Unknown parameter.', constructor: 'Unknown parameter.' }],
  ['=1', { '': 'Unknown parameter.' }],
  [
    'updated_after=2026-02-30T00:00:00Z',
    { updated_after: 'Must be an ISO 8601 date-time with a time zone, such as 2026-03-01T12:00:00Z.' },
  ],
  ['company_id=x', { company_id: 'Must be a UUID.' }],
  ['page=1&page=2', { page: ONCE }],
  ['page=1&page=1&page=1&per_page=0', { page: ONCE, ...PER_PAGE }],
  ['nope=1&nope=2', { nope: ONCE }],
  ['search=a%ff', { search: ENCODING }],
  ['search=a%', { search: ENCODING }],
  ['search=%zz', { search: ENCODING }],
  ['search=%ED%A0%80&per_page=0', { search: ENCODING, ...PER_PAGE }],
  ['page=1&page=%ff', { page: ENCODING }],
  ['%zz', { '%zz': ENCODING }],
  ['%ff=1', { '%ff': ENCODING }],
])('a list rejects ?%s', async (query, fields) => {
  const acme = await openWorkspace(await openService(memoryStorage()))
  const response = await acme.call('GET', `/v1/people?${query}`)
  expect([response.status, errorOf(response)]).toEqual([
    422,
    { code: 'validation_error', message: 'Validation failed.', fields },
  ])
})

test('an operation without parameters reports each one as unknown', async () => {
  const acme = await openWorkspace(await openService(memoryStorage()))
  const { id } = await acme.createRecord('/v1/tasks', { title: 'Call' })
  const path = `/v1/tasks/${id}`
  const errorResponses = [
    await acme.call('GET', `${path}?page=1`),
    await acme.call('POST', '/v1/tasks?page=1', { title: 'Call' }),
    await acme.call('PATCH', `${path}?page=1`, { title: 'Other' }),
    await acme.call('DELETE', `${path}?page=1`),
    await acme.call('GET', '/v1/workspace?page=1'),
  ]
  for (const response of errorResponses)
    expect([response.status, errorOf(response)['fields']]).toEqual([422, { page: 'Unknown parameter.' }])
  const malformed = await acme.call('DELETE', `${path}?%ff=1&page=1&page=%`)
  expect([malformed.status, errorOf(malformed)['fields']]).toEqual([422, { '%ff': ENCODING, page: ENCODING }])
  expect((await acme.call('GET', path)).json).toMatchObject({ data: { title: 'Call' } })
})

test('a plus sign and an encoded text are decoded', async () => {
  const acme = await openWorkspace(await openService(memoryStorage()))
  await acme.createRecord('/v1/people', { full_name: 'José da Silva' })
  for (const query of ['search=jos%C3%A9+silva', '&search=jos%c3%a9%20silva&', 'se%61rch=José+']) {
    const response = await acme.call('GET', `/v1/people?${query}`)
    expect([response.status, response.json]).toMatchObject([200, { meta: { total: 1 } }])
  }
})

test("reports an unknown parameter together with the body's errors, but after an empty PATCH", async () => {
  const acme = await openWorkspace(await openService(memoryStorage()))
  const { id } = await acme.createRecord('/v1/tasks', { title: 'Call' })
  const createResponse = await acme.call('POST', '/v1/tasks?page=1', { title: '', notes: 5 })
  expect(errorOf(createResponse)['fields']).toEqual({
    title: 'Required.',
    notes: 'Must be a string.',
    page: 'Unknown parameter.',
  })
  const emptyPatch = await acme.call('PATCH', `/v1/tasks/${id}?page=1`, {})
  expect([emptyPatch.status, errorOf(emptyPatch)]).toEqual([
    400,
    { code: 'bad_request', message: 'No fields provided for update.' },
  ])
})

test.each(['/v1/people', '/v1/workspace', '/files/a/b'])(
  '%s refuses more than a hundred parameters',
  async (path) => {
    const { call } = await openWorkspace(await openService(memoryStorage()))
    const response = await call('GET', `${path}?${'a&'.repeat(100)}`)
    expect([response.status, errorOf(response)['fields']]).toEqual([
      422,
      { query: 'Must have at most 100 parameters.' },
    ])
  },
)
