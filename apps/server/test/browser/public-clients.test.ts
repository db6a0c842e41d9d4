import { auth, type OAuthClientProvider } from '@modelcontextprotocol/client'
import { memoryStorage } from '@sales-crm/core/memory'
import * as oauth from 'oauth4webapi'
import { describe, expect, test } from 'vitest'
import { canUseTools } from '../support/public-client-requests.ts'
import { describeEachStore } from '../support/stores.ts'
import { CHROMIUM, type LiveService, openLiveService, openPage, signIn } from './live-service.ts'

/** Approves in a browser and returns the callback URL. */
async function approveInBrowser(live: LiveService, url: URL): Promise<URL> {
  const page = await openPage({ javaScriptEnabled: false })
  const callbackUrl = live.comeBack()
  await page.goto(url.href)
  await signIn(page, live.email)
  await page.getByText('nobody has checked it').waitFor()
  await page.getByRole('button', { name: 'Allow access' }).click()
  return callbackUrl
}

describe.skipIf(CHROMIUM === null)('a public client and a browser', () => {
  describeEachStore('oauth4webapi', (open) => {
    test('discovers, registers, is approved, exchanges, refreshes and revokes', async () => {
      const live = await openLiveService(await open())
      const insecure = { [oauth.allowInsecureRequests]: true }
      const resource = new URL(`${live.base}/mcp`)
      const resourceResponse = await oauth.resourceDiscoveryRequest(resource, insecure)
      const { authorization_servers } = await oauth.processResourceDiscoveryResponse(
        resource,
        resourceResponse,
      )
      const issuer = new URL(authorization_servers![0]!)
      const discoveryResponse = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure })
      const as = await oauth.processDiscoveryResponse(issuer, discoveryResponse)
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
      const options = { ...insecure, additionalParameters: { resource: resource.href } }
      const authentication = oauth.None()
      const response = await oauth.authorizationCodeGrantRequest(
        as,
        client,
        authentication,
        params,
        live.redirectUri,
        verifier,
        options,
      )
      const tokens = await oauth.processAuthorizationCodeResponse(as, client, response)
      expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'people:read' })
      expect(await canUseTools(live, tokens.access_token)).toBe(true)

      const refreshResponse = await oauth.refreshTokenGrantRequest(
        as,
        client,
        authentication,
        tokens.refresh_token!,
        options,
      )
      const next = await oauth.processRefreshTokenResponse(as, client, refreshResponse)
      const revocation = await oauth.revocationRequest(
        as,
        client,
        authentication,
        next.refresh_token!,
        insecure,
      )
      expect(await oauth.processRevocationResponse(revocation)).toBeUndefined()
      expect(await canUseTools(live, next.access_token)).toBe(false)
      const lateRefresh = await oauth.refreshTokenGrantRequest(
        as,
        client,
        authentication,
        next.refresh_token!,
        options,
      )
      await expect(oauth.processRefreshTokenResponse(as, client, lateRefresh)).rejects.toMatchObject({
        error: 'invalid_grant',
        status: 400,
      })
    })
  })

  test('the MCP SDK client needs only the MCP address', async () => {
    const live = await openLiveService(memoryStorage())
    const provider = createMemoryProvider(live.redirectUri)
    const serverUrl = `${live.base}/mcp`
    expect(await auth(provider, { serverUrl })).toBe('REDIRECT')
    const callbackUrl = (await approveInBrowser(live, provider.authorizationUrl()!)).searchParams
    const callback = { authorizationCode: callbackUrl.get('code')!, iss: callbackUrl.get('iss')! }
    expect(await auth(provider, { serverUrl, ...callback })).toBe('AUTHORIZED')
    const first = provider.currentTokens()
    expect(await canUseTools(live, first!.access_token)).toBe(true)

    expect(await auth(provider, { serverUrl })).toBe('AUTHORIZED')
    expect(provider.currentTokens()!.refresh_token).not.toBe(first!.refresh_token)
    expect(await canUseTools(live, provider.currentTokens()!.access_token)).toBe(true)
  })
})

/** A client provider of the SDK that stores its state in memory. */
function createMemoryProvider(redirectUrl: string) {
  const stored: Record<string, unknown> = {}
  const save = (name: string) => (value: unknown) => {
    stored[name] = value
  }
  const provider = {
    redirectUrl,
    clientMetadata: { client_name: 'Radar', redirect_uris: [redirectUrl] },
    clientInformation: () => stored['client'],
    saveClientInformation: save('client'),
    tokens: () => stored['tokens'],
    saveTokens: save('tokens'),
    redirectToAuthorization: save('url'),
    saveCodeVerifier: save('verifier'),
    codeVerifier: () => stored['verifier'],
    discoveryState: () => stored['discovery'],
    saveDiscoveryState: save('discovery'),
  } as unknown as OAuthClientProvider
  return Object.assign(provider, {
    authorizationUrl: () => stored['url'] as URL | undefined,
    currentTokens: () =>
      stored['tokens'] as { readonly access_token: string; readonly refresh_token: string } | undefined,
  })
}
