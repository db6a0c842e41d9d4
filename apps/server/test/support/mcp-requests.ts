import { type RequestOptions, type Service, sendRequest, type TestResponse } from './test-service.ts'

export const ACCEPT = { Accept: 'application/json, text/event-stream' }

/** The version that clients before 2026-07-28 send. */
export const OLDER_VERSION = '2025-11-25'
export const CURRENT_VERSION = '2026-07-28'

type App = Service['app']
type Params = Readonly<Record<string, unknown>>

export interface ToolResponse {
  readonly isError: boolean
  readonly text: string
  /** The structured content. */
  readonly result: Params
}

export interface BatchItemResult {
  readonly ok: boolean
  readonly id?: string
  readonly record?: Params
  readonly replayed?: boolean
  readonly error?: {
    readonly code: string
    readonly message: string
    readonly fields?: Readonly<Record<string, string>>
  }
}

/** Sends a JSON-RPC message unchanged. */
export function postMessage(
  app: App,
  body: unknown,
  { headers, ...options }: RequestOptions,
): Promise<TestResponse> {
  return sendRequest(app, 'POST', '/mcp', body, { ...options, headers: { ...ACCEPT, ...headers } })
}

/** Sends a request of the older version, without client metadata. */
export function sendLegacyRequest(
  app: App,
  token: string,
  method: string,
  params: Params = {},
): Promise<TestResponse> {
  return postMessage(app, { jsonrpc: '2.0', id: 1, method, params }, { token })
}

/** Sends a request of the current version: each one carries the client's metadata. */
export function sendCurrentRequest(
  app: App,
  token: string,
  method: string,
  params: Params = {},
  headers: Readonly<Record<string, string>> = {},
) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': CURRENT_VERSION,
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
  }
  const name = method === 'tools/call' ? { 'Mcp-Name': String(params['name']) } : {}
  const allHeaders = { 'MCP-Protocol-Version': CURRENT_VERSION, 'Mcp-Method': method, ...name, ...headers }
  return postMessage(
    app,
    { jsonrpc: '2.0', id: 1, method, params: { _meta, ...params } },
    { token, headers: allHeaders },
  )
}

/** Returns a function that calls tools with a token. @throws Error for a response that is no tool result */
export function createToolCaller(app: App, token: string) {
  return async (name: string, args: Params = {}): Promise<ToolResponse> => {
    const { status, text, json } = await sendLegacyRequest(app, token, 'tools/call', {
      name,
      arguments: args,
    })
    const { result } = json as {
      result?: { isError?: boolean; content: { text: string }[]; structuredContent?: Params }
    }
    if (status !== 200 || !result) throw new Error(`${name}: ${status} ${text}`)
    return {
      isError: result.isError ?? false,
      text: result.content[0]!.text,
      result: result.structuredContent ?? {},
    }
  }
}

export function resultsOf({ result }: ToolResponse): readonly BatchItemResult[] {
  return result['results'] as readonly BatchItemResult[]
}

/** Returns the ids of created records. @throws Error unless all items succeeded */
export function createdIds(response: ToolResponse): string[] {
  const results = resultsOf(response)
  if (response.isError || !results.every(({ ok }) => ok)) throw new Error(response.text)
  return results.map(({ id }) => id!)
}

export function rpcErrorOf({ json }: Pick<TestResponse, 'json'>): {
  readonly code: number
  readonly message: string
  readonly data?: unknown
} {
  return (json as { error: { code: number; message: string } }).error
}

interface ListedTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: {
    readonly properties: Readonly<Record<string, { readonly enum?: readonly string[] }>>
  }
  readonly annotations: Readonly<Record<string, boolean>>
}

export async function listTools(app: App, token: string): Promise<readonly ListedTool[]> {
  const { json } = await sendLegacyRequest(app, token, 'tools/list')
  return (json as { result: { tools: readonly ListedTool[] } }).result.tools
}
