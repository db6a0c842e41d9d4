import { memoryStorage } from '@sales-crm/core/memory'
import { expect, test } from 'vitest'
import {
  basicHeader,
  createOtherApp,
  obtainTokens,
  postForm,
  refreshTokens,
  statusWithToken,
} from '../support/oauth-requests.ts'
import { describeEachStore } from '../support/stores.ts'
import {
  errorOf,
  openService,
  openWorkspace,
  sendRequest,
  type TestResponse,
} from '../support/test-service.ts'

const REVOKED = [200, { data: { revoked: true } }]

async function openTestService() {
  const service = await openService(memoryStorage())
  const acme = await openWorkspace(service)
  const { client_id, client_secret } = acme
  const revoke = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    sendRequest(service.app, 'POST', '/oauth/revoke', body, { headers })
  return { service, acme, app: service.app, client: { client_id, client_secret }, revoke }
}

function outcomeOf(response: TestResponse) {
  return [response.status, errorOf(response)]
}

describeEachStore('a revoked access token', (openStore) => {
  test('is rejected at once with its refresh token, without affecting other grants', async () => {
    const service = await openService(await openStore())
    const acme = await openWorkspace(service)
    const { client_id, client_secret } = acme
    const [first, second] = [await obtainTokens(service, acme), await obtainTokens(service, acme)]
    for (let times = 0; times < 2; times += 1) {
      const body = { token: first.access_token, client_id, client_secret }
      const response = await sendRequest(service.app, 'POST', '/oauth/revoke', body)
      expect([response.status, response.json]).toEqual(REVOKED)
    }
    const rejected = await acme.call('GET', '/v1/workspace', undefined, { token: first.access_token })
    expect(outcomeOf(rejected)).toEqual([
      401,
      { code: 'unauthorized', message: 'Invalid or malformed token.' },
    ])
    expect((await refreshTokens(service, acme, first.refresh_token)).status).toBe(400)
    expect(await statusWithToken(service, second.access_token)).toBe(200)
  })
})

test('revokes a token by form and with HTTP Basic', async () => {
  const { service, acme, app, client, revoke } = await openTestService()
  const tokens = await Promise.all([
    obtainTokens(service, acme),
    obtainTokens(service, acme),
    obtainTokens(service, acme),
  ])
  const [one, two, three] = tokens.map(({ access_token }) => access_token)
  const responses = [
    await postForm(app, '/oauth/revoke', {
      token: one!,
      token_type_hint: 'access_token',
      foo: 'bar',
      ...client,
    }),
    await postForm(app, '/oauth/revoke', { token: two! }, { Authorization: basicHeader(acme) }),
    await revoke({ token: three, foo: [1], client_secret: null }, { Authorization: basicHeader(acme) }),
  ]
  expect(responses.map(({ status, json }) => [status, json])).toEqual([REVOKED, REVOKED, REVOKED])
  for (const { access_token } of tokens) expect(await statusWithToken(service, access_token)).toBe(401)
})

test('revokes the grant of an expired token', async () => {
  const { service, acme, client, revoke } = await openTestService()
  const { access_token, refresh_token } = await obtainTokens(service, acme)
  service.advanceClock(3_601_000)
  const response = await revoke({ token: access_token, ...client })
  expect([response.status, response.json]).toEqual(REVOKED)
  expect((await refreshTokens(service, acme, refresh_token)).status).toBe(400)
})

test.each(['nonsense', 'eyJhbGciOiJub25lIn0.e30.', 'crm_ac_x', '\u0000', 'é'.repeat(5000)])(
  'accepts an unknown token without effect: %j',
  async (token) => {
    const { client, revoke } = await openTestService()
    const { status, json } = await revoke({ token, ...client })
    expect([status, json]).toEqual(REVOKED)
  },
)

test('rejects a refresh token, which stays valid', async () => {
  const { service, acme, client, revoke } = await openTestService()
  const { refresh_token } = await obtainTokens(service, acme)
  for (const token of [refresh_token, 'crm_rt_unknown']) {
    expect(outcomeOf(await revoke({ token, ...client }))).toEqual([
      400,
      {
        code: 'invalid_request',
        message: 'A refresh token cannot be revoked here.',
        fields: { token: 'Must be an access token.' },
      },
    ])
  }
  expect((await refreshTokens(service, acme, refresh_token)).status).toBe(200)
})

test('rejects the token of another app, which stays valid', async () => {
  const { service, acme, revoke } = await openTestService()
  const { access_token } = await obtainTokens(service, acme)
  expect(outcomeOf(await revoke({ token: access_token, ...(await createOtherApp(service)) }))).toEqual([
    400,
    {
      code: 'invalid_request',
      message: 'The token belongs to another app.',
      fields: { token: 'Must be an access token of the client.' },
    },
  ])
  expect(await statusWithToken(service, access_token)).toBe(200)
})

test('revokes nothing without the client secret', async () => {
  const { service, acme, client, revoke } = await openTestService()
  const { access_token } = await obtainTokens(service, acme)
  const wrong = await revoke({ token: access_token, ...client, client_secret: 'wrong' })
  expect([wrong.status, errorOf(wrong)['code'], wrong.headers.get('WWW-Authenticate')]).toEqual([
    401,
    'invalid_client',
    'Bearer',
  ])
  const basic = await revoke(
    { token: access_token },
    { Authorization: basicHeader({ ...client, client_secret: 'wrong' }) },
  )
  expect([basic.status, basic.headers.get('WWW-Authenticate')]).toEqual([
    401,
    'Basic realm="Sales CRM", charset="UTF-8"',
  ])
  expect(
    errorOf(await revoke({ token: access_token, ...client }, { Authorization: basicHeader(client) }))['code'],
  ).toBe('invalid_request')
  expect(await statusWithToken(service, access_token)).toBe(200)
})

test('reports missing and non-text parameters', async () => {
  const { app, client, revoke } = await openTestService()
  const missing = { code: 'invalid_request', message: 'A required parameter is missing.' }
  expect(outcomeOf(await revoke({}))).toEqual([
    400,
    { ...missing, fields: { token: 'Required.', client_id: 'Required.', client_secret: 'Required.' } },
  ])
  expect(outcomeOf(await revoke({ token: null, ...client }))).toEqual([
    400,
    { ...missing, fields: { token: 'Required.' } },
  ])
  const rule = 'Must be a string.'
  expect(
    outcomeOf(await revoke({ token: ['a'], client_id: 5, client_secret: { a: 1 }, token_type_hint: true })),
  ).toEqual([
    400,
    {
      code: 'invalid_request',
      message: 'The request is invalid.',
      fields: { token: rule, client_id: rule, client_secret: rule, token_type_hint: rule },
    },
  ])
  expect(
    outcomeOf(
      await sendRequest(app, 'POST', '/oauth/revoke', 'token=a&token=b', {
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      }),
    ),
  ).toEqual([
    400,
    {
      code: 'invalid_request',
      message: 'A parameter was sent more than once.',
      fields: { token: 'Must be sent only once.' },
    },
  ])
})

test.each([
  ['', 'Request body must be valid JSON.'],
  ['{', 'Request body must be valid JSON.'],
  ['[]', 'Request body must be a JSON object.'],
  ['null', 'Request body must be a JSON object.'],
  [`${'[{"a":'.repeat(40)}1${'}]'.repeat(40)}`, 'Request body is nested too deeply.'],
  [`{"a":[${'1,'.repeat(999)}1]}`, 'Request body holds too many values.'],
])('rejects a body that is not a JSON object', async (body, message) => {
  const { revoke } = await openTestService()
  expect(outcomeOf(await revoke(body))).toEqual([400, { code: 'invalid_request', message }])
})

test('rejects a body of any other media type', async () => {
  const { revoke } = await openTestService()
  for (const type of [
    'text/plain',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded; charset=utf-16',
  ]) {
    expect(outcomeOf(await revoke('{}', { 'Content-Type': type }))).toEqual([
      400,
      {
        code: 'invalid_request',
        message: 'Request body must be JSON, or application/x-www-form-urlencoded.',
      },
    ])
  }
})
