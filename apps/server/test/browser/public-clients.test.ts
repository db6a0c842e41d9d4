import { auth, type OAuthClientProvider } from '@modelcontextprotocol/client'
import { memoryStorage } from '@sales-crm/core/memory'
import * as oauth from 'oauth4webapi'
import { describe, expect, test } from 'vitest'
import { canUseTools } from '../support/public-client-requests.ts'
import { describeEachStore } from '../support/stores.ts'
import { CHROMIUM, type LiveService, openLiveService, openPage, signIn } from './live-service.ts'

/** Opens an address in a real browser, signs in, approves, and gives the address the program is called back with. */
async function approveInBrowser(live: LiveService, url: URL): Promise<URL> {
  const page = await openPage({ javaScriptEnabled: false })
  const back = live.comeBack()
  await page.goto(url.href)
  await signIn(page, live.email)
  await page.getByText('nobody has checked it').waitFor()
  await page.getByRole('button', { name: 'Allow access' }).click()
  return back
}

describe.skipIf(CHROMIUM === null)('a program and a browser', () => {
  describeEachStore('oauth4webapi', (open) => {
    test('discovers, registers, is approved, exchanges, refreshes and revokes', async () => {
      const live = await openLiveService(await open())
      const insecure = { [oauth.allowInsecureRequests]: true }
      const resource = new URL(`${live.base}/mcp`)
      const described = await oauth.resourceDiscoveryRequest(resource, insecure)
      const { authorization_servers } = await oauth.processResourceDiscoveryResponse(resource, described)
      const issuer = new URL(authorization_servers![0]!)
      const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure })
      const as = await oauth.processDiscoveryResponse(issuer, found)
      const metadata = {
        client_name: 'Radar',
        redirect_uris: [live.redirectUri],
        token_endpoint_auth_method: 'none',
      }
      const registration = await oauth.dynamicClientRegistrationRequest(as, metadata, insecure)
      const client = (await oauth.processDynamicClientRegistrationResponse(registration)) as oauth.Client

      const verifier = oauth.generateRandomCodeVerifier()
      const url = new URL(as.authorization_endpoint!)
      url.search = new URLSearchParams({
        ...{
          client_id: client.client_id,
          redirect_uri: live.redirectUri,
          response_type: 'code',
          state: 'a state & more',
        },
        ...{
          code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        },
        ...{ scope: 'people:read', resource: resource.href },
      }).toString()
      const params = oauth.validateAuthResponse(
        as,
        client,
        await approveInBrowser(live, url),
        'a state & more',
      )
      const more = { ...insecure, additionalParameters: { resource: resource.href } }
      const none = oauth.None()
      const answer = await oauth.authorizationCodeGrantRequest(
        as,
        client,
        none,
        params,
        live.redirectUri,
        verifier,
        more,
      )
      const tokens = await oauth.processAuthorizationCodeResponse(as, client, answer)
      expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'people:read' })
      expect(await canUseTools(live, tokens.access_token)).toBe(true)

      const again = await oauth.refreshTokenGrantRequest(as, client, none, tokens.refresh_token!, more)
      const next = await oauth.processRefreshTokenResponse(as, client, again)
      const revoked = await oauth.revocationRequest(as, client, none, next.refresh_token!, insecure)
      expect(await oauth.processRevocationResponse(revoked)).toBeUndefined()
      expect(await canUseTools(live, next.access_token)).toBe(false)
      const late = await oauth.refreshTokenGrantRequest(as, client, none, next.refresh_token!, more)
      await expect(oauth.processRefreshTokenResponse(as, client, late)).rejects.toMatchObject({
        error: 'invalid_grant',
        status: 400,
      })
    })
  })

  test('the SDK of the protocol needs the address of the tools alone', async () => {
    const live = await openLiveService(memoryStorage())
    const provider = rememberingProvider(live.redirectUri)
    const serverUrl = `${live.base}/mcp`
    expect(await auth(provider, { serverUrl })).toBe('REDIRECT')
    const back = (await approveInBrowser(live, provider.sentTo()!)).searchParams
    const callback = { authorizationCode: back.get('code')!, iss: back.get('iss')! }
    expect(await auth(provider, { serverUrl, ...callback })).toBe('AUTHORIZED')
    const first = provider.held()
    expect(await canUseTools(live, first!.access_token)).toBe(true)

    expect(await auth(provider, { serverUrl })).toBe('AUTHORIZED')
    expect(provider.held()!.refresh_token).not.toBe(first!.refresh_token)
    expect(await canUseTools(live, provider.held()!.access_token)).toBe(true)
  })
})

/** A client as the SDK has it, that keeps what it is told. */
function rememberingProvider(redirectUrl: string) {
  const kept: Record<string, unknown> = {}
  const keep = (name: string) => (value: unknown) => {
    kept[name] = value
  }
  const provider = {
    redirectUrl,
    clientMetadata: { client_name: 'Radar', redirect_uris: [redirectUrl] },
    clientInformation: () => kept['client'],
    saveClientInformation: keep('client'),
    tokens: () => kept['tokens'],
    saveTokens: keep('tokens'),
    redirectToAuthorization: keep('url'),
    saveCodeVerifier: keep('verifier'),
    codeVerifier: () => kept['verifier'],
    discoveryState: () => kept['discovery'],
    saveDiscoveryState: keep('discovery'),
  } as unknown as OAuthClientProvider
  return Object.assign(provider, {
    sentTo: () => kept['url'] as URL | undefined,
    held: () =>
      kept['tokens'] as { readonly access_token: string; readonly refresh_token: string } | undefined,
  })
}
