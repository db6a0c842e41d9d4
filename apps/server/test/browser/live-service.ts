import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { OutgoingMail } from '@sales-crm/core'
import type { Storage } from '@sales-crm/core/ports'
import { newId } from '@sales-crm/node'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, inject, onTestFinished } from 'vitest'
import { UnreadResponses } from '../../src/http/limits/unread-responses.ts'
import { serve } from '../../src/process/serve.ts'
import { openService } from '../support/test-service.ts'

export const CHROMIUM = inject('chromium')
export const PASSWORD = 'correct horse battery'

let browser: Promise<Browser> | undefined

/** Opens a page; all tests of a file share one browser. */
export async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
  browser ??= chromium.launch({ executablePath: CHROMIUM!, args: ['--no-sandbox'] })
  const context = await (await browser).newContext({ locale: 'en-US', ...options })
  onTestFinished(() => context.close())
  context.setDefaultTimeout(10_000)
  return context.newPage()
}

afterAll(async () => {
  await (await browser)?.close()
  browser = undefined
})

async function serveOnSocket(storage: Storage, options: Parameters<typeof openService>[1] = {}) {
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const service = await openService(storage, { ...options, issuer: base })
  const serving = await serve(service.app, {
    host: '127.0.0.1',
    port,
    rateLimits: service.rateLimits,
    newId,
    unreadResponses: new UnreadResponses(),
  })
  onTestFinished(async () => {
    await serving.stop()
  })
  return { service, base }
}

/** Serves a service without a workspace on a socket, and returns its address. */
export async function openEmptyLiveService(storage: Storage): Promise<string> {
  const { base } = await serveOnSocket(storage, { setup: true })
  return base
}

export type LiveService = Awaited<ReturnType<typeof openLiveService>>

/**
 * Serves the service on a socket, with its real address as issuer, and an app that receives redirects.
 * @param sendsOn the scheme of the address to which the app sends its users on
 */
export async function openLiveService(storage: Storage, { sendsOn }: { sendsOn?: 'http' | 'myapp' } = {}) {
  const app = await openRedirectReceiver(sendsOn)
  const { service, base } = await serveOnSocket(storage)
  const { operator, mail } = service.crm
  const slug = `acme-${newId()}`
  const email = `olga@${slug}.example`
  const workspace = await operator.createWorkspace({
    ...{ name: 'Acme & Sons', slug, owner_name: 'Olga', owner_email: email, owner_password: PASSWORD },
  })
  const registered = await operator.createApp({
    ...{
      name: 'Lead Radar',
      email: 'dev@radar.example',
      redirect_uris: [app.redirectUri],
      scopes: ['people:read', 'tasks:write'],
    },
  })
  return {
    ...service,
    base,
    slug,
    email,
    workspace,
    registered,
    redirectUri: app.redirectUri,
    /** Resolves with the URL of the next callback. */
    comeBack: app.comeBack,
    async sendMail(): Promise<OutgoingMail[]> {
      const sent: OutgoingMail[] = []
      await mail.send(async (message) => void sent.push(message))
      return sent
    },
    authorizeUrl(overrides: Readonly<Record<string, string>> = {}) {
      const parameters = {
        client_id: registered.client_id,
        redirect_uri: app.redirectUri,
        response_type: 'code',
        ...overrides,
      }
      return `${base}/oauth/authorize?${new URLSearchParams(parameters)}`
    },
  }
}

export async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

export async function openRedirectReceiver(sendsOn?: 'http' | 'myapp') {
  let onCallback: ((url: URL) => void) | undefined
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    if (sendsOn && url.pathname === '/callback') {
      response.writeHead(303, { Location: `${sendsOn}://localhost:${url.port}/welcome` }).end()
      onCallback?.(url)
      return
    }
    response
      .setHeader('Content-Type', 'text/html')
      .end('<!doctype html><title>Back</title><h1>Back at the app</h1>')
    if (url.pathname === '/callback') onCallback?.(url)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    redirectUri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    comeBack: () =>
      new Promise<URL>((resolve) => {
        onCallback = resolve
      }),
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
