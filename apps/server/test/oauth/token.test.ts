import { createHash } from 'node:crypto'
import { memoryStorage } from '@sales-crm/core/memory'
import { expect, test } from 'vitest'
import {
  basicHeader,
  createOtherApp,
  exchangeCode,
  type Fields,
  obtainCode,
  obtainTokens,
  postForm,
  refreshTokens,
} from '../support/oauth-requests.ts'
import {
  errorOf,
  openService,
  openWorkspace,
  sendRequest,
  type TestResponse,
} from '../support/test-service.ts'

const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const TWO_METHODS = 'The client must authenticate in one way: by HTTP Basic or in the body.'

async function openTestService() {
  const service = await openService(memoryStorage())
  const acme = await openWorkspace(service)
  const post = (fields: Fields, headers: Readonly<Record<string, string>> = {}) =>
    postForm(service.app, '/oauth/token', fields, headers)
  return { service, acme, post, app: service.app }
}

function codeChallengeOf(verifier: string) {
  return {
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }
}

function outcomeOf(response: TestResponse) {
  return [response.status, errorOf(response)]
}

const REQUIRED = { code: 'invalid_request', message: 'A required parameter is missing.' }
const INVALID_CLIENT = {
  code: 'invalid_client',
  message: 'The client does not exist, is not active, or its credentials are wrong.',
}

test.each([
  ['no challenge and no verifier', false, undefined, 200, undefined],
  ['a challenge and its verifier', true, VERIFIER, 200, undefined],
  ['a challenge without a verifier', true, undefined, 400, 'invalid_grant'],
  ['a challenge with a wrong verifier', true, `${VERIFIER}x`, 400, 'invalid_grant'],
  ['a verifier without a challenge', false, VERIFIER, 400, 'invalid_grant'],
])('PKCE: %s', async (_, withChallenge, code_verifier, status, code) => {
  const { service, acme } = await openTestService()
  const issuedCode = await obtainCode(service, acme, withChallenge ? codeChallengeOf(VERIFIER) : {})
  const response = await exchangeCode(
    service,
    acme,
    issuedCode,
    code_verifier === undefined ? {} : { code_verifier },
  )
  expect(response.status).toBe(status)
  if (code === undefined) return
  const [message, rule] =
    code_verifier === undefined
      ? ['The code was asked for with a code_challenge: send its code_verifier.', 'Required.']
      : ['The code_verifier does not match the code_challenge.', 'Must match the code_challenge.']
  expect(errorOf(response)).toEqual({ code, message, fields: { code_verifier: rule } })
  // The code stays valid for the right verifier.
  expect(
    (await exchangeCode(service, acme, issuedCode, withChallenge ? { code_verifier: VERIFIER } : {})).status,
  ).toBe(200)
})

test.each([43, 128])('accepts a verifier of %i characters', async (length) => {
  const { service, acme } = await openTestService()
  const code_verifier = 'aZ09-._~'.repeat(16).slice(0, length)
  const code = await obtainCode(service, acme, codeChallengeOf(code_verifier))
  expect((await exchangeCode(service, acme, code, { code_verifier })).status).toBe(200)
})

test.each([`${'v'.repeat(42)}`, 'v'.repeat(129), `${'v'.repeat(42)}+`, `${'v'.repeat(42)}é`])(
  'rejects an invalid verifier: %j',
  async (code_verifier) => {
    const { service, acme } = await openTestService()
    const code = await obtainCode(service, acme, codeChallengeOf(code_verifier))
    const { fields } = errorOf(await exchangeCode(service, acme, code, { code_verifier }))
    expect(fields).toEqual({
      code_verifier: 'Must be 43 to 128 letters, digits, hyphens, dots, underscores or tildes.',
    })
  },
)

test('a redirect URI sent with the code must match that of the authorization', async () => {
  const { service, acme } = await openTestService()
  const code = await obtainCode(service, acme)
  const response = await exchangeCode(service, acme, code, { redirect_uri: 'https://app.example/cb?' })
  expect(outcomeOf(response)).toEqual([
    400,
    { code: 'invalid_grant', message: 'The redirect_uri is not the one the code was sent to.' },
  ])
  expect((await exchangeCode(service, acme, code, { redirect_uri: 'https://app.example/cb' })).status).toBe(
    200,
  )
})

test('reports all missing parameters together', async () => {
  const { post } = await openTestService()
  const all = { client_id: 'Required.', client_secret: 'Required.' }
  expect(outcomeOf(await post({}))).toEqual([400, { ...REQUIRED, fields: { grant_type: 'Required.' } }])
  expect(outcomeOf(await post({ grant_type: 'authorization_code' }))).toEqual([
    400,
    { ...REQUIRED, fields: { code: 'Required.', ...all } },
  ])
  expect(outcomeOf(await post({ grant_type: 'refresh_token', refresh_token: '' }))).toEqual([
    400,
    { ...REQUIRED, fields: { refresh_token: 'Required.', ...all } },
  ])
})

test.each(['password', 'client_credentials', 'Authorization_Code', 'implicit\u0000'])(
  'rejects other grant types: %j',
  async (grant_type) => {
    const { post, acme } = await openTestService()
    const { client_id, client_secret } = acme
    expect(outcomeOf(await post({ grant_type, client_id, client_secret }))).toEqual([
      400,
      {
        code: 'unsupported_grant_type',
        message: 'The grant_type must be authorization_code or refresh_token.',
        fields: { grant_type: 'Must be one of: authorization_code, refresh_token.' },
      },
    ])
  },
)

test.each([
  'grant_type',
  'code',
  'client_id',
  'client_secret',
  'redirect_uri',
  'code_verifier',
  'refresh_token',
  'scope',
])('rejects a repeated %s', async (name) => {
  const { post, service, acme } = await openTestService()
  const { client_id, client_secret } = acme
  const sent = {
    grant_type: 'authorization_code',
    code: await obtainCode(service, acme),
    client_id,
    client_secret,
  }
  const value = new Map(Object.entries(sent)).get(name) ?? 'x'
  const rest = Object.entries(sent).filter(([each]) => each !== name)
  expect(outcomeOf(await post([...rest, [name, value], [name, value]]))).toEqual([
    400,
    {
      code: 'invalid_request',
      message: 'A parameter was sent more than once.',
      fields: { [name]: 'Must be sent only once.' },
    },
  ])
  expect((await post([...Object.entries(sent), ['foo', '1'], ['foo', '2']])).status).toBe(200)
})

test.each([
  ['a wrong secret', { client_secret: 'f'.repeat(64) }],
  ['an unknown client', { client_id: '0199aaaa-0000-7000-8000-000000000000' }],
  ['an invalid client id', { client_id: "' or 1=1 --" }],
  ['a secret with a null character', { client_secret: '\u0000' }],
])('rejects %s without using the code', async (_, more: Readonly<Record<string, string>>) => {
  const { service, acme } = await openTestService()
  const code = await obtainCode(service, acme)
  const response = await exchangeCode(service, { ...acme, ...more }, code)
  expect([...outcomeOf(response), response.headers.get('WWW-Authenticate')]).toEqual([
    401,
    INVALID_CLIENT,
    'Bearer',
  ])
  expect((await exchangeCode(service, acme, code)).status).toBe(200)
})

test('accepts HTTP Basic with form-urlencoded credentials', async () => {
  const { service, acme, post } = await openTestService()
  const code = await obtainCode(service, acme)
  const sent = { grant_type: 'authorization_code', code }
  expect((await post(sent, { Authorization: basicHeader(acme) })).status).toBe(200)
  const { refresh_token } = await obtainTokens(service, acme)
  const encoded = `${acme.client_id.replaceAll('-', '%2D')}:${acme.client_secret}`
  const Authorization = `bAsIc  ${Buffer.from(encoded).toString('base64')}`
  expect(
    (await post({ grant_type: 'refresh_token', refresh_token, client_id: acme.client_id }, { Authorization }))
      .status,
  ).toBe(200)
})

test('rejects two authentication methods in one request', async () => {
  const { service, acme, post } = await openTestService()
  const { client_id, client_secret } = acme
  const sent = { grant_type: 'authorization_code', code: await obtainCode(service, acme) }
  const headers = { Authorization: basicHeader(acme) }
  expect(outcomeOf(await post({ ...sent, client_id, client_secret }, headers))).toEqual([
    400,
    {
      code: 'invalid_request',
      message: TWO_METHODS,
      fields: { client_secret: 'Must not be sent beside HTTP Basic.' },
    },
  ])
  const other = await createOtherApp(service)
  expect(outcomeOf(await post({ ...sent, client_id: other.client_id }, headers))).toEqual([
    400,
    {
      code: 'invalid_request',
      message: TWO_METHODS,
      fields: { client_id: 'Must be that of HTTP Basic, or left out.' },
    },
  ])
  expect((await post(sent, headers)).status).toBe(200)
})

test('reports failed HTTP Basic authentication with a Basic challenge', async () => {
  const { service, acme, post } = await openTestService()
  const sent = { grant_type: 'authorization_code', code: await obtainCode(service, acme) }
  const message =
    'The Authorization header must be Basic with client_id and client_secret, each form-urlencoded.'
  const encoded = (text: string | Uint8Array) => `Basic ${Buffer.from(text).toString('base64')}`
  const wrong = await post(sent, { Authorization: basicHeader({ ...acme, client_secret: 'wrong' }) })
  expect([...outcomeOf(wrong), wrong.headers.get('WWW-Authenticate')]).toEqual([
    401,
    INVALID_CLIENT,
    'Basic realm="Sales CRM", charset="UTF-8"',
  ])
  for (const Authorization of [
    'Basic',
    'Basic ',
    'Basic ???',
    'Basic a:b',
    encoded(''),
    encoded('no colon'),
    encoded(':secret'),
    encoded('%zz:secret'),
    encoded(`${acme.client_id}:%ff`),
    encoded(Uint8Array.of(0xff, 0x3a, 0xff)),
  ]) {
    const response = await post(sent, { Authorization })
    expect([Authorization, ...outcomeOf(response), response.headers.get('WWW-Authenticate')]).toEqual([
      Authorization,
      401,
      { code: 'invalid_client', message },
      'Basic realm="Sales CRM", charset="UTF-8"',
    ])
  }
  expect((await post(sent, { Authorization: basicHeader(acme) })).status).toBe(200)
})

test('ignores credentials in the query string', async () => {
  const { service, acme, app } = await openTestService()
  const sent = new URLSearchParams({
    grant_type: 'authorization_code',
    code: await obtainCode(service, acme),
  })
  const { client_id, client_secret } = acme
  const response = await postForm(
    app,
    `/oauth/token?${new URLSearchParams({ client_id, client_secret })}`,
    Object.fromEntries(sent),
  )
  expect(errorOf(response)['fields']).toEqual({ client_id: 'Required.', client_secret: 'Required.' })
  expect(
    (
      await postForm(app, '/oauth/token?code=x&code=y', {
        ...Object.fromEntries(sent),
        client_id,
        client_secret,
      })
    ).status,
  ).toBe(200)
})

test.each([
  ['application/json', '{"grant_type":"refresh_token"}'],
  ['text/plain', 'grant_type=refresh_token'],
  ['multipart/form-data; boundary=x', '--x--'],
  ['application/x-www-form-urlencoded; charset=latin1', 'grant_type=refresh_token'],
])('rejects a token request with %s', async (type, body) => {
  const { app } = await openTestService()
  const response = await sendRequest(app, 'POST', '/oauth/token', body, { headers: { 'Content-Type': type } })
  expect(outcomeOf(response)).toEqual([
    400,
    { code: 'invalid_request', message: 'Request body must be application/x-www-form-urlencoded.' },
  ])
})

test('answers any form with a defined error', async () => {
  const { app } = await openTestService()
  const headers = { 'Content-Type': 'Application/X-WWW-Form-URLencoded ; charset="UTF-8"' }
  const post = (body: string | Uint8Array) => sendRequest(app, 'POST', '/oauth/token', body, { headers })
  const encoding = { code: 'invalid_request', message: 'The request is malformed.' }
  expect(outcomeOf(await post('grant_type=%'))).toEqual([
    400,
    { ...encoding, fields: { grant_type: 'Must be percent-encoded UTF-8.' } },
  ])
  expect(outcomeOf(await post('__proto__=%ff'))[0]).toBe(400)
  expect(outcomeOf(await post(Uint8Array.of(0x61, 0x3d, 0xff)))).toEqual([
    400,
    { code: 'invalid_request', message: 'Request body must be UTF-8.' },
  ])
  expect(outcomeOf(await post('a=1&'.repeat(1001)))).toEqual([
    400,
    { code: 'invalid_request', message: 'The request holds too many parameters.' },
  ])
  for (const body of [
    '',
    '&&&',
    '=',
    '=x',
    'grant_type',
    'grant_type=',
    '__proto__=grant_type',
    'a=1&'.repeat(999),
    'constructor=x',
  ]) {
    expect(outcomeOf(await post(body))).toEqual([400, { ...REQUIRED, fields: { grant_type: 'Required.' } }])
  }
  const large = await post(`code=${'x'.repeat(1_048_576)}`)
  expect([...outcomeOf(large), large.headers.get('Connection')]).toEqual([
    400,
    { code: 'bad_request', message: 'Request body is too large.' },
    'close',
  ])
})

test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
  'answers 404 to %s and names POST',
  async (method) => {
    const { app } = await openTestService()
    const responses = [
      await sendRequest(app, method, '/oauth/token'),
      await sendRequest(app, method, '/oauth/revoke'),
    ]
    expect(responses.map(outcomeOf)).toEqual(
      Array(2).fill([
        404,
        { code: 'not_found', message: 'Route not found.', fields: { method: 'Must be one of: POST.' } },
      ]),
    )
    for (const { headers } of responses) expect(headers.get('Allow')).toBe('POST')
  },
)

test.each([
  '',
  'crm_ac_',
  `crm_ac_${'0'.repeat(96)}`,
  'crm_rt_',
  `crm_rt_${'f'.repeat(128)}`,
  '\u0000',
  'é'.repeat(9000),
  '../../x',
])('rejects an invalid code or refresh token: %j', async (text) => {
  const { service, acme } = await openTestService()
  for (const response of [
    await exchangeCode(service, acme, text),
    await refreshTokens(service, acme, text),
  ]) {
    expect([response.status, errorOf(response)['code']]).toEqual([
      400,
      text === '' ? 'invalid_request' : 'invalid_grant',
    ])
  }
})
