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

describeEachStore('an app that asks for access', (open) => {
  test('is sent from its request to a code, to tokens, to the interface', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const begun = await authorize(service.app, authorizationParameters(acme, { state: 's' }))
    expect([
      begun.status,
      begun.text,
      begun.headers.get('Cache-Control'),
      begun.headers.get('Referrer-Policy'),
    ]).toEqual([303, '', 'no-store', 'no-referrer'])
    expect(begun.headers.get('Location')).toMatch(/^\/oauth\/consent\?request=[0-9a-f-]{36}$/)

    const answer = await exchangeCode(service, acme, await obtainCode(service, acme))
    expect([answer.status, answer.headers.get('Cache-Control'), answer.headers.get('Pragma')]).toEqual([
      200,
      'no-store',
      'no-cache',
    ])
    expect(answer.json).toEqual({
      access_token: expect.stringMatching(/^eyJ/),
      refresh_token: expect.stringMatching(/^crm_rt_[0-9a-f]{128}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      workspace_slug: acme.slug,
    })
    expect(await statusWithToken(service, tokensOf(answer).access_token)).toBe(200)
  })

  test('that exchanges one code twenty times at once gets tokens once', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const code = await obtainCode(service, acme)
    const answers = await Promise.all(Array.from({ length: 20 }, () => exchangeCode(service, acme, code)))
    expect(countOutcomes(answers)).toEqual({ '200': 1, '400 invalid_grant': 19 })
  })

  test('that uses a refresh token twenty times at once gets tokens once, and they work', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const { refresh_token } = await obtainTokens(service, acme)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => refreshTokens(service, acme, refresh_token)),
    )
    expect(countOutcomes(answers)).toEqual({ '200': 1, '400 invalid_grant': 19 })
    const won = tokensOf(answers.find(({ status }) => status === 200)!)
    expect(await statusWithToken(service, won.access_token)).toBe(200)
    expect((await refreshTokens(service, acme, won.refresh_token)).status).toBe(200)
  })

  test('loses what a code gave when the code comes again', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const code = await obtainCode(service, acme)
    const { access_token, refresh_token } = tokensOf(await exchangeCode(service, acme, code))
    const again = await exchangeCode(service, acme, code)
    expect([again.status, errorOf(again)]).toEqual([400, BAD_CODE])
    expect(await statusWithToken(service, access_token)).toBe(401)
    expect(errorOf(await refreshTokens(service, acme, refresh_token))).toEqual(BAD_TOKEN)
  })

  test('loses nothing when someone without its secret sends its code again', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const other = await createOtherApp(service)
    const code = await obtainCode(service, acme)
    const { access_token } = tokensOf(await exchangeCode(service, acme, code))
    const forged = await exchangeCode(service, { ...acme, client_secret: other.client_secret }, code)
    expect([forged.status, errorOf(forged)['code']]).toEqual([401, 'invalid_client'])
    expect(errorOf(await exchangeCode(service, other, code))).toEqual(BAD_CODE)
    expect(
      (await exchangeCode(service, acme, code, { redirect_uri: 'https://app.example/cb/' })).status,
    ).toBe(400)
    expect(await statusWithToken(service, access_token)).toBe(200)
  })

  test('cannot use the code of another, nor spoil it', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const code = await obtainCode(service, acme)
    expect(errorOf(await exchangeCode(service, await createOtherApp(service), code))).toEqual(BAD_CODE)
    expect((await exchangeCode(service, acme, code)).status).toBe(200)
  })

  test('has ten minutes for its code, and not one second more', async () => {
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

  test('has an access token for an hour', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const { access_token } = await obtainTokens(service, acme)
    service.advanceClock(60 * MINUTE - 1000)
    expect(await statusWithToken(service, access_token)).toBe(200)
    service.advanceClock(2000)
    const late = await acme.call('GET', '/v1/workspace', undefined, { token: access_token })
    expect([late.status, errorOf(late)['code'], late.headers.get('WWW-Authenticate')]).toEqual([
      401,
      'token_expired',
      'Bearer',
    ])
  })

  test('may leave a refresh token for 59 days, and each use counts anew', async () => {
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
    const late = await refreshTokens(service, acme, refresh_token)
    expect([late.status, errorOf(late)]).toEqual([400, BAD_TOKEN])
  })

  test('is refused a refresh token that was replaced, and keeps the one that replaced it', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const first = await obtainTokens(service, acme)
    const second = tokensOf(await refreshTokens(service, acme, first.refresh_token))
    const again = await refreshTokens(service, acme, first.refresh_token)
    expect([again.status, errorOf(again)]).toEqual([400, BAD_TOKEN])
    expect(await statusWithToken(service, second.access_token)).toBe(200)
    expect((await refreshTokens(service, acme, second.refresh_token)).status).toBe(200)
  })

  test('cannot use the refresh token of another, nor spoil it', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const { refresh_token } = await obtainTokens(service, acme)
    expect(errorOf(await refreshTokens(service, await createOtherApp(service), refresh_token))).toEqual(
      BAD_TOKEN,
    )
    expect((await refreshTokens(service, acme, refresh_token)).status).toBe(200)
  })

  test('is out once the member who approved it is removed', async () => {
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

test('a narrower scope holds for one token, and a wider one is refused', async () => {
  const service = await openService(memoryStorage())
  const acme = await openWorkspace(service)
  const { refresh_token } = await obtainTokens(service, acme, { scope: 'people:read tasks:read' })
  const narrow = tokensOf(await refreshTokens(service, acme, refresh_token, { scope: 'people:read' }))
  const statusOf = async (path: string) =>
    (await acme.call('GET', path, undefined, { token: narrow.access_token })).status
  expect([await statusOf('/v1/people'), await statusOf('/v1/tasks')]).toEqual([200, 403])
  const wide = await refreshTokens(service, acme, narrow.refresh_token, { scope: 'people:read deals:read' })
  expect([wide.status, errorOf(wide)]).toEqual([
    400,
    {
      code: 'invalid_request',
      message: 'A parameter is invalid.',
      fields: { scope: 'Must be scopes that were granted, separated by spaces.' },
    },
  ])
  const whole = tokensOf(await refreshTokens(service, acme, narrow.refresh_token))
  expect((await acme.call('GET', '/v1/tasks', undefined, { token: whole.access_token })).status).toBe(200)
})
