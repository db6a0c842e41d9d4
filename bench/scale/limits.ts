import { setTimeout as sleep } from 'node:timers/promises'
import { encodeRequest, runRequests } from '../connection.ts'
import { createAccessToken, type Data } from '../data.ts'
import { findRow } from '../rows.ts'
import { startService } from '../servers.ts'

/** The result of sending more calls than a limit allows, to two processes, in one window. */
export interface LimitResult {
  readonly title: string
  readonly limit: number
  readonly sent: number
  readonly accepted: number
}

const LIMITS = [
  { row: findRow('post'), limit: 200 },
  { row: findRow('get'), limit: 1_000 },
]
const CONNECTIONS = 32
/** Calls sent, as a multiple of the limit. */
const LIMIT_MULTIPLE = 3
const WINDOW_MS = 60_000

/** Measures each limit in two successive windows, which must not affect each other. */
export async function measureLimits(url: string, data: Data, folder: string): Promise<LimitResult[]> {
  const token = await createAccessToken(url)
  const settings = Object.fromEntries(
    LIMITS.map(({ row, limit }) => [`RATE_LIMIT_${row.name.toUpperCase()}`, String(limit)]),
  )
  const services = [
    await startService(url, folder, [], settings),
    await startService(url, folder, [], settings),
  ]
  const ports = services.map(({ port }) => port)
  const results: LimitResult[] = []
  for (const window of ['first', 'next']) {
    if (window === 'next') await sleep(WINDOW_MS + 1_000)
    for (const { row, limit } of LIMITS) {
      const request = encodeRequest(row.requests(data, 0)[0]!, token)
      const sent = limit * LIMIT_MULTIPLE
      const accepted = await sendCalls(ports, request, sent, row.status)
      results.push({ title: `${row.name.toUpperCase()}, ${window} window`, limit, sent, accepted })
    }
  }
  await Promise.all(services.map((service) => service.stop()))
  return results
}

/**
 * Sends calls to all ports within one window.
 * @returns the number of responses with the expected status
 * @throws Error for a response that is neither the expected one nor a 429, and if the window ends
 */
async function sendCalls(
  ports: readonly number[],
  request: Buffer,
  count: number,
  expectedStatus: number,
): Promise<number> {
  const startedAt = performance.now()
  let [remaining, acceptedCount] = [count, 0]
  const loop = {
    next: () => (remaining-- > 0 ? request : undefined),
    onResponse({ status }: { readonly status: number }) {
      if (status === expectedStatus) acceptedCount += 1
      else if (status !== 429) throw new Error(`${status} instead of ${expectedStatus} or 429`)
    },
  }
  await Promise.all(
    Array.from({ length: CONNECTIONS }, (_, index) =>
      runRequests({ ...loop, port: ports[index % ports.length]! }),
    ),
  )
  if (performance.now() - startedAt >= WINDOW_MS)
    throw new Error('The window ended before all calls were answered: the machine is too busy.')
  return acceptedCount
}
