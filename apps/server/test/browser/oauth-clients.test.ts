import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { describe, expect, test } from 'vitest'
import { describeEachStore } from '../support/stores.ts'
import { CHROMIUM, type LiveService, openLiveService, openPage, signIn } from './live-service.ts'

/** Approves in a browser and returns the callback URL. */
async function approveInBrowser(live: LiveService, url: URL): Promise<URL> {
  const page = await openPage({ javaScriptEnabled: false })
  const callbackUrl = live.comeBack()
  await page.goto(url.href)
  await signIn(page, live.email)
  await page.getByRole('button', { name: /^(Allow|Approve)/ }).click()
  return callbackUrl
}

function statusWith({ base }: LiveService, token: string): Promise<number> {
  return fetch(`${base}/v1/people`, { headers: { Authorization: `Bearer ${token}` } }).then(
    ({ status }) => status,
  )
}

/** Returns the status behind a library error. The library does not parse the API's error object. */
async function rejectionStatus(work: Promise<unknown>): Promise<number> {
  const { cause } = await work.then(
    () => new Error('Expected a rejection.'),
    (error: Error) => error,
  )
  return (cause as Response).status
}

describe.skipIf(CHROMIUM === null)('OAuth client libraries and a browser', () => {
  describeEachStore('openid-client', (open) => {
    test.each([
      ['in the body', openid.ClientSecretPost],
      ['by HTTP Basic', openid.ClientSecretBasic],
    ])(
      'discovers, is approved, exchanges, calls, refreshes and revokes, authenticating %s',
      async (_, authentication) => {
        const live = await openLiveService(await open())
        const { client_id, client_secret } = live.registered
        const config = await openid.discovery(
          new URL(live.base),
          client_id,
          undefined,
          authentication(client_secret),
          {
            algorithm: 'oauth2',
            execute: [openid.allowInsecureRequests],
          },
        )
        expect(config.serverMetadata().supportsPKCE()).toBe(true)
        const verifier = openid.randomPKCECodeVerifier()
        const state = openid.randomState()
        const url = openid.buildAuthorizationUrl(config, {
          redirect_uri: live.redirectUri,
          scope: 'people:read',
          state,
          code_challenge: await openid.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        })
        const callbackUrl = await approveInBrowser(live, url)
        const checks = { pkceCodeVerifier: verifier, expectedState: state }
        const first = await openid.authorizationCodeGrant(config, callbackUrl, checks)
        expect(first).toMatchObject({ token_type: 'bearer', expires_in: 3600, workspace_slug: live.slug })
        expect(await statusWith(live, first.access_token)).toBe(200)

        const second = await openid.refreshTokenGrant(config, first.refresh_token!)
        expect(second.refresh_token).not.toBe(first.refresh_token)
        expect(await rejectionStatus(openid.refreshTokenGrant(config, first.refresh_token!))).toBe(400)
        expect(await statusWith(live, second.access_token)).toBe(200)

        await openid.tokenRevocation(config, second.access_token)
        expect(await statusWith(live, second.access_token)).toBe(401)
        expect(await rejectionStatus(openid.refreshTokenGrant(config, second.refresh_token!))).toBe(400)
      },
    )
  })

  test('oauth4webapi works as well and accepts the issuer', async () => {
    const { memoryStorage } = await import('@sales-crm/core/memory')
    const live = await openLiveService(memoryStorage())
    const insecure = { [oauth.allowInsecureRequests]: true }
    const issuer = new URL(live.base)
    const discovery = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure })
    const as = await oauth.processDiscoveryResponse(issuer, discovery)
    const client = { client_id: live.registered.client_id }
    const authentication = oauth.ClientSecretPost(live.registered.client_secret)
    const verifier = oauth.generateRandomCodeVerifier()
    const url = new URL(as.authorization_endpoint!)
    url.search = new URLSearchParams({
      ...{
        client_id: client.client_id,
        redirect_uri: live.redirectUri,
        response_type: 'code',
        state: 'a state & more',
      },
      ...{ code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
    }).toString()

    const params = oauth.validateAuthResponse(as, client, await approveInBrowser(live, url), 'a state & more')
    const response = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      authentication,
      params,
      live.redirectUri,
      verifier,
      insecure,
    )
    const tokens = await oauth.processAuthorizationCodeResponse(as, client, response)
    expect(await statusWith(live, tokens.access_token)).toBe(200)

    const refreshed = await oauth.refreshTokenGrantRequest(
      as,
      client,
      authentication,
      tokens.refresh_token!,
      insecure,
    )
    expect(await oauth.processRefreshTokenResponse(as, client, refreshed)).toMatchObject({
      token_type: 'bearer',
    })
    const revoked = await oauth.revocationRequest(as, client, authentication, tokens.access_token, insecure)
    await oauth.processRevocationResponse(revoked)
    expect(await statusWith(live, tokens.access_token)).toBe(401)
  })
})
