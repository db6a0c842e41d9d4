import { memoryStorage } from '@sales-crm/core/memory'
import { expect, test } from 'vitest'
import {
  authorizationParameters,
  authorize,
  countOutcomes,
  createOtherApp,
  exchangeCode,
  obtainCode,
  obtainTokens,
  refreshTokens,
  statusWithToken,
  tokensOf,
} from '../support/oauth-requests.ts'
import { describeEachStore } from '../support/stores.ts'
import { errorOf, openService, openWorkspace } from '../support/test-service.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const BAD_CODE = { code: 'invalid_grant', message: 'The code is invalid, has expired, or was used before.' }
const BAD_TOKEN = {
  code: 'invalid_grant',
  message: 'The refresh token is invalid, has expired, or was replaced.',
}

describeEachStore('the authorization code flow', (open) => {
  test('leads from the authorization request to a code, tokens and API access', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const authorization = await authorize(service.app, authorizationParameters(acme, { state: 's' }))
    expect([
      authorization.status,
      authorization.text,
      authorization.headers.get('Cache-Control'),
      authorization.headers.get('Referrer-Policy'),
    ]).toEqual([303, '', 'no-store', 'no-referrer'])
    expect(authorization.headers.get('Location')).toMatch(/^\/oauth\/consent\?request=[0-9a-f-]{36}$/)

    const response = await exchangeCode(service, acme, await obtainCode(service, acme))
    expect([response.status, response.headers.get('Cache-Control'), response.headers.get('Pragma')]).toEqual([
      200,
      'no-store',
      'no-cache',
    ])
    expect(response.json).toEqual({
      access_token: expect.stringMatching(/^eyJ/),
      refresh_token: expect.stringMatching(/^crm_rt_[0-9a-f]{128}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      workspace_slug: acme.slug,
    })
    expect(await statusWithToken(service, tokensOf(response).access_token)).toBe(200)
  })

  test('twenty concurrent exchanges of one code issue one token pair', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const code = await obtainCode(service, acme)
    const responses = await Promise.all(Array.from({ length: 20 }, () => exchangeCode(service, acme, code)))
    expect(countOutcomes(responses)).toEqual({ '200': 1, '400 invalid_grant': 19 })
  })

  test('twenty concurrent uses of a refresh token issue one working token pair', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const { refresh_token } = await obtainTokens(service, acme)
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => refreshTokens(service, acme, refresh_token)),
    )
    expect(countOutcomes(responses)).toEqual({ '200': 1, '400 invalid_grant': 19 })
    const tokens = tokensOf(responses.find(({ status }) => status === 200)!)
    expect(await statusWithToken(service, tokens.access_token)).toBe(200)
    expect((await refreshTokens(service, acme, tokens.refresh_token)).status).toBe(200)
  })

  test('rejects a reused authorization code and revokes its grant', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const code = await obtainCode(service, acme)
    const { access_token, refresh_token } = tokensOf(await exchangeCode(service, acme, code))
    const reuse = await exchangeCode(service, acme, code)
    expect([reuse.status, errorOf(reuse)]).toEqual([400, BAD_CODE])
    expect(await statusWithToken(service, access_token)).toBe(401)
    expect(errorOf(await refreshTokens(service, acme, refresh_token))).toEqual(BAD_TOKEN)
  })

  test('a reused code without the client secret revokes nothing', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const other = await createOtherApp(service)
    const code = await obtainCode(service, acme)
    const { access_token } = tokensOf(await exchangeCode(service, acme, code))
    const wrongSecret = await exchangeCode(service, { ...acme, client_secret: other.client_secret }, code)
    expect([wrongSecret.status, errorOf(wrongSecret)['code']]).toEqual([401, 'invalid_client'])
    expect(errorOf(await exchangeCode(service, other, code))).toEqual(BAD_CODE)
    expect(
      (await exchangeCode(service, acme, code, { redirect_uri: 'https://app.example/cb/' })).status,
    ).toBe(400)
    expect(await statusWithToken(service, access_token)).toBe(200)
  })

  test('rejects the code of another app without invalidating it', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const code = await obtainCode(service, acme)
    expect(errorOf(await exchangeCode(service, await createOtherApp(service), code))).toEqual(BAD_CODE)
    expect((await exchangeCode(service, acme, code)).status).toBe(200)
  })

  test('a code expires after ten minutes', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const [early, late] = [await obtainCode(service, acme), await obtainCode(service, acme)]
    service.advanceClock(10 * MINUTE - 1000)
    expect((await exchangeCode(service, acme, early)).status).toBe(200)
    service.advanceClock(1000)
    expect(errorOf(await exchangeCode(service, acme, late))).toEqual(BAD_CODE)
    service.advanceClock(1000)
    expect(errorOf(await exchangeCode(service, acme, late))).toEqual(BAD_CODE)
  })

  test('an access token expires after one hour', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const { access_token } = await obtainTokens(service, acme)
    service.advanceClock(60 * MINUTE - 1000)
    expect(await statusWithToken(service, access_token)).toBe(200)
    service.advanceClock(2000)
    const expired = await acme.call('GET', '/v1/workspace', undefined, { token: access_token })
    expect([expired.status, errorOf(expired)['code'], expired.headers.get('WWW-Authenticate')]).toEqual([
      401,
      'token_expired',
      'Bearer',
    ])
  })

  test('a refresh token expires 60 days after issue, and each use issues a new one', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    let { refresh_token } = await obtainTokens(service, acme)
    for (let times = 0; times < 3; times += 1) {
      service.advanceClock(59 * DAY)
      const renewed = tokensOf(await refreshTokens(service, acme, refresh_token))
      expect(await statusWithToken(service, renewed.access_token)).toBe(200)
      refresh_token = renewed.refresh_token
    }
    service.advanceClock(61 * DAY)
    const expired = await refreshTokens(service, acme, refresh_token)
    expect([expired.status, errorOf(expired)]).toEqual([400, BAD_TOKEN])
  })

  test('rejects a replaced refresh token and keeps its replacement valid', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const first = await obtainTokens(service, acme)
    const second = tokensOf(await refreshTokens(service, acme, first.refresh_token))
    const reuse = await refreshTokens(service, acme, first.refresh_token)
    expect([reuse.status, errorOf(reuse)]).toEqual([400, BAD_TOKEN])
    expect(await statusWithToken(service, second.access_token)).toBe(200)
    expect((await refreshTokens(service, acme, second.refresh_token)).status).toBe(200)
  })

  test('rejects the refresh token of another app without invalidating it', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const { refresh_token } = await obtainTokens(service, acme)
    expect(errorOf(await refreshTokens(service, await createOtherApp(service), refresh_token))).toEqual(
      BAD_TOKEN,
    )
    expect((await refreshTokens(service, acme, refresh_token)).status).toBe(200)
  })

  test('ends the access when the approving member is removed', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const bob = await acme.addMember('bob', 'member')
    const asBob = { ...acme, owner: bob }
    const { access_token, refresh_token } = await obtainTokens(service, asBob)
    const code = await obtainCode(service, asBob)
    await service.crm.operator.removeMember({ workspace: acme.slug, email: bob.email })
    expect(await statusWithToken(service, access_token)).toBe(401)
    expect(errorOf(await refreshTokens(service, acme, refresh_token))).toEqual(BAD_TOKEN)
    expect(errorOf(await exchangeCode(service, acme, code))['code']).toBe('invalid_grant')
  })
})

test('a narrower scope applies to one token, and a wider one is rejected', async () => {
  const service = await openService(memoryStorage())
  const acme = await openWorkspace(service)
  const { refresh_token } = await obtainTokens(service, acme, { scope: 'people:read tasks:read' })
  const narrowTokens = tokensOf(await refreshTokens(service, acme, refresh_token, { scope: 'people:read' }))
  const statusOf = async (path: string) =>
    (await acme.call('GET', path, undefined, { token: narrowTokens.access_token })).status
  expect([await statusOf('/v1/people'), await statusOf('/v1/tasks')]).toEqual([200, 403])
  const wider = await refreshTokens(service, acme, narrowTokens.refresh_token, {
    scope: 'people:read deals:read',
  })
  expect([wider.status, errorOf(wider)]).toEqual([
    400,
    {
      code: 'invalid_request',
      message: 'A parameter is invalid.',
      fields: { scope: 'Must be scopes that were granted, separated by spaces.' },
    },
  ])
  const fullTokens = tokensOf(await refreshTokens(service, acme, narrowTokens.refresh_token))
  expect((await acme.call('GET', '/v1/tasks', undefined, { token: fullTokens.access_token })).status).toBe(
    200,
  )
})
