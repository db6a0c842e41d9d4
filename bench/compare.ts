import { isDeepStrictEqual } from 'node:util'
import type { RequestSpec } from './load.ts'
import type { Row } from './rows.ts'

/**
 * Checks that two servers give the same response, so that none is fast by returning less.
 * @throws Error with both responses
 */
export async function compareResponses(
  row: Row,
  ask: RequestSpec,
  token: string,
  ports: readonly [number, number],
): Promise<void> {
  const [ours, theirs] = await Promise.all(ports.map((port) => fetchResponse(port, ask, token)))
  const expected = { status: row.status, body: omitFields(theirs!.body, row.ignoredFields) }
  if (isDeepStrictEqual({ status: ours!.status, body: omitFields(ours!.body, row.ignoredFields) }, expected))
    return
  throw new Error(
    `${row.title} is answered differently.\nservice: ${formatResponse(ours)}\nreference: ${formatResponse(theirs)}`,
  )
}

export interface Body {
  readonly data?: object
}

export async function fetchResponse(
  port: number,
  { method, path, body }: RequestSpec,
  token: string,
): Promise<{ status: number; body: Body }> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Body }
}

export function omitFields(body: Body, ignoredFields: readonly string[]): Body {
  if (ignoredFields.length === 0 || body.data === undefined) return body
  return {
    ...body,
    data: Object.fromEntries(Object.entries(body.data).filter(([name]) => !ignoredFields.includes(name))),
  }
}

function formatResponse(response: unknown): string {
  return JSON.stringify(response).slice(0, 4_000)
}
