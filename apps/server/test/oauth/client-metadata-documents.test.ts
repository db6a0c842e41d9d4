import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { memoryStorage } from '@sales-crm/core/memory'
import type { FetchDocument } from '@sales-crm/core/ports'
import { expect, onTestFinished, test } from 'vitest'
import { encodeForm } from '../support/oauth-requests.ts'
import {
  authorizePublicClient,
  canUseTools,
  exchangePublicClientCode,
  LOOPBACK_URI,
  oauthErrorOf,
  obtainPublicClientCode,
  publicClientParameters,
  publicClientTokensOf,
  refreshPublicClientTokens,
} from '../support/public-client-requests.ts'
import { RECEIVER_CERTIFICATE, RECEIVER_KEY } from '../support/receiver-certificate.ts'
import { describeEachStore, describePersistentStores } from '../support/stores.ts'
import { openService, openWorkspace } from '../support/test-service.ts'
import { createWebhookEnvironment } from '../support/webhook-environment.ts'
import { startWebhookReceiver } from '../support/webhook-receiver.ts'

const METADATA_URL = 'https://radar.example/client.json'
const DOCUMENT = { client_id: METADATA_URL, client_name: 'Lead Radar', redirect_uris: [LOOPBACK_URI] }

const serveDocument =
  (content: unknown): FetchDocument =>
  async () => ({ text: typeof content === 'string' ? content : JSON.stringify(content), max_age: undefined })

describeEachStore('a public client with a metadata document', (open) => {
  test('is authorized by its URL, gets tokens and refreshes them', async () => {
    const service = await openService(await open(), { fetchDocument: serveDocument(DOCUMENT) })
    const acme = await openWorkspace(service)
    const code = await obtainPublicClientCode(service, acme, METADATA_URL, {
      redirect_uri: 'http://127.0.0.1:7777/callback',
    })
    const tokens = publicClientTokensOf(await exchangePublicClientCode(service, METADATA_URL, code))
    const next = publicClientTokensOf(
      await refreshPublicClientTokens(service, METADATA_URL, tokens.refresh_token),
    )
    expect(await canUseTools(service, next.access_token)).toBe(true)
    const { connectedApps } = service.crm.accounts
    expect(await connectedApps({ session_id: '', user: acme.owner })).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          app_name: 'Lead Radar',
          client_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        }),
      ]),
    )
    expect(oauthErrorOf(await refreshPublicClientTokens(service, METADATA_URL, tokens.refresh_token))).toBe(
      '400 invalid_grant',
    )
    expect(await canUseTools(service, next.access_token)).toBe(false)
  })

  test('is stored once for twenty concurrent first requests', async () => {
    const storage = await open()
    const url = `${METADATA_URL}?${crypto.randomUUID()}`
    const service = await openService(storage, {
      fetchDocument: serveDocument({ ...DOCUMENT, client_id: url }),
    })
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => authorizePublicClient(service, publicClientParameters(url))),
    )
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 303))
    expect(await storage.read((tx) => tx.apps.find([{ field: 'metadata_url', is: url }]))).toHaveLength(1)
  })

  test('is rejected if its document or URL is invalid', async () => {
    const { client_id: _, ...rest } = DOCUMENT
    const invalidDocuments = [
      `{"client_id":"${METADATA_URL}","redirect_uris":["\\ud800"]}`,
      { ...rest, client_id: `${METADATA_URL}\u0000` },
      'null',
      '{',
      '',
    ]
    for (const content of invalidDocuments) {
      const service = await openService(await open(), { fetchDocument: serveDocument(content) })
      expect(
        oauthErrorOf(await authorizePublicClient(service, publicClientParameters(`${METADATA_URL}?hostile`))),
      ).toBe('400 invalid_client')
    }
    const service = await openService(await open())
    for (const client_id of [
      'https://radar.example/\u0000',
      'https://radar.example/\ud800',
      `https://radar.example/${'x'.repeat(3000)}`,
    ]) {
      expect(oauthErrorOf(await exchangePublicClientCode(service, client_id, 'x'))).toBe('400 invalid_client')
      expect(oauthErrorOf(await authorizePublicClient(service, publicClientParameters(client_id)))).toBe(
        '400 invalid_client',
      )
    }
  })
})

test('reports every unreadable document with the same error', async () => {
  const service = await openService(memoryStorage(), { fetchDocument: async () => undefined })
  const response = await authorizePublicClient(service, publicClientParameters(METADATA_URL))
  expect([oauthErrorOf(response), response.json]).toEqual([
    '400 invalid_client',
    { error: 'invalid_client', error_description: 'The client metadata document could not be read.' },
  ])
})

test('fetches documents from public addresses only', async () => {
  const service = await openService(memoryStorage())
  for (const host of ['127.0.0.1', '10.0.0.1', '169.254.169.254', 'localhost', 'printer', 'db.internal']) {
    const { json, ...response } = await authorizePublicClient(
      service,
      publicClientParameters(`https://${host}/client`),
    )
    expect([
      host,
      oauthErrorOf({ ...response, json }),
      (json as { error_description: string }).error_description,
    ]).toEqual([
      host,
      '400 invalid_client',
      'The client does not exist. client_id: Must be a public address.',
    ])
  }
})

/** A document server with a faulty response per path. */
async function documentServer() {
  const documentAt = (path: string) => ({ ...DOCUMENT, client_id: at(path) })
  const responseFor = (path: string): readonly [number, Record<string, string>, string] => {
    const json = { 'Content-Type': 'application/json' }
    const text = JSON.stringify(documentAt(path))
    if (path === '/large') return [200, json, text + ' '.repeat(65_536)]
    if (path === '/moved') return [302, { Location: at('/good') }, '']
    if (path === '/lies') return [200, json, JSON.stringify(documentAt('/good'))]
    if (path === '/html') return [200, { 'Content-Type': 'text/html' }, text]
    return path === '/good' ? [200, json, text] : [404, json, text]
  }
  const requestedPaths: string[] = []
  const server = createServer({ key: RECEIVER_KEY, cert: RECEIVER_CERTIFICATE }, (request, response) => {
    const path = request.url ?? ''
    requestedPaths.push(path)
    if (path === '/slow') return
    const [status, headers, text] = responseFor(path)
    response.writeHead(status, headers).end(text)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const at = (path: string) => `https://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
  return { at, requestedPaths }
}

describePersistentStores(
  'a process of the service',
  (openDatabase) => {
    test('fetches client metadata documents and reports all read failures alike', {
      timeout: 60_000,
    }, async () => {
      const { database } = await openDatabase()
      const service = await (await createWebhookEnvironment(database, await startWebhookReceiver())).start()
      const { at, requestedPaths } = await documentServer()
      const authorizeWith = async (path: string) => {
        const response = await fetch(
          `${service.address}/mcp/authorize?${encodeForm(publicClientParameters(at(path)))}`,
          {
            redirect: 'manual',
          },
        )
        return response.status === 303
          ? 'authorized'
          : ((await response.json()) as { error_description: string }).error_description
      }
      expect(await authorizeWith('/good')).toBe('authorized')
      const message = 'The client metadata document could not be read.'
      const failing = ['/large', '/moved', '/html', '/missing', '/slow']
      expect(await Promise.all(failing.map(authorizeWith))).toEqual(failing.map(() => message))
      expect(await authorizeWith('/lies')).toContain('client_id must be the address of the document')
      expect(await authorizeWith('/good')).toBe('authorized')
      expect(requestedPaths.filter((path) => path === '/good')).toHaveLength(1)
    })
  },
  ['sqlite'],
)
