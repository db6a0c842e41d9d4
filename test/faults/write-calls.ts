const PATIENCE_MS = 30_000
/** After a call that was not answered as hoped. */
const PAUSE_MS = 100

/** What a caller knows after a call. */
export type Reply =
  | { readonly word: 'done'; readonly text: string; readonly replayed: boolean }
  /** Nothing was done: it said so, or nobody listened. */
  | { readonly word: 'refused' }
  /** It may be done, or not: a 5xx, or a connection that broke. */
  | { readonly word: 'none' }

export interface Calls {
  /** Answers that were a refusal, by status, and calls that got no answer at all, under 0. */
  readonly refused: ReadonlyMap<number, number>
  /** Of those under 0, how many were sent over a connection that was there. */
  lostCount(): number
  goTo(ports: readonly number[]): void
  /** After anything but an answer it waits a little, so that nobody is asked without pause. */
  call(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object, key?: string): Promise<Reply>
  /** Once so many writes have been acknowledged since it was asked. */
  acknowledged(count: number): Promise<void>
}

/** Calls over connections that are kept, in turn to each of the ports. */
export function createCalls(token: string, ports: readonly number[]): Calls {
  let targets = ports
  let calls = 0
  let done = 0
  let lostCount = 0
  const refused = new Map<number, number>()
  const waiting = new Set<{ readonly at: number; readonly resolve: () => void }>()

  async function sendCall(
    method: string,
    path: string,
    body: object | undefined,
    key: string | undefined,
  ): Promise<Reply> {
    const port = targets[calls++ % targets.length]!
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        ...(key !== undefined && { 'Idempotency-Key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    const text = await response.text()
    if (response.ok) {
      if (method !== 'GET') noteDone()
      return { word: 'done', text, replayed: response.headers.get('Idempotent-Replayed') === 'true' }
    }
    count(response.status)
    return { word: response.status >= 500 ? 'none' : 'refused' }
  }

  function count(status: number): void {
    refused.set(status, (refused.get(status) ?? 0) + 1)
  }

  function noteDone(): void {
    done += 1
    for (const each of waiting) {
      if (done < each.at) continue
      waiting.delete(each)
      each.resolve()
    }
  }

  return {
    refused,
    lostCount: () => lostCount,
    goTo(others) {
      targets = others
    },
    async call(method, path, body, key) {
      const reply = await sendCall(method, path, body, key).catch((error: unknown): Reply => {
        count(0)
        if (isNobodyThere(error)) return { word: 'refused' }
        lostCount += 1
        return { word: 'none' }
      })
      if (reply.word !== 'done') await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      return reply
    },
    acknowledged: (more) => new Promise((resolve) => waiting.add({ at: done + more, resolve })),
  }
}

function isNobodyThere(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause as { readonly code?: unknown } | undefined) : undefined
  return cause?.code === 'ECONNREFUSED'
}
