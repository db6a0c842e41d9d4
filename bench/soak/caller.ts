import { randomInt } from 'node:crypto'
import type { Range } from '../records.ts'
import { pickId, type References } from '../records.ts'

/** Credentials of a caller. Its tokens are refreshed now and then. */
export interface Access {
  readonly client_id: string
  readonly client_secret: string
  readonly api: Tokens
  /** Tokens for `/mcp`. */
  readonly tools: Tokens
}

export interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

/** Records that exist during the whole run. */
export type KnownRecords = Pick<References, 'people' | 'deals' | 'stageIds'> & { readonly tasks: Range }

/** The means of the calls. Each throws for a response without success. */
export interface Caller {
  readonly stageIds: readonly string[]
  /** Ids of tasks that this caller created, and that no other caller changes. */
  readonly ownTaskIds: string[]
  /** Returns the id of a known record. */
  pickRecord(kind: 'people' | 'deals' | 'tasks'): string
  /** Sends a request to the API. */
  call(method: string, path: string, body?: object): Promise<unknown>
  callTool(name: string, args: object): Promise<void>
  /** Refreshes one of the caller's token pairs. */
  refresh(): Promise<void>
}

const TIMEOUT_MS = 60_000

export function createCaller(base: string, access: Access, records: KnownRecords): Caller {
  const tokens = { api: access.api, tools: access.tools }
  let refreshCount = 0
  const createHeaders = (audience: keyof typeof tokens) => ({
    Authorization: `Bearer ${tokens[audience].access_token}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
  })

  async function sendRequest(path: string, init: RequestInit): Promise<unknown> {
    const response = await fetch(`${base}${path}`, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) })
    const text = await response.text()
    if (!response.ok) throw new Error(`${init.method} ${path}: ${response.status} ${text.slice(0, 500)}`)
    return text === '' ? undefined : JSON.parse(text)
  }

  return {
    stageIds: records.stageIds,
    ownTaskIds: [],
    pickRecord: (kind) => pickId(records[kind], randomInt(records[kind].count)),
    call: (method, path, body) =>
      sendRequest(path, {
        method,
        headers: createHeaders('api'),
        ...(body && { body: JSON.stringify(body) }),
      }),
    async callTool(name, args) {
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
      const { result } = (await sendRequest('/mcp', {
        method: 'POST',
        headers: createHeaders('tools'),
        body: JSON.stringify(call),
      })) as { readonly result?: { readonly isError?: boolean } }
      if (!result || result.isError)
        throw new Error(`The tool ${name} failed: ${JSON.stringify(result).slice(0, 500)}`)
    },
    async refresh() {
      const audience = refreshCount++ % 2 === 0 ? 'api' : 'tools'
      const { refresh_token } = tokens[audience]
      const credentials = Buffer.from(`${access.client_id}:${access.client_secret}`).toString('base64')
      tokens[audience] = (await sendRequest('/oauth/token', {
        method: 'POST',
        headers: { Authorization: `Basic ${credentials}` },
        body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token }),
      })) as Tokens
    },
  }
}
