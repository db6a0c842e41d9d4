import { expect, test } from 'vitest'
import { call, errorIn, openService, openWorkspace } from './harness.ts'
import { formOf, exchange as interfaceExchange, refresh as interfaceRefresh, statusWith, tokensFor as tokensForApp } from './oauth.ts'
import { addPerson, hiddenIn, openBrowser } from './page-browser.ts'
import {
  asked,
  authorize,
  codeFor,
  exchange,
  LOOPBACK,
  openProgram,
  opensTools,
  programTokensIn,
  refresh,
  refused,
  register,
  revoke,
  tokensFor,
  VERIFIER,
} from './programs.ts'
import { describeEachStore } from './stores.ts'

describeEachStore('a program', (open) => {
  test('registers itself, is let in on a page, comes back, calls, refreshes, and is taken away again', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const ana = await addPerson(service, acme)
    const browser = openBrowser(service)
    const registered = await register(service, { client_name: 'Radar', redirect_uris: [LOOPBACK], scope: 'people:read tasks:write' })
    const { client_id } = registered.json as { client_id: string }
    expect([registered.status, registered.json]).toEqual([
      201,
      {
        client_id,
        client_id_issued_at: Date.parse('2026-03-01T12:00:00Z') / 1000,
        client_name: 'Radar',
        redirect_uris: [LOOPBACK],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        scope: 'people:read tasks:write',
      },
    ])
    const redirect_uri = 'http://127.0.0.1:51234/callback'
    const begun = await browser.get(`/mcp/authorize?${formOf(asked(client_id, { redirect_uri, state: 's 1' }))}`)
    const request = new URL(begun.location ?? '', 'http://x').searchParams.get('request') ?? ''
    await browser.signIn(ana.email, undefined, request)
    const page = await browser.get(begun.location ?? '')
    expect(page.text).toContain('Radar')
    expect(page.text).toContain('This program chose its name itself, and nobody has checked it.')
    expect(page.text).toContain('a program on this device (<strong><bdi>127.0.0.1:51234</bdi></strong>)')
    const back = new URL((await browser.submit(page, '/oauth/consent', { decision: 'approve', workspace: acme.id })).location ?? '')
    const { code = '', ...rest } = Object.fromEntries(back.searchParams)
    expect([back.origin + back.pathname, rest]).toEqual([redirect_uri, { state: 's 1', iss: 'http://127.0.0.1:3000/mcp' }])

    const answer = await exchange(service, client_id, code, { redirect_uri, resource: 'http://127.0.0.1:3000/mcp' })
    const tokens = programTokensIn(answer)
    expect([answer.headers.get('Cache-Control'), answer.headers.get('Pragma')]).toEqual(['no-store', 'no-cache'])
    expect(Object.keys(tokens).sort()).toEqual(['access_token', 'expires_in', 'refresh_token', 'scope', 'token_type', 'workspace_slug'])
    expect(tokens.scope).toBe('people:read tasks:write')
    expect([await opensTools(service, tokens.access_token), await statusWith(service, tokens.access_token)]).toEqual([true, 401])

    const next = programTokensIn(await refresh(service, client_id, tokens.refresh_token))
    const account = await browser.get('/account')
    expect(account.text).toContain('Radar')
    const form = hiddenIn(account, '/account/apps/revoke')
    expect((await browser.post('/account/apps/revoke', form)).location).toBe('/account?done=disconnected')
    expect(await opensTools(service, next.access_token)).toBe(false)
    expect(refused(await refresh(service, client_id, next.refresh_token))).toBe('400 invalid_grant')
  })

  test('loses its grant when a code, or a token that was replaced, comes again', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const client_id = await openProgram(service)
    const code = await codeFor(service, acme, client_id)
    const first = programTokensIn(await exchange(service, client_id, code))
    expect(refused(await exchange(service, client_id, code))).toBe('400 invalid_grant')
    expect(await opensTools(service, first.access_token)).toBe(false)

    const second = await tokensFor(service, acme, client_id)
    const third = programTokensIn(await refresh(service, client_id, second.refresh_token))
    const forged = second.refresh_token.replace(/.{64}$/, '0'.repeat(64))
    expect(refused(await refresh(service, client_id, forged))).toBe('400 invalid_grant')
    expect(await opensTools(service, third.access_token)).toBe(true)
    expect(refused(await refresh(service, client_id, second.refresh_token))).toBe('400 invalid_grant')
    expect(await opensTools(service, third.access_token)).toBe(false)
  })

  test('gets one pair of tokens at most, however many refresh at once', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const client_id = await openProgram(service)
    const { refresh_token } = await tokensFor(service, acme, client_id)
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(service, client_id, refresh_token)))
    const won = answers.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    for (const each of answers) if (each.status !== 200) expect(refused(each)).toBe('400 invalid_grant')
    expect(await opensTools(service, programTokensIn(won[0]!).access_token)).toBe(false)
  })

  test("ends its own grant, and nobody else's", async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const [client_id, other] = [await openProgram(service), await openProgram(service)]
    const [one, two] = [await tokensFor(service, acme, client_id), await tokensFor(service, acme, client_id)]
    for (const token of ['x', '\u0000', `crm_rt_${'0'.repeat(192)}`, 'eyJ.x.y']) {
      const { status, text } = await revoke(service, client_id, token)
      expect([token, status, text]).toEqual([token, 200, ''])
    }
    for (const token of [one.access_token, one.refresh_token]) {
      expect(refused(await revoke(service, other, token))).toBe('400 invalid_request')
    }
    expect(await opensTools(service, one.access_token)).toBe(true)
    expect((await revoke(service, client_id, one.refresh_token, { token_type_hint: 'access_token' })).status).toBe(200)
    expect((await revoke(service, client_id, two.access_token)).status).toBe(200)
    expect([await opensTools(service, one.access_token), await opensTools(service, two.access_token)]).toEqual([false, false])
  })

  test('is not let in where the contract is, nor the apps of the contract where it is', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const client_id = await openProgram(service)
    const code = await codeFor(service, acme, client_id)
    const proof = { code_verifier: VERIFIER }
    expect(errorIn(await interfaceExchange(service, { client_id, client_secret: 'x' }, code, proof))).toMatchObject({
      code: 'invalid_client',
    })
    expect(errorIn(await interfaceExchange(service, acme, code, proof))).toMatchObject({ code: 'invalid_grant' })
    const tokens = programTokensIn(await exchange(service, client_id, code))
    expect(errorIn(await interfaceRefresh(service, acme, tokens.refresh_token))).toMatchObject({ code: 'invalid_grant' })
    expect(refused(await exchange(service, acme.client_id, code))).toBe('400 invalid_client')
    expect(refused(await authorize(service, asked(acme.client_id)))).toBe('400 invalid_client')
    const own = await tokensForApp(service, acme)
    expect(refused(await refresh(service, acme.client_id, own.refresh_token))).toBe('400 invalid_client')
    expect(refused(await refresh(service, client_id, own.refresh_token))).toBe('400 invalid_grant')
    expect([await opensTools(service, own.access_token), await statusWith(service, own.access_token)]).toEqual([true, 200])
  })

  test('is not known to whoever rotates secrets', async () => {
    const service = await openService(await open())
    const client_id = await openProgram(service)
    for (const email of ['dev@app.example', 'null@null.example']) {
      const answer = await call(service.app, 'POST', '/v1/auth/rotate-app', { client_id, email })
      expect([answer.status, errorIn(answer)['code']]).toEqual([401, 'invalid_client'])
    }
  })

  test('that an app of the contract is let in for the tools alone, when it asks so', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const own = await tokensForApp(service, acme, { resource: 'http://127.0.0.1:3000/mcp' })
    expect([await opensTools(service, own.access_token), await statusWith(service, own.access_token)]).toEqual([true, 401])
    const wide = await tokensForApp(service, acme, { resource: 'http://127.0.0.1:3000/' })
    expect([await opensTools(service, wide.access_token), await statusWith(service, wide.access_token)]).toEqual([true, 200])
    const answer = await interfaceRefresh(service, acme, own.refresh_token, { resource: 'http://127.0.0.1:3000' })
    expect([answer.status, errorIn(answer)]).toEqual([
      400,
      {
        code: 'invalid_request',
        message: 'The resource is none that tokens are given for here.',
        fields: { resource: 'Must be http://127.0.0.1:3000/mcp.' },
      },
    ])
  })
})
