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

const BAD_CLIENT = {
  code: 'invalid_client',
  message: 'The client does not exist, is not active, or its credentials are wrong.',
}
const NO_APP = { code: 'invalid_client', message: 'There is no app with this client_id and e-mail.' }

function outcomeOf(answer: TestResponse) {
  return [answer.status, errorOf(answer)]
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

function linkTokenIn(letter: OutgoingMail | undefined): string {
  return letter && 'link' in letter ? (letter.link.split('/credentials/')[1] ?? '') : ''
}

describeEachStore('an app that registers itself', (open) => {
  test('is answered without its secret, gets it by mail, and works only then', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const sent = newApp()
    const answer = await register(service, sent, { 'Accept-Language': 'pt-BR,pt;q=0.9' })
    expect([answer.status, answer.json]).toEqual([
      201,
      {
        data: {
          client_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          ...sent,
          created_at: '2026-03-01T12:00:00.000Z',
        },
      },
    ])
    const { client_id } = (answer.json as { data: { client_id: string } }).data
    const its = { ...acme, client_id }
    expect((await authorize(service.app, authorizationParameters(its))).status).toBe(401)

    const [letter, ...others] = await queuedMailTo(service, sent.email)
    expect([letter, others]).toMatchObject([
      { kind: 'app_registered', language: 'pt-BR', address: 'local', client_id },
      [],
    ])
    const taken = await service.crm.oauth.issueSecret(linkTokenIn(letter))
    const { access_token } = await obtainTokens(service, {
      ...its,
      client_secret: taken?.client_secret ?? '',
    })
    expect(await statusWithToken(service, access_token)).toBe(200)
  })

  test('is answered alike when its address is known', async () => {
    const service = await openService(await open())
    const sent = newApp()
    const answers = [await register(service, sent), await register(service, sent)]
    expect(answers.map(({ status, json }) => [status, Object.keys((json as { data: object }).data)])).toEqual(
      Array(2).fill([201, ['client_id', 'name', 'email', 'redirect_uris', 'scopes', 'created_at']]),
    )
  })

  test('loses its secret with the call that rotates it, and keeps its tokens', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const { refresh_token, access_token } = await obtainTokens(service, acme)
    const code = await obtainCode(service, acme)
    const { status, json } = await rotate(service, {
      client_id: acme.client_id,
      email: acme.owner.email.toUpperCase(),
    })
    expect([status, json]).toEqual([200, { data: { client_id: acme.client_id } }])
    expect(outcomeOf(await exchangeCode(service, acme, code))).toEqual([401, BAD_CLIENT])
    expect(await statusWithToken(service, access_token)).toBe(200)
    const [letter] = await queuedMailTo(service, acme.owner.email)
    expect(letter?.kind).toBe('app_rotated')
    const taken = await service.crm.oauth.issueSecret(linkTokenIn(letter))
    const renewed = { ...acme, client_secret: taken?.client_secret ?? '' }
    expect((await exchangeCode(service, renewed, code)).status).toBe(200)
    expect((await refreshTokens(service, renewed, refresh_token)).status).toBe(200)
  })

  test('is held to three mails an hour, whoever asks for them', async () => {
    const service = await openService(await open())
    const sent = newApp()
    for (let times = 0; times < 3; times += 1) expect((await register(service, sent)).status).toBe(201)
    const refused = await register(service, { ...sent, email: sent.email.toUpperCase() })
    const headers = ['Retry-After', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'].map(
      (name) => refused.headers.get(name),
    )
    expect([...outcomeOf(refused), ...headers]).toEqual([
      429,
      { code: 'rate_limit_exceeded', message: 'Rate limit exceeded. Try again in 3600 seconds.' },
      ...['3600', '3', '0', String(Date.parse('2026-03-01T13:00:00Z') / 1000)],
    ])
    service.advanceClock(3_600_000)
    expect((await register(service, sent)).status).toBe(201)
  })

  test('may register and rotate as often as it likes where the limit is switched off', async () => {
    const service = await openService(await open(), { limits: { REGISTER: 0 } })
    const sent = newApp()
    for (let times = 0; times < 5; times += 1) expect((await register(service, sent)).status).toBe(201)
    const { client_id } = ((await register(service, sent)).json as { data: { client_id: string } }).data
    for (let times = 0; times < 22; times += 1) {
      const { status, headers } = await rotate(service, { client_id, email: sent.email })
      expect([status, headers.get('X-RateLimit-Limit')]).toEqual([200, null])
    }
  })

  test.each([
    ['nothing', {}, ['name', 'email', 'redirect_uris', 'scopes']],
    ['an unknown field', { ...newApp(), colour: 'red' }, ['colour']],
    ['an unknown scope', { ...newApp(), scopes: ['people:read', 'admin'] }, ['scopes[1]']],
    ['no scopes', { ...newApp(), scopes: [] }, ['scopes']],
    ['a name without characters', { ...newApp(), name: ' ' }, ['name']],
    ['a name over 80 characters', { ...newApp(), name: 'x'.repeat(81) }, ['name']],
    ['a name that reads as an address', { ...newApp(), name: 'w\u200bww.evil.example' }, ['name']],
    ['a scope named twice', { ...newApp(), scopes: ['people:read', 'people:read'] }, ['scopes']],
    [
      'an address that brings a header along',
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
  ])('is refused with %s', async (_, body, names) => {
    const answer = await register(await openService(await open()), body)
    const { code, fields } = errorOf(answer)
    expect([answer.status, code, Object.keys(fields ?? {}).sort()]).toEqual([
      400,
      'invalid_request',
      names.sort(),
    ])
  })

  test('rotates for nobody who does not know its address', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const code = await obtainCode(service, acme)
    for (const [client_id, email] of [
      [acme.client_id, 'other@acme.example'],
      ['0199aaaa-0000-7000-8000-000000000000', acme.owner.email],
      ['no uuid\u0000', acme.owner.email],
    ]) {
      const answer = await rotate(service, { client_id, email })
      expect([...outcomeOf(answer), answer.headers.get('WWW-Authenticate')]).toEqual([401, NO_APP, 'Bearer'])
    }
    for (const [body, names] of [
      [{}, ['client_id', 'email']],
      [{ client_id: 1, email: 'x' }, ['client_id', 'email']],
      [{ client_id: acme.client_id, email: acme.owner.email, x: 1 }, ['x']],
    ] as const) {
      const answer = await rotate(service, body)
      const { code: its, fields } = errorOf(answer)
      expect([answer.status, its, Object.keys(fields ?? {})]).toEqual([400, 'invalid_request', names])
    }
    expect((await exchangeCode(service, acme, code)).status).toBe(200)
  })

  test('sends a JSON object, and nothing else', async () => {
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
