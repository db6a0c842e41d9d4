import type { Context, Known } from './calls.ts'

/** What a caller was given to call with. Its tokens are replaced now and then, as those of any app are. */
export interface Access {
  readonly client_id: string
  readonly client_secret: string
  readonly api: Tokens
  /** For `/mcp` alone. */
  readonly tools: Tokens
}

export interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

const PATIENCE_MS = 60_000

/** One caller, with tokens and chances of its own. */
export function callerOf(
  base: string,
  { client_id, client_secret, ...given }: Access,
  known: Known,
  seed: number,
): Context {
  const tokens: Record<'api' | 'tools', Tokens> = { ...given }
  let turns = 0

  async function answered(path: string, status: number, init: RequestInit): Promise<unknown> {
    const response = await fetch(`${base}${path}`, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) })
    const text = await response.text()
    if (response.status !== status)
      throw new Error(`${init.method} ${path}: ${response.status} and not ${status}: ${text.slice(0, 500)}`)
    return text === '' ? undefined : JSON.parse(text)
  }

  return {
    known,
    own: [],
    roll: chance(seed),
    api: (method, path, status, body) =>
      answered(path, status, {
        method,
        headers: { Authorization: `Bearer ${tokens.api.access_token}`, 'Content-Type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      }),
    async tool(name, args) {
      const { result } = (await answered('/mcp', 200, {
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
      const which = turns++ % 2 === 0 ? 'api' : 'tools'
      const { refresh_token } = tokens[which]
      const credentials = Buffer.from(`${client_id}:${client_secret}`).toString('base64')
      tokens[which] = (await answered('/oauth/token', 200, {
        method: 'POST',
        headers: { Authorization: `Basic ${credentials}` },
        body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token }),
      })) as Tokens
    },
  }
}

/** Mulberry32. */
function chance(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
