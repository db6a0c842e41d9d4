import { memoryStorage } from '@sales-crm/core/memory'
import { expect, test } from 'vitest'
import { errorIn, openService, openWorkspace } from './harness.ts'
import { asked, authorize, codeFor, exchange, otherApp, refresh, statusWith, tally, tokensFor, tokensIn } from './oauth.ts'
import { describeEachStore } from './stores.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const BAD_CODE = { code: 'invalid_grant', message: 'The code is invalid, has expired, or was used before.' }
const BAD_TOKEN = { code: 'invalid_grant', message: 'The refresh token is invalid, has expired, or was replaced.' }

describeEachStore('an app that asks for access', (open) => {
  test('is sent from its request to a code, to tokens, to the interface', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const begun = await authorize(service.app, asked(acme, { state: 's' }))
    expect([begun.status, begun.text, begun.headers.get('Cache-Control'), begun.headers.get('Referrer-Policy')]).toEqual([
      303,
      '',
      'no-store',
      'no-referrer',
    ])
    expect(begun.headers.get('Location')).toMatch(/^\/oauth\/consent\?request=[0-9a-f-]{36}$/)

    const answer = await exchange(service, acme, await codeFor(service, acme))
    expect([answer.status, answer.headers.get('Cache-Control'), answer.headers.get('Pragma')]).toEqual([200, 'no-store', 'no-cache'])
    expect(answer.json).toEqual({
      access_token: expect.stringMatching(/^eyJ/),
      refresh_token: expect.stringMatching(/^crm_rt_[0-9a-f]{128}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      workspace_slug: acme.slug,
    })
    expect(await statusWith(service, tokensIn(answer).access_token)).toBe(200)
  })

  test('that exchanges one code twenty times at once gets tokens once', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const code = await codeFor(service, acme)
    const answers = await Promise.all(Array.from({ length: 20 }, () => exchange(service, acme, code)))
    expect(tally(answers)).toEqual({ '200': 1, '400 invalid_grant': 19 })
  })

  test('that uses a refresh token twenty times at once gets tokens once, and they work', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const { refresh_token } = await tokensFor(service, acme)
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(service, acme, refresh_token)))
    expect(tally(answers)).toEqual({ '200': 1, '400 invalid_grant': 19 })
    const won = tokensIn(answers.find(({ status }) => status === 200)!)
    expect(await statusWith(service, won.access_token)).toBe(200)
    expect((await refresh(service, acme, won.refresh_token)).status).toBe(200)
  })

  test('loses what a code gave when the code comes again', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const code = await codeFor(service, acme)
    const { access_token, refresh_token } = tokensIn(await exchange(service, acme, code))
    const again = await exchange(service, acme, code)
    expect([again.status, errorIn(again)]).toEqual([400, BAD_CODE])
    expect(await statusWith(service, access_token)).toBe(401)
    expect(errorIn(await refresh(service, acme, refresh_token))).toEqual(BAD_TOKEN)
  })

  test('loses nothing when someone without its secret sends its code again', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const other = await otherApp(service)
    const code = await codeFor(service, acme)
    const { access_token } = tokensIn(await exchange(service, acme, code))
    const forged = await exchange(service, { ...acme, client_secret: other.client_secret }, code)
    expect([forged.status, errorIn(forged)['code']]).toEqual([401, 'invalid_client'])
    expect(errorIn(await exchange(service, other, code))).toEqual(BAD_CODE)
    expect((await exchange(service, acme, code, { redirect_uri: 'https://app.example/cb/' })).status).toBe(400)
    expect(await statusWith(service, access_token)).toBe(200)
  })

  test('cannot use the code of another, nor spoil it', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const code = await codeFor(service, acme)
    expect(errorIn(await exchange(service, await otherApp(service), code))).toEqual(BAD_CODE)
    expect((await exchange(service, acme, code)).status).toBe(200)
  })

  test('has ten minutes for its code, and not one second more', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const [early, late] = [await codeFor(service, acme), await codeFor(service, acme)]
    service.pass(10 * MINUTE - 1000)
    expect((await exchange(service, acme, early)).status).toBe(200)
    service.pass(1000)
    expect(errorIn(await exchange(service, acme, late))).toEqual(BAD_CODE)
    service.pass(1000)
    expect(errorIn(await exchange(service, acme, late))).toEqual(BAD_CODE)
  })

  test('has an access token for an hour', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const { access_token } = await tokensFor(service, acme)
    service.pass(60 * MINUTE - 1000)
    expect(await statusWith(service, access_token)).toBe(200)
    service.pass(2000)
    const late = await acme.call('GET', '/v1/workspace', undefined, { token: access_token })
    expect([late.status, errorIn(late)['code'], late.headers.get('WWW-Authenticate')]).toEqual([401, 'token_expired', 'Bearer'])
  })

  test('may leave a refresh token for 59 days, and each use counts anew', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    let { refresh_token } = await tokensFor(service, acme)
    for (let times = 0; times < 3; times += 1) {
      service.pass(59 * DAY)
      const renewed = tokensIn(await refresh(service, acme, refresh_token))
      expect(await statusWith(service, renewed.access_token)).toBe(200)
      refresh_token = renewed.refresh_token
    }
    service.pass(61 * DAY)
    const late = await refresh(service, acme, refresh_token)
    expect([late.status, errorIn(late)]).toEqual([400, BAD_TOKEN])
  })

  test('is refused a refresh token that was replaced, and keeps the one that replaced it', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const first = await tokensFor(service, acme)
    const second = tokensIn(await refresh(service, acme, first.refresh_token))
    const again = await refresh(service, acme, first.refresh_token)
    expect([again.status, errorIn(again)]).toEqual([400, BAD_TOKEN])
    expect(await statusWith(service, second.access_token)).toBe(200)
    expect((await refresh(service, acme, second.refresh_token)).status).toBe(200)
  })

  test('cannot use the refresh token of another, nor spoil it', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const { refresh_token } = await tokensFor(service, acme)
    expect(errorIn(await refresh(service, await otherApp(service), refresh_token))).toEqual(BAD_TOKEN)
    expect((await refresh(service, acme, refresh_token)).status).toBe(200)
  })

  test('is out once the member who approved it is removed', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const bob = await acme.addMember('bob', 'member')
    const asBob = { ...acme, owner: bob }
    const { access_token, refresh_token } = await tokensFor(service, asBob)
    const code = await codeFor(service, asBob)
    await service.crm.operator.removeMember({ workspace: acme.slug, email: bob.email })
    expect(await statusWith(service, access_token)).toBe(401)
    expect(errorIn(await refresh(service, acme, refresh_token))).toEqual(BAD_TOKEN)
    expect(errorIn(await exchange(service, acme, code))['code']).toBe('invalid_grant')
  })
})

test('a narrower scope holds for one token, and a wider one is refused', async () => {
  const service = await openService(memoryStorage())
  const acme = await openWorkspace(service)
  const { refresh_token } = await tokensFor(service, acme, { scope: 'people:read tasks:read' })
  const narrow = tokensIn(await refresh(service, acme, refresh_token, { scope: 'people:read' }))
  const statusOf = async (path: string) => (await acme.call('GET', path, undefined, { token: narrow.access_token })).status
  expect([await statusOf('/v1/people'), await statusOf('/v1/tasks')]).toEqual([200, 403])
  const wide = await refresh(service, acme, narrow.refresh_token, { scope: 'people:read deals:read' })
  expect([wide.status, errorIn(wide)]).toEqual([
    400,
    {
      code: 'invalid_request',
      message: 'A parameter is invalid.',
      fields: { scope: 'Must be scopes that were granted, separated by spaces.' },
    },
  ])
  const whole = tokensIn(await refresh(service, acme, narrow.refresh_token))
  expect((await acme.call('GET', '/v1/tasks', undefined, { token: whole.access_token })).status).toBe(200)
})
