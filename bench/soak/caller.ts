import type { Context, KnownIds } from './calls.ts'

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

const TIMEOUT_MS = 60_000

/** Creates a caller with its own tokens and random numbers. */
export function createCaller(
  base: string,
  { client_id, client_secret, ...initialTokens }: Access,
  knownIds: KnownIds,
  seed: number,
): Context {
  const tokens: Record<'api' | 'tools', Tokens> = { ...initialTokens }
  let refreshCount = 0

  async function sendRequest(path: string, status: number, init: RequestInit): Promise<unknown> {
    const response = await fetch(`${base}${path}`, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) })
    const text = await response.text()
    if (response.status !== status)
      throw new Error(
        `${init.method} ${path}: ${response.status} instead of ${status}: ${text.slice(0, 500)}`,
      )
    return text === '' ? undefined : JSON.parse(text)
  }

  return {
    knownIds,
    ownTaskIds: [],
    random: createRandom(seed),
    api: (method, path, status, body) =>
      sendRequest(path, status, {
        method,
        headers: { Authorization: `Bearer ${tokens.api.access_token}`, 'Content-Type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      }),
    async tool(name, args) {
      const { result } = (await sendRequest('/mcp', 200, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${tokens.tools.access_token}`,
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name, arguments: args },
        }),
      })) as { readonly result?: { readonly isError?: boolean } }
      if (!result || result.isError)
        throw new Error(`The tool ${name} failed: ${JSON.stringify(result).slice(0, 500)}`)
    },
    async refresh() {
      const audience = refreshCount++ % 2 === 0 ? 'api' : 'tools'
      const { refresh_token } = tokens[audience]
      const credentials = Buffer.from(`${client_id}:${client_secret}`).toString('base64')
      tokens[audience] = (await sendRequest('/oauth/token', 200, {
        method: 'POST',
        headers: { Authorization: `Basic ${credentials}` },
        body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token }),
      })) as Tokens
    },
  }
}

/** Creates a random number generator (Mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
