import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { auth, type Client, UnauthorizedError } from '@modelcontextprotocol/client'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startConformanceService } from '../mcp/conformance/conformance-service.ts'
import { RECEIVER_CERTIFICATE, RECEIVER_KEY } from '../support/receiver-certificate.ts'
import { temporaryFolder } from '../support/service-process.ts'
import { CHROMIUM } from './live-service.ts'
import { approveAccess, openPublicClient, revokeAccess } from './mcp-public-client.ts'

const PERSON = { name: 'create_records', arguments: { entity: 'people', records: [{ full_name: 'Ana' }] } }
const CREATED = { structuredContent: { succeeded: 1, failed: 0 } }

async function toolsOf(client: Client): Promise<string[]> {
  return (await client.listTools()).tools.map(({ name }) => name)
}

/** Serves a client metadata document at an https address of this machine. */
async function openDocument() {
  const served: { document: object; requests: number } = { document: {}, requests: 0 }
  const server = createServer({ key: RECEIVER_KEY, cert: RECEIVER_CERTIFICATE }, (_, response) => {
    served.requests += 1
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(served.document))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const ca = join(await temporaryFolder(), 'ca.pem')
  writeFileSync(ca, RECEIVER_CERTIFICATE)
  return { ca, served, url: `https://localhost:${(server.address() as AddressInfo).port}/radar.json` }
}

describe.skipIf(CHROMIUM === null)(
  'the official MCP client with a service process and a browser',
  { timeout: 60_000 },
  () => {
    test('registers from the MCP address alone, is approved, lists tools and calls them', async () => {
      const service = await startConformanceService()
      const publicClient = await openPublicClient(service)
      const first = publicClient.transport()
      await expect(publicClient.client(first)).rejects.toBeInstanceOf(UnauthorizedError)
      const { consentText, callback } = await approveAccess(publicClient)
      expect(consentText).toContain('127.0.0.1')
      expect(callback.get('iss')).toBe(`${service.address}/mcp`)
      await first.finishAuth(callback)
      const client = await publicClient.client()
      expect(await toolsOf(client)).toHaveLength(16)
      expect(await client.callTool({ name: 'get_context' })).toMatchObject({
        structuredContent: { workspace: { slug: 'acme' } },
      })
      expect(await client.callTool(PERSON)).toMatchObject(CREATED)

      const apiResponse = await fetch(`${service.address}/v1/people`, {
        headers: { Authorization: `Bearer ${publicClient.stored.tokens!.access_token}` },
      })
      expect([apiResponse.status, await apiResponse.json()]).toMatchObject([
        401,
        { error: { code: 'unauthorized', message: 'Invalid or malformed token.' } },
      ])
    })

    test('refreshes an invalid access token, and a removed access ends with the next call', async () => {
      const publicClient = await openPublicClient(await startConformanceService())
      const first = publicClient.transport()
      await expect(publicClient.client(first)).rejects.toBeInstanceOf(UnauthorizedError)
      await first.finishAuth((await approveAccess(publicClient)).callback)
      const client = await publicClient.client()
      const before = publicClient.stored.tokens!
      // Simulates an expired access token.
      publicClient.stored.tokens = { ...before, access_token: 'expired' }
      expect(await client.callTool(PERSON)).toMatchObject(CREATED)
      expect(publicClient.stored.tokens.access_token).not.toBe(before.access_token)
      expect(publicClient.stored.tokens.refresh_token).not.toBe(before.refresh_token)

      await revokeAccess(publicClient)
      const { access_token } = publicClient.stored.tokens
      await expect(client.callTool(PERSON)).rejects.toBeInstanceOf(UnauthorizedError)
      const headers = { Authorization: `Bearer ${access_token}`, 'Content-Type': 'application/json' }
      const rejected = await fetch(`${publicClient.service.address}/mcp`, {
        method: 'POST',
        headers,
        body: '{}',
      })
      expect([rejected.status, await rejected.json()]).toMatchObject([401, { error: 'invalid_token' }])
    })

    test('a client with a narrower approval asks its user for the scopes of a call', async () => {
      const publicClient = await openPublicClient(await startConformanceService())
      const { provider, service } = publicClient
      const first = publicClient.transport()
      expect(await auth(provider, { serverUrl: `${service.address}/mcp`, scope: 'people:read' })).toBe(
        'REDIRECT',
      )
      await first.finishAuth((await approveAccess(publicClient)).callback)
      expect(publicClient.stored.tokens).toMatchObject({ scope: 'people:read' })
      const transport = publicClient.transport()
      const client = await publicClient.client(transport)
      expect(await toolsOf(client)).not.toContain('create_records')
      await expect(client.callTool(PERSON)).rejects.toBeInstanceOf(UnauthorizedError)
      expect(publicClient.stored.url!.searchParams.get('scope')).toBe('people:read people:write')
      await transport.finishAuth((await approveAccess(publicClient)).callback)
      expect(publicClient.stored.tokens).toMatchObject({ scope: 'people:read people:write' })
      expect(await client.callTool(PERSON)).toMatchObject(CREATED)
    })

    test('a client with a metadata document is approved without registration', async () => {
      const { ca, served, url } = await openDocument()
      const service = await startConformanceService({
        NODE_EXTRA_CA_CERTS: ca,
        OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
      })
      const publicClient = await openPublicClient(service, { documentUrl: url })
      served.document = {
        client_id: url,
        client_name: 'Radar',
        redirect_uris: [publicClient.redirectUrl],
        token_endpoint_auth_method: 'none',
      }
      const first = publicClient.transport()
      await expect(publicClient.client(first)).rejects.toBeInstanceOf(UnauthorizedError)
      const { consentText, callback } = await approveAccess(publicClient)
      expect(consentText).toContain(new URL(url).host)
      await first.finishAuth(callback)
      const client = await publicClient.client()
      expect(await client.callTool(PERSON)).toMatchObject(CREATED)
      expect([publicClient.stored.client, served.requests]).toMatchObject([{ client_id: url }, 1])
      const routes = service.lines.map((line) => line['route'])
      expect(routes).not.toContain('/mcp/register')
    })
  },
)
