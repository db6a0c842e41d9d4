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
import type { served } from '../conformance/served.ts'
import { openPage, openReceiver, signIn } from './live.ts'

type Served = Awaited<ReturnType<typeof served>>
interface Kept {
  client?: StoredOAuthClientInformation
  tokens?: StoredOAuthTokens
  discovery?: OAuthDiscoveryState
  verifier?: string
  /** Where the program sent its user last. */
  url?: URL
}

type Program = Awaited<ReturnType<typeof openProgram>>

/** A program that is given the address of the tools, and waits at an address of the loopback for browsers to come back to it. */
export async function openProgram(service: Served, { documentUrl }: { readonly documentUrl?: string } = {}) {
  const receiver = await openReceiver(false)
  const redirectUrl = receiver.redirectUri
  const kept: Kept = {}
  const state = randomUUID()
  const provider: OAuthClientProvider = {
    redirectUrl,
    ...(documentUrl !== undefined && { clientMetadataUrl: documentUrl }),
    clientMetadata: { client_name: 'Radar', redirect_uris: [redirectUrl] },
    state: () => state,
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void Object.assign(kept, { client }),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void Object.assign(kept, { tokens }),
    redirectToAuthorization: (url) => void Object.assign(kept, { url }),
    saveCodeVerifier: (verifier) => void Object.assign(kept, { verifier }),
    codeVerifier: () => kept.verifier!,
    saveDiscoveryState: (discovery) => void Object.assign(kept, { discovery }),
    discoveryState: () => kept.discovery,
    invalidateCredentials: (what) => void (what === 'tokens' && delete kept.tokens),
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
    kept,
    client: async (through = transport()): Promise<Client> => {
      const client = new Client({ name: 'Radar', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
      onTestFinished(() => client.close())
      await client.connect(through)
      return client
    },
  }
}

/** Signs in and approves where the program sent its user. Gives what the page said of it, and what the program was called back with. */
export async function approved({ service, kept, comeBack, state }: Program) {
  const page = await openPage({ javaScriptEnabled: false })
  const back = comeBack()
  await page.goto(kept.url!.href)
  await signIn(page, service.email)
  await page.getByText('nobody has checked it').waitFor()
  const said = await page.locator('main').innerText()
  await page.getByRole('button', { name: 'Allow access' }).click()
  const callback = (await back).searchParams
  if (callback.get('state') !== state) throw new Error(`Another state came back: ${callback}`)
  return { said, callback }
}

/** As the program's user, on the account page. */
export async function removed({ service }: Program): Promise<void> {
  const page = await openPage({ javaScriptEnabled: false })
  await page.goto(`${service.address}/account`)
  await signIn(page, service.email)
  const row = page.locator('li', { hasText: 'Radar' })
  await row.locator('summary', { hasText: 'Remove' }).click()
  await row.getByRole('button', { name: 'Remove Radar' }).click()
  await page.getByText('The app no longer has access.').waitFor()
}
