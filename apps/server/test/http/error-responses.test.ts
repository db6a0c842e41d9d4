import { expect, test } from 'vitest'
import { describeEachStore } from '../support/stores.ts'
import {
  errorOf,
  openService,
  openWorkspace,
  sendRequest,
  type TestResponse,
} from '../support/test-service.ts'

const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000'
const STAGES = [{ name: 'New' }]

function expectError(
  response: TestResponse,
  status: number,
  code: string,
  message: string,
  fields?: object,
): void {
  expect([response.status, errorOf(response)]).toEqual([status, { code, message, ...(fields && { fields }) }])
  expect((response.json as { error: { request_id: string } }).error.request_id).toBe(
    response.headers.get('X-Request-ID'),
  )
}

describeEachStore('an error response', (open) => {
  test('is 401 with WWW-Authenticate without a valid token', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const [header = '', claims = '', signature = ''] = acme.token.split('.')
    const forged = `${header}.${Buffer.from('{}').toString('base64url')}.${signature}`
    const unsigned = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${claims}.`
    const rows: [string | undefined, string][] = [
      [undefined, 'Missing or invalid Authorization header.'],
      ['', 'Missing or invalid Authorization header.'],
      ['Basic YTpi', 'Missing or invalid Authorization header.'],
      ['Bearer', 'Missing or invalid Authorization header.'],
      [`Bearer ${acme.token} x`, 'Missing or invalid Authorization header.'],
      ['Bearer nonsense', 'Invalid or malformed token.'],
      [`Bearer ${forged}`, 'Invalid or malformed token.'],
      [`Bearer ${unsigned}`, 'Invalid or malformed token.'],
      [`Bearer ${acme.token}x`, 'Invalid or malformed token.'],
    ]
    for (const [authorization, message] of rows) {
      const headers = authorization === undefined ? {} : { Authorization: authorization }
      const response = await sendRequest(service.app, 'GET', '/v1/people', undefined, { headers })
      expectError(response, 401, 'unauthorized', message)
      expect(response.headers.get('WWW-Authenticate')).toBe('Bearer')
    }
    expectError(
      await sendRequest(service.app, 'GET', `/v1/people?access_token=${acme.token}`),
      401,
      'unauthorized',
      'Missing or invalid Authorization header.',
    )
  })

  test('is 401 token_expired from the second the token expires', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    service.advanceClock(3_599_000)
    expect((await acme.call('GET', '/v1/people')).status).toBe(200)
    service.advanceClock(1_000)
    const response = await acme.call('GET', '/v1/people')
    expectError(response, 401, 'token_expired', 'Access token expired. Refresh using the refresh token.')
    expect(response.headers.get('WWW-Authenticate')).toBe('Bearer')
  })

  test('is 401 from the first request after a member was removed', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const mia = await acme.addMember('mia', 'member')
    expect((await acme.call('GET', '/v1/people', undefined, { token: mia.token })).status).toBe(200)
    await service.crm.operator.removeMember({ workspace: acme.slug, email: mia.email })
    expectError(
      await acme.call('GET', '/v1/people', undefined, { token: mia.token }),
      401,
      'unauthorized',
      'Invalid or malformed token.',
    )
  })

  test('follows the order of checks: route, token, scope, JSON, fields, record, references', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const token = await acme.tokenFor(acme.owner.email, ['tasks:write'])
    const { id } = await acme.createRecord('/v1/tasks', { title: 'Call' })
    const send = (method: string, path: string, body?: unknown) => acme.call(method, path, body, { token })

    expectError(
      await sendRequest(service.app, 'POST', '/v1/nothing', '{'),
      404,
      'not_found',
      'Route not found.',
    )
    expectError(
      await sendRequest(service.app, 'POST', '/v1/people', '{'),
      401,
      'unauthorized',
      'Missing or invalid Authorization header.',
    )
    expectError(
      await send('POST', '/v1/people', '{'),
      403,
      'insufficient_scope',
      "This endpoint requires the 'people:write' scope.",
    )
    expectError(await send('POST', '/v1/tasks', '{'), 400, 'bad_request', 'Request body must be valid JSON.')
    expectError(
      await send('PATCH', `/v1/tasks/${UNKNOWN_ID}`, {}),
      400,
      'bad_request',
      'No fields provided for update.',
    )
    expectError(
      await send('PATCH', `/v1/tasks/${UNKNOWN_ID}`, { nope: 1 }),
      400,
      'bad_request',
      'No fields provided for update.',
      {
        nope: 'Unknown field.',
      },
    )
    expectError(
      await send('PATCH', `/v1/tasks/${UNKNOWN_ID}`, { title: '' }),
      422,
      'validation_error',
      'Validation failed.',
      {
        title: 'Required.',
      },
    )
    expectError(
      await send('PATCH', `/v1/tasks/${UNKNOWN_ID}`, { person_id: UNKNOWN_ID }),
      404,
      'not_found',
      'Task not found.',
    )
    expectError(
      await send('PATCH', `/v1/tasks/${id}`, { person_id: UNKNOWN_ID }),
      422,
      'validation_error',
      'Validation failed.',
      {
        person_id: 'Person not found.',
      },
    )
  })

  test('lists every invalid field, and suggests a name for unknown ones', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const response = await acme.call('POST', '/v1/people', {
      full_nam: 'Ana',
      full_name: ' ',
      emails: [{ email: 'ana@x.example' }, { email: 'no', type: 'fax' }],
      score: 101,
      company_id: 7,
      workspace_id: acme.id,
    })
    expectError(response, 422, 'validation_error', 'Validation failed.', {
      full_nam: 'Unknown field. Did you mean "full_name"?',
      workspace_id: 'Unknown field.',
      full_name: 'Required.',
      'emails[1].email': 'Must be an e-mail address.',
      'emails[1].type': 'Must be one of: work, home, other.',
      score: 'Must be an integer between 0 and 100.',
      company_id: 'Must be a string.',
    })
  })

  test('is 422 for read-only fields', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const { id } = await acme.createRecord('/v1/tasks', { title: 'Call' })
    const before = await acme.call('GET', `/v1/tasks/${id}`)
    for (const field of ['id', 'workspace_id', 'created_at', 'updated_at', 'deleted_at', 'owner', 'person']) {
      const response = await acme.call('PATCH', `/v1/tasks/${id}`, { title: 'Other', [field]: UNKNOWN_ID })
      expect([response.status, errorOf(response)['fields']]).toEqual([
        422,
        { [field]: expect.stringMatching(/^Unknown field\./) },
      ])
    }
    expect((await acme.call('GET', `/v1/tasks/${id}`)).json).toEqual(before.json)
  })

  test.each([
    ['people', { full_name: 'x' }, 'Person'],
    ['companies', { full_name: 'x' }, 'Company'],
    ['deals', { name: 'x' }, 'Deal'],
    ['pipelines', { name: 'x' }, 'Pipeline'],
    ['tasks', { title: 'x' }, 'Task'],
    ['task-types', { title: 'x' }, 'Task type'],
    ['activities', { content_html: 'x' }, 'Activity'],
    ['products', { name: 'x' }, 'Product'],
    ['tags', { name: 'x' }, 'Tag'],
    ['lists', { name: 'x' }, 'List'],
    ['custom-fields', { label: 'x' }, 'Custom field'],
  ])('names the kind of an unknown id in %s', async (path, change, label) => {
    const acme = await openWorkspace(await openService(await open()))
    const malformedIds = [
      '1',
      'constructor',
      '__proto__',
      '%27%20or%201=1',
      '%00',
      '%ED%A0%80',
      '%FF',
      '%',
      '%F0%9F%98%80',
      'a'.repeat(2000),
    ]
    for (const id of [UNKNOWN_ID, '11111111-1111-1111-1111-111111111111', ...malformedIds]) {
      for (const method of ['GET', 'PATCH', 'DELETE']) {
        const response = await acme.call(method, `/v1/${path}/${id}`, method === 'PATCH' ? change : undefined)
        expectError(response, 404, 'not_found', `${label} not found.`)
      }
    }
  })

  test('is 403 forbidden when the role lacks the permission', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const { id: ownerTaskId } = await acme.createRecord('/v1/tasks', {
      title: 'Call',
      owner_email: acme.owner.email,
    })
    const { id: pipelineId } = await acme.createRecord('/v1/pipelines', { name: 'Sales', stages: STAGES })
    const { token, id: miaId } = await acme.addMember('mia', 'member')
    const send = (method: string, path: string, body?: unknown) => acme.call(method, path, body, { token })
    const denied = (operation: string, kind: string) =>
      `You do not have permission to ${operation} this ${kind}.`

    expectError(
      await send('POST', '/v1/pipelines', { name: 'Own', stages: STAGES }),
      403,
      'forbidden',
      denied('create', 'pipeline'),
    )
    expectError(
      await send('POST', '/v1/task-types', { title: 'Own' }),
      403,
      'forbidden',
      denied('create', 'task type'),
    )
    expectError(
      await send('POST', '/v1/tasks', { title: 'Own', owner_user_id: acme.owner.id }),
      403,
      'forbidden',
      denied('create', 'task'),
      { owner_user_id: 'A member may set only itself or nobody as the owner.' },
    )
    expectError(
      await send('PATCH', `/v1/tasks/${ownerTaskId}`, { completed: true }),
      403,
      'forbidden',
      denied('update', 'task'),
    )
    expectError(await send('DELETE', `/v1/tasks/${ownerTaskId}`), 403, 'forbidden', denied('delete', 'task'))
    expectError(
      await send('DELETE', `/v1/pipelines/${pipelineId}`),
      403,
      'forbidden',
      denied('delete', 'pipeline'),
    )
    const createResponse = await send('POST', '/v1/tasks', { title: 'Own', owner_user_id: miaId })
    expect(createResponse.status).toBe(201)
    expect(
      (await send('DELETE', `/v1/tasks/${(createResponse.json as { data: { id: string } }).data.id}`)).status,
    ).toBe(204)
  })

  test('is 409 for a used key and for removing a pipeline or stage with deals', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const message = 'A record with this value already exists.'
    expectError(
      await acme.call('POST', '/v1/task-types', { title: 'Phone', key: 'CALL' }),
      409,
      'conflict',
      message,
      { key: message },
    )
    const pipeline = await acme.createRecord('/v1/pipelines', { name: 'Sales', stages: STAGES })
    for (const name of ['Steel', 'Iron', 'Copper']) await acme.createRecord('/v1/deals', { name })
    expectError(await acme.call('DELETE', `/v1/pipelines/${pipeline.id}`), 409, 'conflict', message, {
      deals: 'Holds 3 deals. Move or delete them first.',
    })
    expectError(
      await acme.call('PATCH', `/v1/pipelines/${pipeline.id}`, { stages: [{ name: 'Other' }] }),
      409,
      'conflict',
      message,
      {
        stages: 'The stage "New" holds 3 deals. Move or delete them first.',
      },
    )
  })

  test('is 409 for removing an option that records hold', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const select = (...keys: string[]) => ({ select_list: keys.map((key) => ({ key, option: key })) })
    const { id } = await acme.createRecord('/v1/custom-fields', {
      ...{ label: 'Size', key: 'size', type: 'select', value: select('small', 'large') },
    })
    const custom_fields = [{ key: 'size', value: 'large' }]
    await acme.createRecord('/v1/people', { full_name: 'Ana', custom_fields })
    await acme.createRecord('/v1/companies', { full_name: 'Acme', custom_fields })
    expectError(
      await acme.call('PATCH', `/v1/custom-fields/${id}`, { value: select('small') }),
      409,
      'conflict',
      'A record with this value already exists.',
      { value: '2 records hold the option "large". Change them first.' },
    )
  })

  test('is 409 for all but one of twenty concurrent creates with one key', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => acme.call('POST', '/v1/task-types', { title: 'Visit', key: 'visit' })),
    )
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(19).fill(409)])
  })
})
