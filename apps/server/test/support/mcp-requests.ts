import { type RequestOptions, type Service, sendRequest, type TestResponse } from './test-service.ts'

export const ACCEPT = { Accept: 'application/json, text/event-stream' }

/** What programs of the revision before 2026-07-28 send. */
export const OLDER_VERSION = '2025-11-25'
export const CURRENT_VERSION = '2026-07-28'

type App = Service['app']
type Params = Readonly<Record<string, unknown>>

export interface ToolResponse {
  readonly isError: boolean
  readonly text: string
  /** What a program reads of it. */
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

/** A message as JSON-RPC has it, sent as it is. */
export function postMessage(
  app: App,
  body: unknown,
  { headers, ...sent }: RequestOptions,
): Promise<TestResponse> {
  return sendRequest(app, 'POST', '/mcp', body, { ...sent, headers: { ...ACCEPT, ...headers } })
}

/** A request of an older revision, which says nothing of itself. */
export function sendLegacyRequest(
  app: App,
  token: string,
  method: string,
  params: Params = {},
): Promise<TestResponse> {
  return postMessage(app, { jsonrpc: '2.0', id: 1, method, params }, { token })
}

/** A request of the current revision: everything a server must know of the program comes with each. */
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

/** Calls tools with a token. @throws Error for what is no result of a tool */
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

/** The ids of what was made. @throws Error where not all of it was */
export function createdIds(answer: ToolResponse): string[] {
  const results = resultsOf(answer)
  if (answer.isError || !results.every(({ ok }) => ok)) throw new Error(answer.text)
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
