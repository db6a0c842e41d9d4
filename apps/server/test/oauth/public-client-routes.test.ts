import { expect, test } from 'vitest'
import {
  encodeForm,
  exchangeCode as exchangeAppCode,
  obtainTokens as obtainAppTokens,
  refreshTokens as refreshAppTokens,
  statusWithToken,
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

describeEachStore('a public client', (open) => {
  test('registers, is approved on a page, gets tokens, refreshes them and is disconnected', async () => {
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
    const authorization = await browser.get(
      `/mcp/authorize?${encodeForm(publicClientParameters(client_id, { redirect_uri, state: 's 1' }))}`,
    )
    const request = new URL(authorization.location ?? '', 'http://x').searchParams.get('request') ?? ''
    await browser.signIn(ana.email, undefined, request)
    const page = await browser.get(authorization.location ?? '')
    expect(page.text).toContain('Radar')
    expect(page.text).toContain('This program chose its name itself, and nobody has checked it.')
    expect(page.text).toContain('a program on this device (<strong><bdi>127.0.0.1:51234</bdi></strong>)')
    const redirect = new URL(
      (await browser.submit(page, '/oauth/consent', { decision: 'approve', workspace: acme.id })).location ??
        '',
    )
    const { code = '', ...rest } = Object.fromEntries(redirect.searchParams)
    expect([redirect.origin + redirect.pathname, rest]).toEqual([
      redirect_uri,
      { state: 's 1', iss: 'http://127.0.0.1:3000/mcp' },
    ])

    const response = await exchangePublicClientCode(service, client_id, code, {
      redirect_uri,
      resource: 'http://127.0.0.1:3000/mcp',
    })
    const tokens = publicClientTokensOf(response)
    expect([response.headers.get('Cache-Control'), response.headers.get('Pragma')]).toEqual([
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

  test('loses its grant when a code or a replaced refresh token is reused', async () => {
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

  test('gets at most one token pair from concurrent refreshes', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const client_id = await registerPublicClient(service)
    const { refresh_token } = await obtainPublicClientTokens(service, acme, client_id)
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => refreshPublicClientTokens(service, client_id, refresh_token)),
    )
    const successful = responses.filter(({ status }) => status === 200)
    expect(successful).toHaveLength(1)
    for (const each of responses)
      if (each.status !== 200) expect(oauthErrorOf(each)).toBe('400 invalid_grant')
    expect(await canUseTools(service, publicClientTokensOf(successful[0]!).access_token)).toBe(false)
  })

  test('revokes only its own grant', async () => {
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

  test('is rejected by the API issuer, as API apps are by the MCP issuer', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const client_id = await registerPublicClient(service)
    const code = await obtainPublicClientCode(service, acme, client_id)
    const proof = { code_verifier: VERIFIER }
    expect(
      errorOf(await exchangeAppCode(service, { client_id, client_secret: 'x' }, code, proof)),
    ).toMatchObject({
      code: 'invalid_client',
    })
    expect(errorOf(await exchangeAppCode(service, acme, code, proof))).toMatchObject({
      code: 'invalid_grant',
    })
    const tokens = publicClientTokensOf(await exchangePublicClientCode(service, client_id, code))
    expect(errorOf(await refreshAppTokens(service, acme, tokens.refresh_token))).toMatchObject({
      code: 'invalid_grant',
    })
    expect(oauthErrorOf(await exchangePublicClientCode(service, acme.client_id, code))).toBe(
      '400 invalid_client',
    )
    expect(oauthErrorOf(await authorizePublicClient(service, publicClientParameters(acme.client_id)))).toBe(
      '400 invalid_client',
    )
    const appTokens = await obtainAppTokens(service, acme)
    expect(
      oauthErrorOf(await refreshPublicClientTokens(service, acme.client_id, appTokens.refresh_token)),
    ).toBe('400 invalid_client')
    expect(oauthErrorOf(await refreshPublicClientTokens(service, client_id, appTokens.refresh_token))).toBe(
      '400 invalid_grant',
    )
    expect([
      await canUseTools(service, appTokens.access_token),
      await statusWithToken(service, appTokens.access_token),
    ]).toEqual([true, 200])
  })

  test('is unknown to secret rotation', async () => {
    const service = await openService(await open())
    const client_id = await registerPublicClient(service)
    for (const email of ['dev@app.example', 'null@null.example']) {
      const response = await sendRequest(service.app, 'POST', '/v1/auth/rotate-app', { client_id, email })
      expect([response.status, errorOf(response)['code']]).toEqual([401, 'invalid_client'])
    }
  })

  test('an API app can request tokens for MCP only', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const appTokens = await obtainAppTokens(service, acme, { resource: 'http://127.0.0.1:3000/mcp' })
    expect([
      await canUseTools(service, appTokens.access_token),
      await statusWithToken(service, appTokens.access_token),
    ]).toEqual([true, 401])
    const apiTokens = await obtainAppTokens(service, acme, { resource: 'http://127.0.0.1:3000/' })
    expect([
      await canUseTools(service, apiTokens.access_token),
      await statusWithToken(service, apiTokens.access_token),
    ]).toEqual([true, 200])
    const response = await refreshAppTokens(service, acme, appTokens.refresh_token, {
      resource: 'http://127.0.0.1:3000',
    })
    expect([response.status, errorOf(response)]).toEqual([
      400,
      {
        code: 'invalid_request',
        message: 'The resource is none that tokens are given for here.',
        fields: { resource: 'Must be http://127.0.0.1:3000/mcp.' },
      },
    ])
  })
})
