import { memoryStorage } from '@sales-crm/core/memory'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { call, openService, openWorkspace } from './harness.ts'
import { asked, authorize, basicOf, codeFor, exchange, postForm, refresh, tokensFor, tokensIn } from './oauth.ts'

async function open() {
  const lines: string[] = []
  const log = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(line) })
  const service = await openService(memoryStorage(), { log })
  const acme = await openWorkspace(service)
  return { service, acme, lines, last: () => JSON.parse(lines.at(-1) ?? '') as Record<string, unknown> }
}

test('a code or a refresh token that comes again is told to the operator', async () => {
  const { service, acme, last } = await open()
  const code = await codeFor(service, acme)
  const first = tokensIn(await exchange(service, acme, code))
  expect(last()).toMatchObject({ level: 30, route: '/oauth/token', status: 200 })
  expect(last()).not.toHaveProperty('notice')
  await refresh(service, acme, first.refresh_token)
  await refresh(service, acme, first.refresh_token)
  expect(last()).toMatchObject({
    level: 40,
    route: '/oauth/token',
    status: 400,
    notice: expect.stringMatching(/^A refresh token of grant \S{36} was presented that is not its present one, by app \S{36}\.$/),
  })
  const { headers } = await exchange(service, acme, code)
  expect(last()).toEqual({
    level: 40,
    request_id: headers.get('X-Request-ID'),
    method: 'POST',
    route: '/oauth/token',
    status: 400,
    ms: 0,
    notice: `A used code was presented again by app ${acme.client_id}: the tokens of its first use are revoked.`,
  })
})

test('a rotation is told to the operator, with the app and where it came from', async () => {
  const { service, acme, last } = await open()
  await call(service.app, 'POST', '/v1/auth/rotate-app', { client_id: acme.client_id, email: acme.owner.email })
  expect(last()).toMatchObject({ level: 40, status: 200, notice: `The secret of app ${acme.client_id} was ended, from local.` })
})

test('what has the form of a secret is left out of what callers make the log hold', async () => {
  const { service, last } = await open()
  await call(service.app, 'GET', '/healthz', undefined, { headers: { 'X-Request-ID': 'a eyJhbGciOi.x.y crm_rt_00ff whsec_abc b' } })
  expect(last()).toMatchObject({ caller_request_id: 'a … … … b' })
})

test('no code, token, secret or state gets into the log', async () => {
  const { service, acme, lines } = await open()
  const code = await codeFor(service, acme, { state: 'canary' })
  const { access_token, refresh_token } = tokensIn(await exchange(service, acme, code))
  await exchange(service, acme, code)
  await exchange(service, acme, 'canary')
  await refresh(service, acme, refresh_token)
  await refresh(service, acme, refresh_token)
  await authorize(service.app, { ...asked(acme), state: 'canary', redirect_uri: 'https://canary.example' })
  await authorize(service.app, { ...asked(acme), redirect_uri: 'https://canary.example' }, { Accept: 'text/html' })
  await postForm(service.app, `/oauth/token?client_secret=${acme.client_secret}`, { code: 'canary' }, { Authorization: basicOf(acme) })
  await call(service.app, 'POST', '/oauth/revoke', { token: access_token, client_id: 'canary', client_secret: acme.client_secret })
  await call(service.app, 'POST', '/v1/auth/register-app', { name: 'canary', email: 'canary@canary.example' })
  await tokensFor(service, acme)
  const text = lines.join('')
  expect(lines.length).toBeGreaterThan(10)
  expect(text).not.toMatch(/canary|crm_|eyJ|Basic/)
  expect(text).not.toContain(acme.client_secret)
})
