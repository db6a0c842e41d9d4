import { median } from '../../bench/rounds.ts'

const PATIENCE_MS = 20_000
const PAUSE_MS = 80
/** One call in so many makes a task; the others read. All together keep well within the limits of an app. */
const WRITES = 8

export interface GoodCalls {
  readonly count: number
  readonly medianMs: number
}

/**
 * A caller that keeps to every rule, until the harm is over.
 * @throws Error with the first call that was not served
 */
export async function measureGoodCalls(
  { port, token }: { readonly port: number; readonly token: string },
  until: Promise<unknown>,
): Promise<GoodCalls> {
  let over = false
  until.then(
    () => (over = true),
    () => (over = true),
  )
  const times: number[] = []
  while (!over) {
    const write = times.length % WRITES === 0
    const began = performance.now()
    const response = await fetch(`http://127.0.0.1:${port}/v1/tasks${write ? '' : '?per_page=10'}`, {
      method: write ? 'POST' : 'GET',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(write && { body: JSON.stringify({ title: 'A good call' }) }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    }).catch((error: unknown) => {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : error
      throw new Error(`A good call was not answered, or not within ${PATIENCE_MS / 1000} s: ${cause}`)
    })
    const text = await response.text()
    if (!response.ok)
      throw new Error(`A good call was answered with ${response.status}: ${text.slice(0, 300)}`)
    times.push(performance.now() - began)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  await until
  return { count: times.length, medianMs: median(times) }
}

/** As two runs compare: `120 good calls, 1.4 times as long as before`. */
export function compareLatency(during: GoodCalls, before: GoodCalls): string {
  return `${during.count} good calls, ${(during.medianMs / before.medianMs).toFixed(1)} times as long as before`
}

export function sleepSeconds(count: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, count * 1000))
}
