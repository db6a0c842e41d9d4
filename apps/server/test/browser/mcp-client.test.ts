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
const MADE = { structuredContent: { succeeded: 1, failed: 0 } }

async function toolsOf(client: Client): Promise<string[]> {
  return (await client.listTools()).tools.map(({ name }) => name)
}

/** What a program tells of itself, at an https address on this machine. */
async function openDocument() {
  const told: { document: object; asked: number } = { document: {}, asked: 0 }
  const server = createServer({ key: RECEIVER_KEY, cert: RECEIVER_CERTIFICATE }, (_, response) => {
    told.asked += 1
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(told.document))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const ca = join(await temporaryFolder(), 'ca.pem')
  writeFileSync(ca, RECEIVER_CERTIFICATE)
  return { ca, told, url: `https://localhost:${(server.address() as AddressInfo).port}/radar.json` }
}

describe.skipIf(CHROMIUM === null)(
  "the protocol's own client, a process of the service and a browser",
  { timeout: 60_000 },
  () => {
    test('given the address alone, a program registers, is approved, lists the tools and calls them', async () => {
      const service = await startConformanceService()
      const program = await openPublicClient(service)
      const first = program.transport()
      await expect(program.client(first)).rejects.toBeInstanceOf(UnauthorizedError)
      const { said, callback } = await approveAccess(program)
      expect(said).toContain('127.0.0.1')
      expect(callback.get('iss')).toBe(`${service.address}/mcp`)
      await first.finishAuth(callback)
      const client = await program.client()
      expect(await toolsOf(client)).toHaveLength(15)
      expect(await client.callTool({ name: 'get_context' })).toMatchObject({
        structuredContent: { workspace: { slug: 'acme' } },
      })
      expect(await client.callTool(PERSON)).toMatchObject(MADE)

      const told = await fetch(`${service.address}/v1/people`, {
        headers: { Authorization: `Bearer ${program.kept.tokens!.access_token}` },
      })
      expect([told.status, await told.json()]).toMatchObject([
        401,
        { error: { code: 'unauthorized', message: 'Invalid or malformed token.' } },
      ])
    })

    test('a token that is good no more is refreshed, and access that is removed ends with the next call', async () => {
      const program = await openPublicClient(await startConformanceService())
      const first = program.transport()
      await expect(program.client(first)).rejects.toBeInstanceOf(UnauthorizedError)
      await first.finishAuth((await approveAccess(program)).callback)
      const client = await program.client()
      const before = program.kept.tokens!
      // As if an hour had passed.
      program.kept.tokens = { ...before, access_token: 'over' }
      expect(await client.callTool(PERSON)).toMatchObject(MADE)
      expect(program.kept.tokens.access_token).not.toBe(before.access_token)
      expect(program.kept.tokens.refresh_token).not.toBe(before.refresh_token)

      await revokeAccess(program)
      const { access_token } = program.kept.tokens
      await expect(client.callTool(PERSON)).rejects.toBeInstanceOf(UnauthorizedError)
      const headers = { Authorization: `Bearer ${access_token}`, 'Content-Type': 'application/json' }
      const refused = await fetch(`${program.service.address}/mcp`, { method: 'POST', headers, body: '{}' })
      expect([refused.status, await refused.json()]).toMatchObject([401, { error: 'invalid_token' }])
    })

    test('a program that was approved for less asks its user again for what a call takes', async () => {
      const program = await openPublicClient(await startConformanceService())
      const { provider, service } = program
      const first = program.transport()
      expect(await auth(provider, { serverUrl: `${service.address}/mcp`, scope: 'people:read' })).toBe(
        'REDIRECT',
      )
      await first.finishAuth((await approveAccess(program)).callback)
      expect(program.kept.tokens).toMatchObject({ scope: 'people:read' })
      const through = program.transport()
      const client = await program.client(through)
      expect(await toolsOf(client)).not.toContain('create_records')
      await expect(client.callTool(PERSON)).rejects.toBeInstanceOf(UnauthorizedError)
      expect(program.kept.url!.searchParams.get('scope')).toBe('people:read people:write')
      await through.finishAuth((await approveAccess(program)).callback)
      expect(program.kept.tokens).toMatchObject({ scope: 'people:read people:write' })
      expect(await client.callTool(PERSON)).toMatchObject(MADE)
    })

    test('a program that a document describes is approved without registering', async () => {
      const { ca, told, url } = await openDocument()
      const service = await startConformanceService({
        NODE_EXTRA_CA_CERTS: ca,
        OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
      })
      const program = await openPublicClient(service, { documentUrl: url })
      told.document = {
        client_id: url,
        client_name: 'Radar',
        redirect_uris: [program.redirectUrl],
        token_endpoint_auth_method: 'none',
      }
      const first = program.transport()
      await expect(program.client(first)).rejects.toBeInstanceOf(UnauthorizedError)
      const { said, callback } = await approveAccess(program)
      expect(said).toContain(new URL(url).host)
      await first.finishAuth(callback)
      const client = await program.client()
      expect(await client.callTool(PERSON)).toMatchObject(MADE)
      expect([program.kept.client, told.asked]).toMatchObject([{ client_id: url }, 1])
      const routes = service.lines.map((line) => line['route'])
      expect(routes).not.toContain('/mcp/register')
    })
  },
)
