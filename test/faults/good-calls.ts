import { median } from '../../bench/rounds.ts'

const TIMEOUT_MS = 20_000
const PAUSE_MS = 80
/** One call in eight creates a task; the others read. Together they stay well below an app's rate limits. */
const CALLS_PER_WRITE = 8

export interface GoodCalls {
  readonly count: number
  readonly medianMs: number
}

/**
 * Sends calls within all limits until `end` settles, and measures their latency.
 * @throws Error for the first call that was not served
 */
export async function measureGoodCalls(
  { port, token }: { readonly port: number; readonly token: string },
  end: Promise<unknown>,
): Promise<GoodCalls> {
  let isOver = false
  end.then(
    () => (isOver = true),
    () => (isOver = true),
  )
  const times: number[] = []
  while (!isOver) {
    const isWrite = times.length % CALLS_PER_WRITE === 0
    const startedAt = performance.now()
    const response = await fetch(`http://127.0.0.1:${port}/v1/tasks${isWrite ? '' : '?per_page=10'}`, {
      method: isWrite ? 'POST' : 'GET',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(isWrite && { body: JSON.stringify({ title: 'A good call' }) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((error: unknown) => {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : error
      throw new Error(`A good call got no response within ${TIMEOUT_MS / 1000} s: ${cause}`)
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`A good call was answered ${response.status}: ${text.slice(0, 300)}`)
    times.push(performance.now() - startedAt)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  await end
  return { count: times.length, medianMs: median(times) }
}

/** Formats two runs as `120 good calls, 1.4 times as long as before`. */
export function compareLatency(current: GoodCalls, baseline: GoodCalls): string {
  return `${current.count} good calls, ${(current.medianMs / baseline.medianMs).toFixed(1)} times as long as before`
}

export function sleepSeconds(count: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, count * 1000))
}
