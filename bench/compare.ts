import { isDeepStrictEqual } from 'node:util'
import type { Ask } from './load.ts'
import type { Row } from './rows.ts'

/** Makes sure that two servers give one answer, so that none is fast by saying less. @throws Error with both answers */
export async function compareAnswers(
  row: Row,
  ask: Ask,
  token: string,
  ports: readonly [number, number],
): Promise<void> {
  const [ours, theirs] = await Promise.all(ports.map((port) => answerTo(port, ask, token)))
  const expected = { status: row.status, body: withoutUnlike(theirs!.body, row.unlike) }
  if (isDeepStrictEqual({ status: ours!.status, body: withoutUnlike(ours!.body, row.unlike) }, expected))
    return
  throw new Error(`${row.title} is answered differently.\nservice: ${text(ours)}\nreference: ${text(theirs)}`)
}

export interface Body {
  readonly data?: object
}

export async function answerTo(
  port: number,
  { method, path, body }: Ask,
  token: string,
): Promise<{ status: number; body: Body }> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: (await answer.json()) as Body }
}

export function withoutUnlike(body: Body, unlike: readonly string[]): Body {
  if (unlike.length === 0 || body.data === undefined) return body
  return {
    ...body,
    data: Object.fromEntries(Object.entries(body.data).filter(([name]) => !unlike.includes(name))),
  }
}

function text(answer: unknown): string {
  return JSON.stringify(answer).slice(0, 4_000)
}
