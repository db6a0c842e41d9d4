import { memoryStorage } from '@sales-crm/core/memory'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import {
  authorizationParameters,
  authorize,
  basicHeader,
  exchangeCode,
  obtainCode,
  obtainTokens,
  postForm,
  refreshTokens,
  tokensOf,
} from '../support/oauth-requests.ts'
import { openService, openWorkspace, sendRequest } from '../support/test-service.ts'

async function openTestService() {
  const lines: string[] = []
  const log = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(line) })
  const service = await openService(memoryStorage(), { log })
  const acme = await openWorkspace(service)
  return { service, acme, lines, lastRecord: () => JSON.parse(lines.at(-1) ?? '') as Record<string, unknown> }
}

test('logs a warning for a reused code or refresh token', async () => {
  const { service, acme, lastRecord } = await openTestService()
  const code = await obtainCode(service, acme)
  const first = tokensOf(await exchangeCode(service, acme, code))
  expect(lastRecord()).toMatchObject({ level: 30, route: '/oauth/token', status: 200 })
  expect(lastRecord()).not.toHaveProperty('notice')
  await refreshTokens(service, acme, first.refresh_token)
  await refreshTokens(service, acme, first.refresh_token)
  expect(lastRecord()).toMatchObject({
    level: 40,
    route: '/oauth/token',
    status: 400,
    notice: expect.stringMatching(
      /^A refresh token of grant \S{36} was presented that is not its present one, by app \S{36}\.$/,
    ),
  })
  const { headers } = await exchangeCode(service, acme, code)
  expect(lastRecord()).toEqual({
    level: 40,
    request_id: headers.get('X-Request-ID'),
    method: 'POST',
    route: '/oauth/token',
    status: 400,
    ms: 0,
    notice: `A used code was presented again by app ${acme.client_id}: the tokens of its first use are revoked.`,
  })
})

test('logs a warning for a rotated secret, with the app and the origin of the call', async () => {
  const { service, acme, lastRecord } = await openTestService()
  await sendRequest(service.app, 'POST', '/v1/auth/rotate-app', {
    client_id: acme.client_id,
    email: acme.owner.email,
  })
  expect(lastRecord()).toMatchObject({
    level: 40,
    status: 200,
    notice: `The secret of app ${acme.client_id} was ended, from local.`,
  })
})

test('redacts secrets in values that callers write to the log', async () => {
  const { service, lastRecord } = await openTestService()
  await sendRequest(service.app, 'GET', '/healthz', undefined, {
    headers: { 'X-Request-ID': 'a eyJhbGciOi.x.y crm_rt_00ff whsec_abc b' },
  })
  expect(lastRecord()).toMatchObject({ caller_request_id: 'a … … … b' })
})

test('logs no code, token, secret or state', async () => {
  const { service, acme, lines } = await openTestService()
  const code = await obtainCode(service, acme, { state: 'canary' })
  const { access_token, refresh_token } = tokensOf(await exchangeCode(service, acme, code))
  await exchangeCode(service, acme, code)
  await exchangeCode(service, acme, 'canary')
  await refreshTokens(service, acme, refresh_token)
  await refreshTokens(service, acme, refresh_token)
  await authorize(service.app, {
    ...authorizationParameters(acme),
    state: 'canary',
    redirect_uri: 'https://canary.example',
  })
  await authorize(
    service.app,
    { ...authorizationParameters(acme), redirect_uri: 'https://canary.example' },
    { Accept: 'text/html' },
  )
  await postForm(
    service.app,
    `/oauth/token?client_secret=${acme.client_secret}`,
    { code: 'canary' },
    { Authorization: basicHeader(acme) },
  )
  await sendRequest(service.app, 'POST', '/oauth/revoke', {
    token: access_token,
    client_id: 'canary',
    client_secret: acme.client_secret,
  })
  await sendRequest(service.app, 'POST', '/v1/auth/register-app', {
    name: 'canary',
    email: 'canary@canary.example',
  })
  await obtainTokens(service, acme)
  const text = lines.join('')
  expect(lines.length).toBeGreaterThan(10)
  expect(text).not.toMatch(/canary|crm_|eyJ|Basic/)
  expect(text).not.toContain(acme.client_secret)
})
