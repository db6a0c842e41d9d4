import { randomUUID } from 'node:crypto'
import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'
import type { startConformanceService } from '../mcp/conformance/conformance-service.ts'
import { openPage, openRedirectReceiver, signIn } from './live-service.ts'

type ConformanceService = Awaited<ReturnType<typeof startConformanceService>>
interface ClientState {
  client?: StoredOAuthClientInformation
  tokens?: StoredOAuthTokens
  discovery?: OAuthDiscoveryState
  verifier?: string
  /** The URL of the last redirect to authorization. */
  url?: URL
}

type PublicClient = Awaited<ReturnType<typeof openPublicClient>>

/**
 * Opens a public client that knows only the MCP address and receives browser redirects on a loopback address.
 */
export async function openPublicClient(
  service: ConformanceService,
  { documentUrl }: { readonly documentUrl?: string } = {},
) {
  const receiver = await openRedirectReceiver()
  const redirectUrl = receiver.redirectUri
  const stored: ClientState = {}
  const state = randomUUID()
  const provider: OAuthClientProvider = {
    redirectUrl,
    ...(documentUrl !== undefined && { clientMetadataUrl: documentUrl }),
    clientMetadata: { client_name: 'Radar', redirect_uris: [redirectUrl] },
    state: () => state,
    clientInformation: () => stored.client,
    saveClientInformation: (client) => void Object.assign(stored, { client }),
    tokens: () => stored.tokens,
    saveTokens: (tokens) => void Object.assign(stored, { tokens }),
    redirectToAuthorization: (url) => void Object.assign(stored, { url }),
    saveCodeVerifier: (verifier) => void Object.assign(stored, { verifier }),
    codeVerifier: () => stored.verifier!,
    saveDiscoveryState: (discovery) => void Object.assign(stored, { discovery }),
    discoveryState: () => stored.discovery,
    invalidateCredentials: (scope) => void (scope === 'tokens' && delete stored.tokens),
  }
  const url = new URL(`${service.address}/mcp`)
  const transport = () => new StreamableHTTPClientTransport(url, { authProvider: provider })

  return {
    service,
    provider,
    redirectUrl,
    state,
    transport,
    comeBack: receiver.comeBack,
    stored,
    client: async (connectTransport = transport()): Promise<Client> => {
      const client = new Client({ name: 'Radar', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
      onTestFinished(() => client.close())
      await client.connect(connectTransport)
      return client
    },
  }
}

/** Signs in and approves in a browser. Returns the text of the consent page and the callback parameters. */
export async function approveAccess({ service, stored, comeBack, state }: PublicClient) {
  const page = await openPage({ javaScriptEnabled: false })
  const callbackUrl = comeBack()
  await page.goto(stored.url!.href)
  await signIn(page, service.email)
  await page.getByText('nobody has checked it').waitFor()
  const consentText = await page.locator('main').innerText()
  await page.getByRole('button', { name: 'Allow access' }).click()
  const callback = (await callbackUrl).searchParams
  if (callback.get('state') !== state) throw new Error(`Unexpected state: ${callback}`)
  return { consentText, callback }
}

/** Disconnects the client on the account page. */
export async function revokeAccess({ service }: PublicClient): Promise<void> {
  const page = await openPage({ javaScriptEnabled: false })
  await page.goto(`${service.address}/sign-in`)
  await signIn(page, service.email)
  await page.goto(`${service.address}/account`)
  const row = page.locator('li', { hasText: 'Radar' })
  await row.locator('summary', { hasText: 'Remove' }).click()
  await row.getByRole('button', { name: 'Remove Radar' }).click()
  await page.getByText('The app no longer has access.').waitFor()
}
