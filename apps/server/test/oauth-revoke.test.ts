import { memoryStorage } from '@sales-crm/core/memory'
import { expect, test } from 'vitest'
import { type Answer, call, errorIn, openService, openWorkspace } from './harness.ts'
import { basicOf, otherApp, postForm, refresh, statusWith, tokensFor } from './oauth.ts'
import { describeEachStore } from './stores.ts'

const REVOKED = [200, { data: { revoked: true } }]

async function open() {
  const service = await openService(memoryStorage())
  const acme = await openWorkspace(service)
  const { client_id, client_secret } = acme
  const revoke = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    call(service.app, 'POST', '/oauth/revoke', body, { headers })
  return { service, acme, app: service.app, client: { client_id, client_secret }, revoke }
}

function told(answer: Answer) {
  return [answer.status, errorIn(answer)]
}

describeEachStore('an access token that is revoked', (openStore) => {
  test('is out with the next call, and its refresh token with it, but no other grant', async () => {
    const service = await openService(await openStore())
    const acme = await openWorkspace(service)
    const { client_id, client_secret } = acme
    const [first, second] = [await tokensFor(service, acme), await tokensFor(service, acme)]
    for (let times = 0; times < 2; times += 1) {
      const body = { token: first.access_token, client_id, client_secret }
      const answer = await call(service.app, 'POST', '/oauth/revoke', body)
      expect([answer.status, answer.json]).toEqual(REVOKED)
    }
    const refused = await acme.call('GET', '/v1/workspace', undefined, { token: first.access_token })
    expect(told(refused)).toEqual([401, { code: 'unauthorized', message: 'Invalid or malformed token.' }])
    expect((await refresh(service, acme, first.refresh_token)).status).toBe(400)
    expect(await statusWith(service, second.access_token)).toBe(200)
  })
})

test('a token is revoked by form too, and by HTTP Basic', async () => {
  const { service, acme, app, client, revoke } = await open()
  const tokens = await Promise.all([tokensFor(service, acme), tokensFor(service, acme), tokensFor(service, acme)])
  const [one, two, three] = tokens.map(({ access_token }) => access_token)
  const answers = [
    await postForm(app, '/oauth/revoke', { token: one!, token_type_hint: 'access_token', foo: 'bar', ...client }),
    await postForm(app, '/oauth/revoke', { token: two! }, { Authorization: basicOf(acme) }),
    await revoke({ token: three, foo: [1], client_secret: null }, { Authorization: basicOf(acme) }),
  ]
  expect(answers.map(({ status, json }) => [status, json])).toEqual([REVOKED, REVOKED, REVOKED])
  for (const { access_token } of tokens) expect(await statusWith(service, access_token)).toBe(401)
})

test('an expired token is revoked with its grant', async () => {
  const { service, acme, client, revoke } = await open()
  const { access_token, refresh_token } = await tokensFor(service, acme)
  service.pass(3_601_000)
  const answer = await revoke({ token: access_token, ...client })
  expect([answer.status, answer.json]).toEqual(REVOKED)
  expect((await refresh(service, acme, refresh_token)).status).toBe(400)
})

test.each(['nonsense', 'eyJhbGciOiJub25lIn0.e30.', 'crm_ac_x', '\u0000', 'é'.repeat(5000)])(
  'for what is no token of ours there is nothing to do: %j',
  async (token) => {
    const { client, revoke } = await open()
    const { status, json } = await revoke({ token, ...client })
    expect([status, json]).toEqual(REVOKED)
  },
)

test('a refresh token is refused, and stays good', async () => {
  const { service, acme, client, revoke } = await open()
  const { refresh_token } = await tokensFor(service, acme)
  for (const token of [refresh_token, 'crm_rt_unknown']) {
    expect(told(await revoke({ token, ...client }))).toEqual([
      400,
      { code: 'invalid_request', message: 'A refresh token cannot be revoked here.', fields: { token: 'Must be an access token.' } },
    ])
  }
  expect((await refresh(service, acme, refresh_token)).status).toBe(200)
})

test('the token of another app is refused, and stays good', async () => {
  const { service, acme, revoke } = await open()
  const { access_token } = await tokensFor(service, acme)
  expect(told(await revoke({ token: access_token, ...(await otherApp(service)) }))).toEqual([
    400,
    {
      code: 'invalid_request',
      message: 'The token belongs to another app.',
      fields: { token: 'Must be an access token of the client.' },
    },
  ])
  expect(await statusWith(service, access_token)).toBe(200)
})

test('nothing is revoked without the secret of the app', async () => {
  const { service, acme, client, revoke } = await open()
  const { access_token } = await tokensFor(service, acme)
  const wrong = await revoke({ token: access_token, ...client, client_secret: 'wrong' })
  expect([wrong.status, errorIn(wrong)['code'], wrong.headers.get('WWW-Authenticate')]).toEqual([401, 'invalid_client', 'Bearer'])
  const basic = await revoke({ token: access_token }, { Authorization: basicOf({ ...client, client_secret: 'wrong' }) })
  expect([basic.status, basic.headers.get('WWW-Authenticate')]).toEqual([401, 'Basic realm="Sales CRM", charset="UTF-8"'])
  expect(errorIn(await revoke({ token: access_token, ...client }, { Authorization: basicOf(client) }))['code']).toBe('invalid_request')
  expect(await statusWith(service, access_token)).toBe(200)
})

test('what is missing, and what is no text, is told', async () => {
  const { app, client, revoke } = await open()
  const missing = { code: 'invalid_request', message: 'A required parameter is missing.' }
  expect(told(await revoke({}))).toEqual([
    400,
    { ...missing, fields: { token: 'Required.', client_id: 'Required.', client_secret: 'Required.' } },
  ])
  expect(told(await revoke({ token: null, ...client }))).toEqual([400, { ...missing, fields: { token: 'Required.' } }])
  const rule = 'Must be a string.'
  expect(told(await revoke({ token: ['a'], client_id: 5, client_secret: { a: 1 }, token_type_hint: true }))).toEqual([
    400,
    {
      code: 'invalid_request',
      message: 'The request is invalid.',
      fields: { token: rule, client_id: rule, client_secret: rule, token_type_hint: rule },
    },
  ])
  expect(
    told(await call(app, 'POST', '/oauth/revoke', 'token=a&token=b', { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } })),
  ).toEqual([
    400,
    { code: 'invalid_request', message: 'A parameter was sent more than once.', fields: { token: 'Must be sent only once.' } },
  ])
})

test.each([
  ['', 'Request body must be valid JSON.'],
  ['{', 'Request body must be valid JSON.'],
  ['[]', 'Request body must be a JSON object.'],
  ['null', 'Request body must be a JSON object.'],
  [`${'[{"a":'.repeat(40)}1${'}]'.repeat(40)}`, 'Request body is nested too deeply.'],
  [`{"a":[${'1,'.repeat(999)}1]}`, 'Request body holds too many values.'],
])('a body that is no JSON object is an invalid request', async (body, message) => {
  const { revoke } = await open()
  expect(told(await revoke(body))).toEqual([400, { code: 'invalid_request', message }])
})

test('a body of any other type is an invalid request', async () => {
  const { revoke } = await open()
  for (const type of ['text/plain', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded; charset=utf-16']) {
    expect(told(await revoke('{}', { 'Content-Type': type }))).toEqual([
      400,
      { code: 'invalid_request', message: 'Request body must be JSON, or application/x-www-form-urlencoded.' },
    ])
  }
})
