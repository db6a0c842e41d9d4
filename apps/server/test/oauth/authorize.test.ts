import { memoryStorage } from '@sales-crm/core/memory'
import { expect, test } from 'vitest'
import {
  authorizationParameters,
  authorize,
  type Fields,
  obtainCode,
  REDIRECT_URI,
} from '../support/oauth-requests.ts'
import { describeEachStore } from '../support/stores.ts'
import {
  errorOf,
  openService,
  openWorkspace,
  sendRequest,
  type TestResponse,
} from '../support/test-service.ts'

const UNKNOWN_ID = '0199aaaa-0000-7000-8000-000000000000'
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
const UNREGISTERED = {
  code: 'invalid_request',
  message: 'The redirect_uri is not registered for the app.',
  fields: { redirect_uri: 'Must be one of the registered redirect URIs, to the letter.' },
}

async function openTestService(issuer?: string) {
  const service = await openService(memoryStorage(), issuer === undefined ? {} : { issuer })
  const acme = await openWorkspace(service)
  return { ...service, acme, sendAuthorization: (fields: Fields) => authorize(service.app, fields) }
}

/** Neither redirects the browser nor allows cross-origin reads. */
function hasNoRedirect({ headers }: Pick<TestResponse, 'headers'>): boolean {
  return ![...headers.keys()].some(
    (name) => name === 'location' || name === 'refresh' || name.startsWith('access-control-'),
  )
}

test.each([
  'https://app.example/cb/',
  'https://app.example/cb?x=1',
  'https://app.example/cb?',
  'https://app.example/cb#f',
  'https://app.example/cb#',
  'https://APP.example/cb',
  'HTTPS://app.example/cb',
  'https://app.example:443/cb',
  'https://app.example/%63b',
  'https://app.example/x/../cb',
  'https://app.example/./cb',
  'https://app.example//cb',
  '//evil.example/cb',
  'https://evil.example//app.example/cb',
  'https://app.example@evil.example/cb',
  'https://evil.example/@app.example/cb',
  'https://user@app.example/cb',
  'https://app.example\\@evil.example/cb',
  'https:\\\\app.example\\cb',
  'https://app.example./cb',
  'https://app.example.evil.example/cb',
  'https://аpp.example/cb',
  'https://app。example/cb',
  ' https://app.example/cb',
  'https://app.example/cb\n',
  'https://app.example/cb\u0000',
  'http://app.example/cb',
  'javascript:alert(1)',
  'data:text/html,x',
  'cb',
])('rejects a redirect URI that differs from the registered one: %j', async (redirect_uri) => {
  const { acme, sendAuthorization } = await openTestService()
  const response = await sendAuthorization({ ...authorizationParameters(acme), redirect_uri })
  expect([response.status, errorOf(response), hasNoRedirect(response)]).toEqual([400, UNREGISTERED, true])
})

test.each([
  ['a missing client', { client_id: '' }, 400, 'invalid_request', { client_id: 'Required.' }],
  ['an unknown client', { client_id: UNKNOWN_ID }, 401, 'invalid_client', undefined],
  ['an invalid client id', { client_id: "x' or 1=1 --\u0000" }, 401, 'invalid_client', undefined],
  ['a missing redirect URI', { redirect_uri: '' }, 400, 'invalid_request', { redirect_uri: 'Required.' }],
  ['a missing response type', { response_type: '' }, 400, 'invalid_request', { response_type: 'Required.' }],
  [
    'the response type token',
    { response_type: 'token' },
    400,
    'unsupported_response_type',
    { response_type: 'Must be code.' },
  ],
  [
    'two response types',
    { response_type: 'code token' },
    400,
    'unsupported_response_type',
    { response_type: 'Must be code.' },
  ],
  [
    'an unknown scope',
    { scope: 'people:read admin' },
    400,
    'invalid_request',
    { scope: 'Must be scopes of the app, separated by spaces.' },
  ],
  [
    'a plain challenge',
    { code_challenge: CHALLENGE, code_challenge_method: 'plain' },
    400,
    'invalid_request',
    { code_challenge_method: 'Must be S256.' },
  ],
  [
    'a challenge without a method',
    { code_challenge: CHALLENGE },
    400,
    'invalid_request',
    { code_challenge_method: 'Must be S256.' },
  ],
  [
    'a method without a challenge',
    { code_challenge_method: 'S256' },
    400,
    'invalid_request',
    { code_challenge: 'Required with a code_challenge_method.' },
  ],
  [
    'an invalid challenge',
    { code_challenge: 'short', code_challenge_method: 'S256' },
    400,
    'invalid_request',
    { code_challenge: 'Must be 43 characters of Base64url.' },
  ],
  [
    'a state that is too long',
    { state: 'x'.repeat(4097) },
    400,
    'invalid_request',
    { state: 'Must be text of at most 4096 characters once it is percent-encoded.' },
  ],
])(
  'rejects %s without a redirect',
  async (_, more: Readonly<Record<string, string>>, status, code, fields) => {
    const { acme, sendAuthorization } = await openTestService()
    const response = await sendAuthorization({ ...authorizationParameters(acme), ...more })
    const { message: _message, ...error } = errorOf(response)
    expect([response.status, error, hasNoRedirect(response)]).toEqual([
      status,
      { code, ...(fields && { fields }) },
      true,
    ])
    expect(response.headers.get('WWW-Authenticate')).toBe(status === 401 ? 'Bearer' : null)
  },
)

test('rejects an app that is not active yet', async () => {
  const { app, sendAuthorization } = await openTestService()
  const body = {
    name: 'New',
    email: 'dev@new.example',
    redirect_uris: [REDIRECT_URI],
    scopes: ['people:read'],
  }
  const { data } = (await sendRequest(app, 'POST', '/v1/auth/register-app', body)).json as {
    data: { client_id: string }
  }
  const response = await sendAuthorization(authorizationParameters(data))
  expect([response.status, errorOf(response)['code'], hasNoRedirect(response)]).toEqual([
    401,
    'invalid_client',
    true,
  ])
})

test('rejects a repeated known parameter and ignores unknown ones', async () => {
  const { acme, sendAuthorization } = await openTestService()
  const fields = Object.entries(authorizationParameters(acme))
  for (const name of [
    'client_id',
    'redirect_uri',
    'response_type',
    'state',
    'scope',
    'code_challenge',
    'code_challenge_method',
  ]) {
    const value = new Map(fields).get(name) ?? 'x'
    const response = await sendAuthorization([
      ...fields.filter(([each]) => each !== name),
      [name, value],
      [name, value],
    ])
    expect([response.status, errorOf(response), hasNoRedirect(response)]).toEqual([
      400,
      {
        code: 'invalid_request',
        message: 'A parameter was sent more than once.',
        fields: { [name]: 'Must be sent only once.' },
      },
      true,
    ])
  }
  expect(
    (await sendAuthorization([...fields, ['foo', '1'], ['foo', '2'], ['__proto__', 'x'], ['toString', 'x']]))
      .status,
  ).toBe(303)
})

test('an empty parameter counts as omitted', async () => {
  const { acme, sendAuthorization } = await openTestService()
  const empty = { state: '', scope: '', code_challenge: '', code_challenge_method: '' }
  expect((await sendAuthorization({ ...authorizationParameters(acme), ...empty })).status).toBe(303)
})

test('rejects invalid percent-encoding', async () => {
  const { app, acme } = await openTestService()
  const query = new URLSearchParams(authorizationParameters(acme)).toString()
  for (const [invalid, name] of [
    ['state=%ff', 'state'],
    ['state=%', 'state'],
    ['state=%zz', 'state'],
    ['state=%ED%A0%80', 'state'],
    ['%c0%80=x', '%c0%80'],
  ]) {
    const response = await app.request(`/oauth/authorize?${query}&${invalid}`)
    const { error } = (await response.json()) as { error: object }
    expect([response.status, error, hasNoRedirect(response)]).toEqual([
      400,
      {
        code: 'invalid_request',
        message: 'The request is malformed.',
        request_id: response.headers.get('X-Request-ID'),
        fields: { [name!]: 'Must be percent-encoded UTF-8.' },
      },
      true,
    ])
  }
})

test('answers with a page if the client accepts HTML, and with JSON otherwise', async () => {
  const { app, acme } = await openTestService()
  const path = `/oauth/authorize?${new URLSearchParams({ ...authorizationParameters(acme), redirect_uri: 'https://evil.example/"><b>x' })}`
  const headersOf = (accept: string) => ({ headers: { Accept: accept, Origin: 'https://evil.example' } })
  for (const accept of [
    'text/html',
    'text/html,application/xhtml+xml,*/*;q=0.8',
    'application/json;q=0.9, TEXT/HTML ;q=0.1',
  ]) {
    const page = await app.request(path, headersOf(accept))
    const text = await page.text()
    expect([page.status, page.headers.get('Content-Type'), hasNoRedirect(page)]).toEqual([
      400,
      'text/html; charset=utf-8',
      true,
    ])
    expect(text).toContain(page.headers.get('X-Request-ID'))
    expect(text).not.toMatch(/<b>x|evil\.example|http-equiv|<script/i)
  }
  for (const accept of [
    '*/*',
    'application/json',
    'text/*',
    'text/html;q=0, */*',
    'text/html;q=0.000',
    'xtext/html',
    '',
  ]) {
    const response = await app.request(path, headersOf(accept))
    expect([accept, response.headers.get('Content-Type')]).toEqual([
      accept,
      'application/json; charset=utf-8',
    ])
  }
})

test('error pages have strict security headers and the language of the user', async () => {
  const { app } = await openTestService()
  const page = await app.request('/oauth/authorize', {
    headers: { Accept: 'text/html', 'Accept-Language': 'pt-BR' },
  })
  expect(Object.fromEntries(page.headers)).toMatchObject({
    'cache-control': 'no-store',
    'content-language': 'pt-BR',
    'content-security-policy':
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'x-ratelimit-limit': '1000',
    'x-robots-tag': 'noindex',
  })
  expect(await page.text()).toContain('lang="pt-BR"')
})

test('an error page for an unknown client has status 401', async () => {
  const { app, acme } = await openTestService()
  const path = `/oauth/authorize?${new URLSearchParams({ ...authorizationParameters(acme), client_id: UNKNOWN_ID })}`
  const page = await app.request(path, { headers: { Accept: 'text/html' } })
  expect([page.status, page.headers.get('WWW-Authenticate'), hasNoRedirect(page)]).toEqual([
    401,
    'Bearer',
    true,
  ])
})

test('the consent page is below the path of the issuer', async () => {
  const { acme, sendAuthorization } = await openTestService('https://crm.example/sales')
  expect((await sendAuthorization(authorizationParameters(acme))).headers.get('Location')).toMatch(
    /^\/sales\/oauth\/consent\?request=/,
  )
})

describeEachStore('the state parameter', (openStore) => {
  test.each([
    'plain',
    'a b+c&d=e%f#g?h/i',
    'ação 🎉 \u202e',
    '\u0000',
    '\r\nSet-Cookie: x=1',
    '%ff',
    'x'.repeat(4096),
  ])('is returned unchanged: %j', async (state) => {
    const service = await openService(await openStore())
    const acme = await openWorkspace(service)
    const { headers } = await authorize(service.app, authorizationParameters(acme, { state }))
    const request = new URLSearchParams(headers.get('Location')?.split('?')[1]).get('request')
    const redirect = new URL((await service.crm.oauth.deny(request!))!)
    expect(Object.fromEntries(redirect.searchParams)).toEqual({
      error: 'access_denied',
      state,
      iss: 'http://127.0.0.1:3000',
    })
    expect(await obtainCode(service, acme, { state })).toMatch(/^crm_ac_/)
  })
})
