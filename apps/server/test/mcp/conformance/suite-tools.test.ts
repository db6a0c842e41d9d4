import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { CrmError } from '@sales-crm/core'
import { memoryStorage } from '@sales-crm/core/memory'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import * as v from 'valibot'
import { expect, onTestFinished, test } from 'vitest'
import { handleMessage, type MessageContext } from '../../../src/mcp/mcp-server.ts'
import { defineTool, READ_HINTS } from '../../../src/mcp/tool.ts'
import { sendLegacyRequest } from '../../support/mcp-requests.ts'
import { openService, openWorkspace } from '../../support/test-service.ts'
import { runSuite } from './conformance-suite.ts'

const COMMON_FIELDS = {
  title: 'Suite tool',
  description: 'Suite tool.',
  hints: READ_HINTS,
  input: () => v.strictObject({}),
  requiredScopes: () => [],
}
/** Tools of the suite that return text or an error for the model, as the real tools do. */
const TOOLS = [
  defineTool({
    ...COMMON_FIELDS,
    name: 'test_simple_text',
    run: async () => ({ result: { text: 'A simple text.' } }),
  }),
  defineTool({
    ...COMMON_FIELDS,
    name: 'test_error_handling',
    run: async () => {
      throw new CrmError('validation_error', 'This tool always fails.')
    },
  }),
]

/** Serves these tools with the handler of the real tools. */
async function startServer(): Promise<string> {
  const service = await openService(memoryStorage())
  const { slug, client_id } = await openWorkspace(service)
  const actor = await service.crm.operator.actorFor({
    workspace: slug,
    email: `olga@${slug}.example`,
    clientId: client_id,
  })
  const caller: MessageContext['caller'] = { crm: service.crm, actor, reportError: () => {} }
  const server = createServer(async (incoming, outgoing) => {
    if (incoming.method !== 'POST') return void outgoing.writeHead(405).end()
    const body = await text(incoming)
    const headers = Object.entries(incoming.headersDistinct).map(([name, values]): [string, string] => [
      name,
      values!.join(', '),
    ])
    const request = new Request(`http://127.0.0.1${incoming.url}`, { method: 'POST', headers, body })
    const response = await handleMessage(request, JSON.parse(body), { caller, tools: TOOLS })
    outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test.each([
  ['2025-11-25', 'tools-call-simple-text'],
  ['2025-11-25', 'tools-call-error'],
  ['2026-07-28', 'tools-call-simple-text'],
  ['2026-07-28', 'tools-call-error'],
])('serves the tools of the suite of revision %s: %s', async (revision, scenario) => {
  const result = await runSuite([
    'server',
    '--url',
    `${await startServer()}/mcp`,
    '--spec-version',
    revision,
    '--scenario',
    scenario,
  ])
  expect(result, result.output).toMatchObject({ exitCode: 0, scenarios: [scenario], failed: [] })
})

test('tool schemas are strict JSON Schema 2020-12', async () => {
  const service = await openService(memoryStorage())
  const { token } = await openWorkspace(service)
  const { json } = await sendLegacyRequest(service.app, token, 'tools/list')
  const { tools } = (
    json as { result: { tools: readonly { readonly inputSchema: object; readonly outputSchema?: object }[] } }
  ).result
  const schemas = tools.flatMap(({ inputSchema, outputSchema }) =>
    outputSchema ? [inputSchema, outputSchema] : [inputSchema],
  )
  expect(schemas.length).toBeGreaterThan(15)
  const ajv = new Ajv2020({ strict: true, allErrors: true })
  addFormats.default(ajv)
  for (const schema of schemas) expect(() => ajv.compile(schema), JSON.stringify(schema)).not.toThrow()
})
