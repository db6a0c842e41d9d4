import { expect, test } from 'vitest'
import {
  encodeForm,
  exchangeCode as interfaceExchange,
  refreshTokens as interfaceRefresh,
  statusWithToken,
  obtainTokens as tokensForApp,
} from '../support/oauth-requests.ts'
import { addMemberWithPassword, hiddenFieldsOf, openBrowser } from '../support/page-browser.ts'
import {
  authorizePublicClient,
  canUseTools,
  exchangePublicClientCode,
  LOOPBACK_URI,
  oauthErrorOf,
  obtainPublicClientCode,
  obtainPublicClientTokens,
  postRegistration,
  publicClientParameters,
  publicClientTokensOf,
  refreshPublicClientTokens,
  registerPublicClient,
  revokePublicClientToken,
  VERIFIER,
} from '../support/public-client-requests.ts'
import { describeEachStore } from '../support/stores.ts'
import { errorOf, openService, openWorkspace, sendRequest } from '../support/test-service.ts'

describeEachStore('a program', (open) => {
  test('registers itself, is let in on a page, comes back, calls, refreshes, and is taken away again', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const ana = await addMemberWithPassword(service, acme)
    const browser = openBrowser(service)
    const registered = await postRegistration(service, {
      client_name: 'Radar',
      redirect_uris: [LOOPBACK_URI],
      scope: 'people:read tasks:write',
    })
    const { client_id } = registered.json as { client_id: string }
    expect([registered.status, registered.json]).toEqual([
      201,
      {
        client_id,
        client_id_issued_at: Date.parse('2026-03-01T12:00:00Z') / 1000,
        client_name: 'Radar',
        redirect_uris: [LOOPBACK_URI],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        scope: 'people:read tasks:write',
      },
    ])
    const redirect_uri = 'http://127.0.0.1:51234/callback'
    const begun = await browser.get(
      `/mcp/authorize?${encodeForm(publicClientParameters(client_id, { redirect_uri, state: 's 1' }))}`,
    )
    const request = new URL(begun.location ?? '', 'http://x').searchParams.get('request') ?? ''
    await browser.signIn(ana.email, undefined, request)
    const page = await browser.get(begun.location ?? '')
    expect(page.text).toContain('Radar')
    expect(page.text).toContain('This program chose its name itself, and nobody has checked it.')
    expect(page.text).toContain('a program on this device (<strong><bdi>127.0.0.1:51234</bdi></strong>)')
    const back = new URL(
      (await browser.submit(page, '/oauth/consent', { decision: 'approve', workspace: acme.id })).location ??
        '',
    )
    const { code = '', ...rest } = Object.fromEntries(back.searchParams)
    expect([back.origin + back.pathname, rest]).toEqual([
      redirect_uri,
      { state: 's 1', iss: 'http://127.0.0.1:3000/mcp' },
    ])

    const answer = await exchangePublicClientCode(service, client_id, code, {
      redirect_uri,
      resource: 'http://127.0.0.1:3000/mcp',
    })
    const tokens = publicClientTokensOf(answer)
    expect([answer.headers.get('Cache-Control'), answer.headers.get('Pragma')]).toEqual([
      'no-store',
      'no-cache',
    ])
    expect(Object.keys(tokens).sort()).toEqual([
      'access_token',
      'expires_in',
      'refresh_token',
      'scope',
      'token_type',
      'workspace_slug',
    ])
    expect(tokens.scope).toBe('people:read tasks:write')
    expect([
      await canUseTools(service, tokens.access_token),
      await statusWithToken(service, tokens.access_token),
    ]).toEqual([true, 401])

    const next = publicClientTokensOf(
      await refreshPublicClientTokens(service, client_id, tokens.refresh_token),
    )
    const account = await browser.get('/account')
    expect(account.text).toContain('Radar')
    const form = hiddenFieldsOf(account, '/account/apps/revoke')
    expect((await browser.post('/account/apps/revoke', form)).location).toBe('/account?done=disconnected')
    expect(await canUseTools(service, next.access_token)).toBe(false)
    expect(oauthErrorOf(await refreshPublicClientTokens(service, client_id, next.refresh_token))).toBe(
      '400 invalid_grant',
    )
  })

  test('loses its grant when a code, or a token that was replaced, comes again', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const client_id = await registerPublicClient(service)
    const code = await obtainPublicClientCode(service, acme, client_id)
    const first = publicClientTokensOf(await exchangePublicClientCode(service, client_id, code))
    expect(oauthErrorOf(await exchangePublicClientCode(service, client_id, code))).toBe('400 invalid_grant')
    expect(await canUseTools(service, first.access_token)).toBe(false)

    const second = await obtainPublicClientTokens(service, acme, client_id)
    const third = publicClientTokensOf(
      await refreshPublicClientTokens(service, client_id, second.refresh_token),
    )
    const forged = second.refresh_token.replace(/.{64}$/, '0'.repeat(64))
    expect(oauthErrorOf(await refreshPublicClientTokens(service, client_id, forged))).toBe(
      '400 invalid_grant',
    )
    expect(await canUseTools(service, third.access_token)).toBe(true)
    expect(oauthErrorOf(await refreshPublicClientTokens(service, client_id, second.refresh_token))).toBe(
      '400 invalid_grant',
    )
    expect(await canUseTools(service, third.access_token)).toBe(false)
  })

  test('gets one pair of tokens at most, however many refresh at once', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const client_id = await registerPublicClient(service)
    const { refresh_token } = await obtainPublicClientTokens(service, acme, client_id)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => refreshPublicClientTokens(service, client_id, refresh_token)),
    )
    const won = answers.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    for (const each of answers) if (each.status !== 200) expect(oauthErrorOf(each)).toBe('400 invalid_grant')
    expect(await canUseTools(service, publicClientTokensOf(won[0]!).access_token)).toBe(false)
  })

  test("ends its own grant, and nobody else's", async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const [client_id, other] = [await registerPublicClient(service), await registerPublicClient(service)]
    const [one, two] = [
      await obtainPublicClientTokens(service, acme, client_id),
      await obtainPublicClientTokens(service, acme, client_id),
    ]
    for (const token of ['x', '\u0000', `crm_rt_${'0'.repeat(192)}`, 'eyJ.x.y']) {
      const { status, text } = await revokePublicClientToken(service, client_id, token)
      expect([token, status, text]).toEqual([token, 200, ''])
    }
    for (const token of [one.access_token, one.refresh_token]) {
      expect(oauthErrorOf(await revokePublicClientToken(service, other, token))).toBe('400 invalid_request')
    }
    expect(await canUseTools(service, one.access_token)).toBe(true)
    expect(
      (
        await revokePublicClientToken(service, client_id, one.refresh_token, {
          token_type_hint: 'access_token',
        })
      ).status,
    ).toBe(200)
    expect((await revokePublicClientToken(service, client_id, two.access_token)).status).toBe(200)
    expect([
      await canUseTools(service, one.access_token),
      await canUseTools(service, two.access_token),
    ]).toEqual([false, false])
  })

  test('is not let in where the contract is, nor the apps of the contract where it is', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const client_id = await registerPublicClient(service)
    const code = await obtainPublicClientCode(service, acme, client_id)
    const proof = { code_verifier: VERIFIER }
    expect(
      errorOf(await interfaceExchange(service, { client_id, client_secret: 'x' }, code, proof)),
    ).toMatchObject({
      code: 'invalid_client',
    })
    expect(errorOf(await interfaceExchange(service, acme, code, proof))).toMatchObject({
      code: 'invalid_grant',
    })
    const tokens = publicClientTokensOf(await exchangePublicClientCode(service, client_id, code))
    expect(errorOf(await interfaceRefresh(service, acme, tokens.refresh_token))).toMatchObject({
      code: 'invalid_grant',
    })
    expect(oauthErrorOf(await exchangePublicClientCode(service, acme.client_id, code))).toBe(
      '400 invalid_client',
    )
    expect(oauthErrorOf(await authorizePublicClient(service, publicClientParameters(acme.client_id)))).toBe(
      '400 invalid_client',
    )
    const own = await tokensForApp(service, acme)
    expect(oauthErrorOf(await refreshPublicClientTokens(service, acme.client_id, own.refresh_token))).toBe(
      '400 invalid_client',
    )
    expect(oauthErrorOf(await refreshPublicClientTokens(service, client_id, own.refresh_token))).toBe(
      '400 invalid_grant',
    )
    expect([
      await canUseTools(service, own.access_token),
      await statusWithToken(service, own.access_token),
    ]).toEqual([true, 200])
  })

  test('is not known to whoever rotates secrets', async () => {
    const service = await openService(await open())
    const client_id = await registerPublicClient(service)
    for (const email of ['dev@app.example', 'null@null.example']) {
      const answer = await sendRequest(service.app, 'POST', '/v1/auth/rotate-app', { client_id, email })
      expect([answer.status, errorOf(answer)['code']]).toEqual([401, 'invalid_client'])
    }
  })

  test('that an app of the contract is let in for the tools alone, when it asks so', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const own = await tokensForApp(service, acme, { resource: 'http://127.0.0.1:3000/mcp' })
    expect([
      await canUseTools(service, own.access_token),
      await statusWithToken(service, own.access_token),
    ]).toEqual([true, 401])
    const wide = await tokensForApp(service, acme, { resource: 'http://127.0.0.1:3000/' })
    expect([
      await canUseTools(service, wide.access_token),
      await statusWithToken(service, wide.access_token),
    ]).toEqual([true, 200])
    const answer = await interfaceRefresh(service, acme, own.refresh_token, {
      resource: 'http://127.0.0.1:3000',
    })
    expect([answer.status, errorOf(answer)]).toEqual([
      400,
      {
        code: 'invalid_request',
        message: 'The resource is none that tokens are given for here.',
        fields: { resource: 'Must be http://127.0.0.1:3000/mcp.' },
      },
    ])
  })
})
