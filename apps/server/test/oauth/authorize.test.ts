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

const NOBODY = '0199aaaa-0000-7000-8000-000000000000'
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
const UNREGISTERED = {
  code: 'invalid_request',
  message: 'The redirect_uri is not registered for the app.',
  fields: { redirect_uri: 'Must be one of the registered redirect URIs, to the letter.' },
}

async function openTestService(issuer?: string) {
  const service = await openService(memoryStorage(), issuer === undefined ? {} : { issuer })
  const acme = await openWorkspace(service)
  return { ...service, acme, ask: (fields: Fields) => authorize(service.app, fields) }
}

/** Neither sends a browser on, nor lets a script read it. */
function staysHere({ headers }: Pick<TestResponse, 'headers'>): boolean {
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
])('a redirect URI that is not the registered one to the letter leads nowhere: %j', async (redirect_uri) => {
  const { acme, ask } = await openTestService()
  const answer = await ask({ ...authorizationParameters(acme), redirect_uri })
  expect([answer.status, errorOf(answer), staysHere(answer)]).toEqual([400, UNREGISTERED, true])
})

test.each([
  ['no client', { client_id: '' }, 400, 'invalid_request', { client_id: 'Required.' }],
  ['an unknown client', { client_id: NOBODY }, 401, 'invalid_client', undefined],
  ['a client that is no UUID', { client_id: "x' or 1=1 --\u0000" }, 401, 'invalid_client', undefined],
  ['no redirect URI', { redirect_uri: '' }, 400, 'invalid_request', { redirect_uri: 'Required.' }],
  ['no response type', { response_type: '' }, 400, 'invalid_request', { response_type: 'Required.' }],
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
    'a challenge that is none',
    { code_challenge: 'short', code_challenge_method: 'S256' },
    400,
    'invalid_request',
    { code_challenge: 'Must be 43 characters of Base64url.' },
  ],
  [
    'a state without end',
    { state: 'x'.repeat(4097) },
    400,
    'invalid_request',
    { state: 'Must be text of at most 4096 characters once it is percent-encoded.' },
  ],
])(
  '%s is told at once, and leads nowhere',
  async (_, more: Readonly<Record<string, string>>, status, code, fields) => {
    const { acme, ask } = await openTestService()
    const answer = await ask({ ...authorizationParameters(acme), ...more })
    const { message: _message, ...told } = errorOf(answer)
    expect([answer.status, told, staysHere(answer)]).toEqual([
      status,
      { code, ...(fields && { fields }) },
      true,
    ])
    expect(answer.headers.get('WWW-Authenticate')).toBe(status === 401 ? 'Bearer' : null)
  },
)

test('an app that is not active yet is no client', async () => {
  const { app, ask } = await openTestService()
  const body = {
    name: 'New',
    email: 'dev@new.example',
    redirect_uris: [REDIRECT_URI],
    scopes: ['people:read'],
  }
  const { data } = (await sendRequest(app, 'POST', '/v1/auth/register-app', body)).json as {
    data: { client_id: string }
  }
  const answer = await ask(authorizationParameters(data))
  expect([answer.status, errorOf(answer)['code'], staysHere(answer)]).toEqual([401, 'invalid_client', true])
})

test('a parameter that is sent twice is refused, one that nobody knows is not', async () => {
  const { acme, ask } = await openTestService()
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
    const answer = await ask([...fields.filter(([each]) => each !== name), [name, value], [name, value]])
    expect([answer.status, errorOf(answer), staysHere(answer)]).toEqual([
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
    (await ask([...fields, ['foo', '1'], ['foo', '2'], ['__proto__', 'x'], ['toString', 'x']])).status,
  ).toBe(303)
})

test('a parameter without a value counts as left out', async () => {
  const { acme, ask } = await openTestService()
  const empty = { state: '', scope: '', code_challenge: '', code_challenge_method: '' }
  expect((await ask({ ...authorizationParameters(acme), ...empty })).status).toBe(303)
})

test('what is no percent-encoded text is refused, and never put right in silence', async () => {
  const { app, acme } = await openTestService()
  const query = new URLSearchParams(authorizationParameters(acme)).toString()
  for (const [bad, name] of [
    ['state=%ff', 'state'],
    ['state=%', 'state'],
    ['state=%zz', 'state'],
    ['state=%ED%A0%80', 'state'],
    ['%c0%80=x', '%c0%80'],
  ]) {
    const answer = await app.request(`/oauth/authorize?${query}&${bad}`)
    const { error } = (await answer.json()) as { error: object }
    expect([answer.status, error, staysHere(answer)]).toEqual([
      400,
      {
        code: 'invalid_request',
        message: 'The request is malformed.',
        request_id: answer.headers.get('X-Request-ID'),
        fields: { [name!]: 'Must be percent-encoded UTF-8.' },
      },
      true,
    ])
  }
})

test('a browser is shown a page, anything else the error object', async () => {
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
    expect([page.status, page.headers.get('Content-Type'), staysHere(page)]).toEqual([
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
    const answer = await app.request(path, headersOf(accept))
    expect([accept, answer.headers.get('Content-Type')]).toEqual([accept, 'application/json; charset=utf-8'])
  }
})

test('a page of an error is framed by nobody, runs nothing, and tells nobody where it was', async () => {
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

test('an unknown client is told with 401 on a page too', async () => {
  const { app, acme } = await openTestService()
  const path = `/oauth/authorize?${new URLSearchParams({ ...authorizationParameters(acme), client_id: NOBODY })}`
  const page = await app.request(path, { headers: { Accept: 'text/html' } })
  expect([page.status, page.headers.get('WWW-Authenticate'), staysHere(page)]).toEqual([401, 'Bearer', true])
})

test('under an address with a path, the consent page is looked for below it', async () => {
  const { acme, ask } = await openTestService('https://crm.example/sales')
  expect((await ask(authorizationParameters(acme))).headers.get('Location')).toMatch(
    /^\/sales\/oauth\/consent\?request=/,
  )
})

describeEachStore('a state', (openStore) => {
  test.each([
    'plain',
    'a b+c&d=e%f#g?h/i',
    'ação 🎉 \u202e',
    '\u0000',
    '\r\nSet-Cookie: x=1',
    '%ff',
    'x'.repeat(4096),
  ])('comes back as it was sent: %j', async (state) => {
    const service = await openService(await openStore())
    const acme = await openWorkspace(service)
    const { headers } = await authorize(service.app, authorizationParameters(acme, { state }))
    const request = new URLSearchParams(headers.get('Location')?.split('?')[1]).get('request')
    const leadsTo = new URL((await service.crm.oauth.deny(request!))!)
    expect(Object.fromEntries(leadsTo.searchParams)).toEqual({
      error: 'access_denied',
      state,
      iss: 'http://127.0.0.1:3000',
    })
    expect(await obtainCode(service, acme, { state })).toMatch(/^crm_ac_/)
  })
})
