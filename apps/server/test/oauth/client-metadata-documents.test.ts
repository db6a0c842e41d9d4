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

const AT = 'https://radar.example/client.json'
const DOCUMENT = { client_id: AT, client_name: 'Lead Radar', redirect_uris: [LOOPBACK_URI] }

const always =
  (content: unknown): FetchDocument =>
  async () => ({ text: typeof content === 'string' ? content : JSON.stringify(content), max_age: undefined })

describeEachStore('a program that is described by a document', (open) => {
  test('is let in by its address, gets tokens and keeps them', async () => {
    const service = await openService(await open(), { fetchDocument: always(DOCUMENT) })
    const acme = await openWorkspace(service)
    const code = await obtainPublicClientCode(service, acme, AT, {
      redirect_uri: 'http://127.0.0.1:7777/callback',
    })
    const tokens = publicClientTokensOf(await exchangePublicClientCode(service, AT, code))
    const next = publicClientTokensOf(await refreshPublicClientTokens(service, AT, tokens.refresh_token))
    expect(await canUseTools(service, next.access_token)).toBe(true)
    const { connectedApps: connections } = service.crm.accounts
    expect(await connections({ session_id: '', user: acme.owner })).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          app_name: 'Lead Radar',
          client_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        }),
      ]),
    )
    expect(oauthErrorOf(await refreshPublicClientTokens(service, AT, tokens.refresh_token))).toBe(
      '400 invalid_grant',
    )
    expect(await canUseTools(service, next.access_token)).toBe(false)
  })

  test('is one program, even when twenty ask for it first at once', async () => {
    const storage = await open()
    const at = `${AT}?${crypto.randomUUID()}`
    const service = await openService(storage, { fetchDocument: always({ ...DOCUMENT, client_id: at }) })
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => authorizePublicClient(service, publicClientParameters(at))),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 303))
    expect(await storage.read((tx) => tx.apps.find([{ field: 'metadata_url', is: at }]))).toHaveLength(1)
  })

  test('is refused with what no database holds', async () => {
    const { client_id: _, ...rest } = DOCUMENT
    const hostile = [
      `{"client_id":"${AT}","redirect_uris":["\\ud800"]}`,
      { ...rest, client_id: `${AT}\u0000` },
      'null',
      '{',
      '',
    ]
    for (const content of hostile) {
      const service = await openService(await open(), { fetchDocument: always(content) })
      expect(
        oauthErrorOf(await authorizePublicClient(service, publicClientParameters(`${AT}?hostile`))),
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

test('a document that cannot be had is told of in one way, whatever the reason', async () => {
  const service = await openService(memoryStorage(), { fetchDocument: async () => undefined })
  const answer = await authorizePublicClient(service, publicClientParameters(AT))
  expect([oauthErrorOf(answer), answer.json]).toEqual([
    '400 invalid_client',
    { error: 'invalid_client', error_description: 'The client metadata document could not be read.' },
  ])
})

test('a document is looked for at public addresses alone', async () => {
  const service = await openService(memoryStorage())
  for (const host of ['127.0.0.1', '10.0.0.1', '169.254.169.254', 'localhost', 'printer', 'db.internal']) {
    const { json, ...answer } = await authorizePublicClient(
      service,
      publicClientParameters(`https://${host}/client`),
    )
    expect([
      host,
      oauthErrorOf({ ...answer, json }),
      (json as { error_description: string }).error_description,
    ]).toEqual([
      host,
      '400 invalid_client',
      'The client does not exist. client_id: Must be a public address.',
    ])
  }
})

/** A server of documents, which says at each path what it must not. */
async function documentServer() {
  const own = (path: string) => ({ ...DOCUMENT, client_id: at(path) })
  const say = (path: string): readonly [number, Record<string, string>, string] => {
    const json = { 'Content-Type': 'application/json' }
    const text = JSON.stringify(own(path))
    if (path === '/large') return [200, json, text + ' '.repeat(65_536)]
    if (path === '/moved') return [302, { Location: at('/good') }, '']
    if (path === '/lies') return [200, json, JSON.stringify(own('/good'))]
    if (path === '/html') return [200, { 'Content-Type': 'text/html' }, text]
    return path === '/good' ? [200, json, text] : [404, json, text]
  }
  const asked: string[] = []
  const server = createServer({ key: RECEIVER_KEY, cert: RECEIVER_CERTIFICATE }, (request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    if (path === '/slow') return
    const [status, headers, text] = say(path)
    response.writeHead(status, headers).end(text)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const at = (path: string) => `https://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
  return { at, asked }
}

describePersistentStores(
  'a process of the service',
  (found) => {
    test('fetches the documents of programs, and tells no failure from another', {
      timeout: 60_000,
    }, async () => {
      const { database: place } = await found()
      const service = await (await createWebhookEnvironment(place, await startWebhookReceiver())).start()
      const { at, asked: fetched } = await documentServer()
      const begin = async (path: string) => {
        const answer = await fetch(
          `${service.address}/mcp/authorize?${encodeForm(publicClientParameters(at(path)))}`,
          {
            redirect: 'manual',
          },
        )
        return answer.status === 303
          ? 'let in'
          : ((await answer.json()) as { error_description: string }).error_description
      }
      expect(await begin('/good')).toBe('let in')
      const unread = 'The client metadata document could not be read.'
      const failing = ['/large', '/moved', '/html', '/missing', '/slow']
      expect(await Promise.all(failing.map(begin))).toEqual(failing.map(() => unread))
      expect(await begin('/lies')).toContain('client_id must be the address of the document')
      expect(await begin('/good')).toBe('let in')
      expect(fetched.filter((path) => path === '/good')).toHaveLength(1)
    })
  },
  ['sqlite'],
)
