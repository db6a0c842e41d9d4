import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { memoryStorage } from '@sales-crm/core/memory'
import { expect, onTestFinished, test } from 'vitest'
import { CURRENT_VERSION } from '../support/mcp-requests.ts'
import { openService, openWorkspace, type Service } from '../support/test-service.ts'

async function connectClient(app: Service['app'], token: string, options: ClientOptions): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, options)
  const transport = new StreamableHTTPClientTransport(new URL('http://127.0.0.1:3000/mcp'), {
    fetch: async (url, init) => app.request(String(url), init),
    requestInit: { headers: { Authorization: `Bearer ${token}` } },
  })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return client
}

const CLIENTS: readonly (readonly [string, ClientOptions])[] = [
  ['2025-06-18', { supportedProtocolVersions: ['2025-06-18'] }],
  ['2025-11-25', {}],
  [CURRENT_VERSION, { versionNegotiation: { mode: { pin: CURRENT_VERSION } } }],
]

test.each(CLIENTS)(
  'the official SDK client of revision %s lists and calls the tools',
  async (version, options) => {
    const service = await openService(memoryStorage())
    const acme = await openWorkspace(service)
    const client = await connectClient(service.app, acme.token, options)
    expect([client.getNegotiatedProtocolVersion(), client.getServerCapabilities()]).toEqual([
      version,
      { tools: { listChanged: false } },
    ])
    expect(client.getInstructions()).toContain('get_context')
    const { tools } = await client.listTools()
    expect(tools).toHaveLength(16)

    const created = await client.callTool({
      name: 'create_records',
      arguments: { entity: 'people', records: [{ full_name: 'Ana' }, {}] },
    })
    expect(created).toMatchObject({
      structuredContent: { succeeded: 1, failed: 1, results: [{ ok: true }, { ok: false }] },
    })
    const list = await client.callTool({ name: 'list_records', arguments: { entity: 'people' } })
    expect(list).toMatchObject({ structuredContent: { data: [{ full_name: 'Ana' }], meta: { total: 1 } } })
    const rejected = await client.callTool({ name: 'list_records', arguments: { entity: 'persons' } })
    expect(rejected).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringContaining('Must be one of: people') }],
    })
    await expect(client.callTool({ name: 'drop_tables', arguments: {} })).rejects.toThrow('drop_tables')
  },
)

test('a client that negotiates automatically uses the current revision', async () => {
  const service = await openService(memoryStorage())
  const acme = await openWorkspace(service)
  const client = await connectClient(service.app, acme.token, { versionNegotiation: { mode: 'auto' } })
  expect(client.getNegotiatedProtocolVersion()).toBe(CURRENT_VERSION)
})

test.each(CLIENTS)('a client of revision %s without a token gets 401', async (_, options) => {
  const { app } = await openService(memoryStorage())
  await expect(connectClient(app, 'canary', options)).rejects.toMatchObject({ data: { status: 401 } })
})
