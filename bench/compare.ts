import { isDeepStrictEqual } from 'node:util'
import type { RequestSpec } from './connection.ts'

export interface Body {
  readonly data?: object
  readonly meta?: object
}

/** Sends a request and returns the body of the response. */
export async function fetchBody(
  port: number,
  { method, path, body }: RequestSpec,
  token: string,
): Promise<Body> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
  return (await response.json()) as Body
}

/**
 * Checks that two servers give the same response, so that none is fast by returning less.
 * @param ignoredFields names of properties that may differ, at any depth
 * @throws Error with both bodies
 */
export function assertSameBody(ours: Body, theirs: Body, ignoredFields: readonly string[]): void {
  const omitFields = (body: Body): unknown =>
    JSON.parse(JSON.stringify(body, (name, value) => (ignoredFields.includes(name) ? undefined : value)))
  if (isDeepStrictEqual(omitFields(ours), omitFields(theirs))) return
  throw new Error(`The responses differ.\nservice: ${formatBody(ours)}\nother: ${formatBody(theirs)}`)
}

function formatBody(body: Body): string {
  return JSON.stringify(body).slice(0, 4_000)
}
