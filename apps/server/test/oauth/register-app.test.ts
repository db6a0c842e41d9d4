import { randomUUID } from 'node:crypto'
import type { OutgoingMail } from '@sales-crm/core'
import { expect, test } from 'vitest'
import {
  authorizationParameters,
  authorize,
  exchangeCode,
  obtainCode,
  obtainTokens,
  refreshTokens,
  statusWithToken,
} from '../support/oauth-requests.ts'
import { queuedMailTo } from '../support/queued-mail.ts'
import { describeEachStore } from '../support/stores.ts'
import {
  errorOf,
  openService,
  openWorkspace,
  type Service,
  sendRequest,
  type TestResponse,
} from '../support/test-service.ts'

const INVALID_CLIENT = {
  code: 'invalid_client',
  message: 'The client does not exist, is not active, or its credentials are wrong.',
}
const NO_APP = { code: 'invalid_client', message: 'There is no app with this client_id and e-mail.' }

function outcomeOf(response: TestResponse) {
  return [response.status, errorOf(response)]
}

function register(
  { app }: Pick<Service, 'app'>,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestResponse> {
  return sendRequest(app, 'POST', '/v1/auth/register-app', body, { headers })
}

function rotate({ app }: Pick<Service, 'app'>, body: unknown): Promise<TestResponse> {
  return sendRequest(app, 'POST', '/v1/auth/rotate-app', body)
}

function newApp() {
  const email = `dev@${randomUUID()}.example`
  return {
    name: 'Feira',
    email,
    redirect_uris: ['https://app.example/cb'],
    scopes: ['people:read', 'tasks:write'],
  }
}

function linkTokenIn(mail: OutgoingMail | undefined): string {
  return mail && 'link' in mail ? (mail.link.split('/credentials/')[1] ?? '') : ''
}

describeEachStore('app registration', (open) => {
  test('returns no secret, mails a link to it, and activates the app when the secret is issued', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const newAppFields = newApp()
    const response = await register(service, newAppFields, { 'Accept-Language': 'pt-BR,pt;q=0.9' })
    expect([response.status, response.json]).toEqual([
      201,
      {
        data: {
          client_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          ...newAppFields,
          created_at: '2026-03-01T12:00:00.000Z',
        },
      },
    ])
    const { client_id } = (response.json as { data: { client_id: string } }).data
    const credentials = { ...acme, client_id }
    expect((await authorize(service.app, authorizationParameters(credentials))).status).toBe(401)

    const [mail, ...others] = await queuedMailTo(service, newAppFields.email)
    expect([mail, others]).toMatchObject([
      { kind: 'app_registered', language: 'pt-BR', address: 'local', client_id },
      [],
    ])
    const issued = await service.crm.oauth.issueSecret(linkTokenIn(mail))
    const { access_token } = await obtainTokens(service, {
      ...credentials,
      client_secret: issued?.client_secret ?? '',
    })
    expect(await statusWithToken(service, access_token)).toBe(200)
  })

  test('answers alike for a known email address', async () => {
    const service = await openService(await open())
    const newAppFields = newApp()
    const responses = [await register(service, newAppFields), await register(service, newAppFields)]
    expect(
      responses.map(({ status, json }) => [status, Object.keys((json as { data: object }).data)]),
    ).toEqual(Array(2).fill([201, ['client_id', 'name', 'email', 'redirect_uris', 'scopes', 'created_at']]))
  })

  test('rotation invalidates the secret and keeps the tokens', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const { refresh_token, access_token } = await obtainTokens(service, acme)
    const code = await obtainCode(service, acme)
    const { status, json } = await rotate(service, {
      client_id: acme.client_id,
      email: acme.owner.email.toUpperCase(),
    })
    expect([status, json]).toEqual([200, { data: { client_id: acme.client_id } }])
    expect(outcomeOf(await exchangeCode(service, acme, code))).toEqual([401, INVALID_CLIENT])
    expect(await statusWithToken(service, access_token)).toBe(200)
    const [mail] = await queuedMailTo(service, acme.owner.email)
    expect(mail?.kind).toBe('app_rotated')
    const issued = await service.crm.oauth.issueSecret(linkTokenIn(mail))
    const renewed = { ...acme, client_secret: issued?.client_secret ?? '' }
    expect((await exchangeCode(service, renewed, code)).status).toBe(200)
    expect((await refreshTokens(service, renewed, refresh_token)).status).toBe(200)
  })

  test('is limited to three mails an hour per address', async () => {
    const service = await openService(await open())
    const newAppFields = newApp()
    for (let times = 0; times < 3; times += 1)
      expect((await register(service, newAppFields)).status).toBe(201)
    const rejected = await register(service, { ...newAppFields, email: newAppFields.email.toUpperCase() })
    const headers = ['Retry-After', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'].map(
      (name) => rejected.headers.get(name),
    )
    expect([...outcomeOf(rejected), ...headers]).toEqual([
      429,
      { code: 'rate_limit_exceeded', message: 'Rate limit exceeded. Try again in 3600 seconds.' },
      ...['3600', '3', '0', String(Date.parse('2026-03-01T13:00:00Z') / 1000)],
    ])
    service.advanceClock(3_600_000)
    expect((await register(service, newAppFields)).status).toBe(201)
  })

  test('has no limit if the rate limit is disabled', async () => {
    const service = await openService(await open(), { limits: { REGISTER: 0 } })
    const newAppFields = newApp()
    for (let times = 0; times < 5; times += 1)
      expect((await register(service, newAppFields)).status).toBe(201)
    const { client_id } = ((await register(service, newAppFields)).json as { data: { client_id: string } })
      .data
    for (let times = 0; times < 22; times += 1) {
      const { status, headers } = await rotate(service, { client_id, email: newAppFields.email })
      expect([status, headers.get('X-RateLimit-Limit')]).toEqual([200, null])
    }
  })

  test.each([
    ['an empty body', {}, ['name', 'email', 'redirect_uris', 'scopes']],
    ['an unknown field', { ...newApp(), colour: 'red' }, ['colour']],
    ['an unknown scope', { ...newApp(), scopes: ['people:read', 'admin'] }, ['scopes[1]']],
    ['no scopes', { ...newApp(), scopes: [] }, ['scopes']],
    ['a name without characters', { ...newApp(), name: ' ' }, ['name']],
    ['a name over 80 characters', { ...newApp(), name: 'x'.repeat(81) }, ['name']],
    ['a name that reads as an address', { ...newApp(), name: 'w\u200bww.evil.example' }, ['name']],
    ['a scope named twice', { ...newApp(), scopes: ['people:read', 'people:read'] }, ['scopes']],
    [
      'an address with a header injection',
      { ...newApp(), email: 'a@b.example\r\nBcc: x@y.example' },
      ['email'],
    ],
    ['an address with a comment', { ...newApp(), email: 'user@good.example(x)evil.example' }, ['email']],
    ['an address that is two', { ...newApp(), email: '"x" <a@b.example>' }, ['email']],
    [
      'text that no database takes',
      { ...newApp(), name: 'a\u0000', email: '\ud800@b.example' },
      ['name', 'email'],
    ],
    ['an http address', { ...newApp(), redirect_uris: ['http://evil.example/cb'] }, ['redirect_uris[0]']],
    [
      'a script',
      { ...newApp(), redirect_uris: ['https://a.example', 'javascript:alert(1)'] },
      ['redirect_uris[1]'],
    ],
    ['data', { ...newApp(), redirect_uris: ['data:text/html,x'] }, ['redirect_uris[0]']],
    ['a fragment', { ...newApp(), redirect_uris: ['https://a.example/#f'] }, ['redirect_uris[0]']],
    [
      'eleven addresses',
      { ...newApp(), redirect_uris: Array(11).fill('https://a.example') },
      ['redirect_uris'],
    ],
    [
      'things of another type',
      { name: 1, email: [], redirect_uris: 'x', scopes: {} },
      ['name', 'email', 'redirect_uris', 'scopes'],
    ],
  ])('rejects %s', async (_, body, names) => {
    const response = await register(await openService(await open()), body)
    const { code, fields } = errorOf(response)
    expect([response.status, code, Object.keys(fields ?? {}).sort()]).toEqual([
      400,
      'invalid_request',
      names.sort(),
    ])
  })

  test('rotation requires the email address of the app', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const code = await obtainCode(service, acme)
    for (const [client_id, email] of [
      [acme.client_id, 'other@acme.example'],
      ['0199aaaa-0000-7000-8000-000000000000', acme.owner.email],
      ['no uuid\u0000', acme.owner.email],
    ]) {
      const response = await rotate(service, { client_id, email })
      expect([...outcomeOf(response), response.headers.get('WWW-Authenticate')]).toEqual([
        401,
        NO_APP,
        'Bearer',
      ])
    }
    for (const [body, names] of [
      [{}, ['client_id', 'email']],
      [{ client_id: 1, email: 'x' }, ['client_id', 'email']],
      [{ client_id: acme.client_id, email: acme.owner.email, x: 1 }, ['x']],
    ] as const) {
      const response = await rotate(service, body)
      const { code, fields } = errorOf(response)
      expect([response.status, code, Object.keys(fields ?? {})]).toEqual([400, 'invalid_request', names])
    }
    expect((await exchangeCode(service, acme, code)).status).toBe(200)
  })

  test('accepts only a JSON object', async () => {
    const service = await openService(await open())
    for (const path of ['/v1/auth/register-app', '/v1/auth/rotate-app']) {
      for (const [body, message] of [
        ['{', 'Request body must be valid JSON.'],
        ['[]', 'Request body must be a JSON object.'],
        [`${'{"a":'.repeat(65)}1${'}'.repeat(65)}`, 'Request body is nested too deeply.'],
        [`{"a":[${'1,'.repeat(999)}1]}`, 'Request body holds too many values.'],
      ]) {
        expect(outcomeOf(await sendRequest(service.app, 'POST', path, body))).toEqual([
          400,
          { code: 'invalid_request', message },
        ])
      }
      const form = await sendRequest(service.app, 'POST', path, 'a=b', {
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      })
      expect(outcomeOf(form)).toEqual([
        400,
        { code: 'invalid_request', message: 'Request body must be valid JSON.' },
      ])
      const large = await sendRequest(service.app, 'POST', path, `{"name":"${'x'.repeat(1_048_576)}"}`)
      expect([...outcomeOf(large), large.headers.get('Connection')]).toEqual([
        400,
        { code: 'bad_request', message: 'Request body is too large.' },
        'close',
      ])
    }
  })
})
