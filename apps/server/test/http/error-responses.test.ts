import { expect, test } from 'vitest'
import { describeEachStore } from '../support/stores.ts'
import {
  errorOf,
  openService,
  openWorkspace,
  sendRequest,
  type TestResponse,
} from '../support/test-service.ts'

const NOWHERE = '00000000-0000-7000-8000-000000000000'
const STAGES = [{ name: 'New' }]

function expectError(
  answer: TestResponse,
  status: number,
  code: string,
  message: string,
  fields?: object,
): void {
  expect([answer.status, errorOf(answer)]).toEqual([status, { code, message, ...(fields && { fields }) }])
  expect((answer.json as { error: { request_id: string } }).error.request_id).toBe(
    answer.headers.get('X-Request-ID'),
  )
}

describeEachStore('a refusal', (open) => {
  test('is a 401 when there is no good token, and says how to authenticate', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const [header = '', claims = '', signature = ''] = acme.token.split('.')
    const forged = `${header}.${Buffer.from('{}').toString('base64url')}.${signature}`
    const none = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${claims}.`
    const rows: [string | undefined, string][] = [
      [undefined, 'Missing or invalid Authorization header.'],
      ['', 'Missing or invalid Authorization header.'],
      ['Basic YTpi', 'Missing or invalid Authorization header.'],
      ['Bearer', 'Missing or invalid Authorization header.'],
      [`Bearer ${acme.token} x`, 'Missing or invalid Authorization header.'],
      ['Bearer nonsense', 'Invalid or malformed token.'],
      [`Bearer ${forged}`, 'Invalid or malformed token.'],
      [`Bearer ${none}`, 'Invalid or malformed token.'],
      [`Bearer ${acme.token}x`, 'Invalid or malformed token.'],
    ]
    for (const [authorization, message] of rows) {
      const headers = authorization === undefined ? {} : { Authorization: authorization }
      const answer = await sendRequest(service.app, 'GET', '/v1/people', undefined, { headers })
      expectError(answer, 401, 'unauthorized', message)
      expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer')
    }
    expectError(
      await sendRequest(service.app, 'GET', `/v1/people?access_token=${acme.token}`),
      401,
      'unauthorized',
      'Missing or invalid Authorization header.',
    )
  })

  test('is a 401 token_expired from the second the token ends', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    service.advanceClock(3_599_000)
    expect((await acme.call('GET', '/v1/people')).status).toBe(200)
    service.advanceClock(1_000)
    const answer = await acme.call('GET', '/v1/people')
    expectError(answer, 401, 'token_expired', 'Access token expired. Refresh using the refresh token.')
    expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer')
  })

  test('meets a member who was removed on the very next call', async () => {
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

  test('follows the order of the checks', async () => {
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
      await send('PATCH', `/v1/tasks/${NOWHERE}`, {}),
      400,
      'bad_request',
      'No fields provided for update.',
    )
    expectError(
      await send('PATCH', `/v1/tasks/${NOWHERE}`, { nope: 1 }),
      400,
      'bad_request',
      'No fields provided for update.',
      {
        nope: 'Unknown field.',
      },
    )
    expectError(
      await send('PATCH', `/v1/tasks/${NOWHERE}`, { title: '' }),
      422,
      'validation_error',
      'Validation failed.',
      {
        title: 'Required.',
      },
    )
    expectError(
      await send('PATCH', `/v1/tasks/${NOWHERE}`, { person_id: NOWHERE }),
      404,
      'not_found',
      'Task not found.',
    )
    expectError(
      await send('PATCH', `/v1/tasks/${id}`, { person_id: NOWHERE }),
      422,
      'validation_error',
      'Validation failed.',
      {
        person_id: 'Person not found.',
      },
    )
  })

  test('reports every bad field at once, and every unknown one with the nearest name', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const answer = await acme.call('POST', '/v1/people', {
      full_nam: 'Ana',
      full_name: ' ',
      emails: [{ email: 'ana@x.example' }, { email: 'no', type: 'fax' }],
      score: 101,
      company_id: 7,
      workspace_id: acme.id,
    })
    expectError(answer, 422, 'validation_error', 'Validation failed.', {
      full_nam: 'Unknown field. Did you mean "full_name"?',
      workspace_id: 'Unknown field.',
      full_name: 'Required.',
      'emails[1].email': 'Must be an e-mail address.',
      'emails[1].type': 'Must be one of: work, home, other.',
      score: 'Must be an integer between 0 and 100.',
      company_id: 'Must be a string.',
    })
  })

  test('keeps callers from fields that are not theirs to set', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const { id } = await acme.createRecord('/v1/tasks', { title: 'Call' })
    const before = await acme.call('GET', `/v1/tasks/${id}`)
    for (const field of ['id', 'workspace_id', 'created_at', 'updated_at', 'deleted_at', 'owner', 'person']) {
      const answer = await acme.call('PATCH', `/v1/tasks/${id}`, { title: 'Other', [field]: NOWHERE })
      expect([answer.status, errorOf(answer)['fields']]).toEqual([
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
  ])('names the kind of %s that is not there', async (path, change, label) => {
    const acme = await openWorkspace(await openService(await open()))
    const text = [
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
    for (const id of [NOWHERE, '11111111-1111-1111-1111-111111111111', ...text]) {
      for (const method of ['GET', 'PATCH', 'DELETE']) {
        const answer = await acme.call(method, `/v1/${path}/${id}`, method === 'PATCH' ? change : undefined)
        expectError(answer, 404, 'not_found', `${label} not found.`)
      }
    }
  })

  test('is a 403 forbidden for what a role may not do', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const { id: owned } = await acme.createRecord('/v1/tasks', {
      title: 'Call',
      owner_email: acme.owner.email,
    })
    const { id: pipeline } = await acme.createRecord('/v1/pipelines', { name: 'Sales', stages: STAGES })
    const { token, id: mia } = await acme.addMember('mia', 'member')
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
    )
    expectError(
      await send('PATCH', `/v1/tasks/${owned}`, { completed: true }),
      403,
      'forbidden',
      denied('update', 'task'),
    )
    expectError(await send('DELETE', `/v1/tasks/${owned}`), 403, 'forbidden', denied('delete', 'task'))
    expectError(
      await send('DELETE', `/v1/pipelines/${pipeline}`),
      403,
      'forbidden',
      denied('delete', 'pipeline'),
    )
    const own = await send('POST', '/v1/tasks', { title: 'Own', owner_user_id: mia })
    expect(own.status).toBe(201)
    expect((await send('DELETE', `/v1/tasks/${(own.json as { data: { id: string } }).data.id}`)).status).toBe(
      204,
    )
  })

  test('is a 409 for a key that is taken, and for what still holds deals', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const taken = 'A record with this value already exists.'
    expectError(
      await acme.call('POST', '/v1/task-types', { title: 'Phone', key: 'CALL' }),
      409,
      'conflict',
      taken,
      { key: taken },
    )
    const pipeline = await acme.createRecord('/v1/pipelines', { name: 'Sales', stages: STAGES })
    await acme.createRecord('/v1/deals', { name: 'Steel' })
    expectError(await acme.call('DELETE', `/v1/pipelines/${pipeline.id}`), 409, 'conflict', taken, {
      deals: 'The pipeline still holds deals.',
    })
    expectError(
      await acme.call('PATCH', `/v1/pipelines/${pipeline.id}`, { stages: [{ name: 'Other' }] }),
      409,
      'conflict',
      taken,
      {
        stages: 'A stage that is to be removed still holds deals.',
      },
    )
  })

  test('of twenty who take one key at once meets all but one', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => acme.call('POST', '/v1/task-types', { title: 'Visit', key: 'visit' })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(19).fill(409)])
  })
})
