const TIMEOUT_MS = 30_000
/** Pause after a call without a successful response. */
const PAUSE_MS = 100

/** The outcome of a call, as its caller knows it. */
export type CallResult =
  | { readonly outcome: 'success'; readonly text: string; readonly replayed: boolean }
  /** Nothing was written: the response was a 4xx, or the connection was refused. */
  | { readonly outcome: 'rejected' }
  /** The write may have happened: the response was a 5xx, or the connection broke. */
  | { readonly outcome: 'unknown' }

export interface Calls {
  /** Number of failed calls by status, with 0 for calls without a response. */
  readonly failedCalls: ReadonlyMap<number, number>
  /** Number of calls without a response that were sent over an established connection. */
  lostCount(): number
  /** Directs later calls to these ports. */
  setPorts(ports: readonly number[]): void
  /** Sends a call. Pauses briefly after a failure. */
  call(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object, key?: string): Promise<CallResult>
  /** Resolves after `count` further acknowledged writes. */
  waitForWrites(count: number): Promise<void>
}

/** Sends calls over keep-alive connections, to the ports in turn. */
export function createCalls(token: string, ports: readonly number[]): Calls {
  let targets = ports
  let callCount = 0
  let successCount = 0
  let lostCount = 0
  const failedCalls = new Map<number, number>()
  const waiters = new Set<{ readonly target: number; readonly resolve: () => void }>()

  async function sendCall(
    method: string,
    path: string,
    body: object | undefined,
    key: string | undefined,
  ): Promise<CallResult> {
    const port = targets[callCount++ % targets.length]!
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        ...(key !== undefined && { 'Idempotency-Key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const text = await response.text()
    if (response.ok) {
      if (method !== 'GET') countSuccess()
      return { outcome: 'success', text, replayed: response.headers.get('Idempotent-Replayed') === 'true' }
    }
    countFailure(response.status)
    return { outcome: response.status >= 500 ? 'unknown' : 'rejected' }
  }

  function countFailure(status: number): void {
    failedCalls.set(status, (failedCalls.get(status) ?? 0) + 1)
  }

  function countSuccess(): void {
    successCount += 1
    for (const waiter of waiters) {
      if (successCount < waiter.target) continue
      waiters.delete(waiter)
      waiter.resolve()
    }
  }

  return {
    failedCalls,
    lostCount: () => lostCount,
    setPorts(newPorts) {
      targets = newPorts
    },
    async call(method, path, body, key) {
      const result = await sendCall(method, path, body, key).catch((error: unknown): CallResult => {
        countFailure(0)
        if (isConnectionRefused(error)) return { outcome: 'rejected' }
        lostCount += 1
        return { outcome: 'unknown' }
      })
      if (result.outcome !== 'success') await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      return result
    },
    waitForWrites: (count) =>
      new Promise((resolve) => waiters.add({ target: successCount + count, resolve })),
  }
}

function isConnectionRefused(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause as { readonly code?: unknown } | undefined) : undefined
  return cause?.code === 'ECONNREFUSED'
}
