import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAccessToken } from '../../bench/data.ts'
import { median } from '../../bench/rounds.ts'
import { measureHeap } from '../../bench/soak/memory.ts'
import type { Fault } from './fault.ts'
import { createBodyFloods, createCallFloods, type Flood, sendFlood } from './flood-requests.ts'
import { compareLatency, type GoodCalls, measureGoodCalls, sleepSeconds } from './good-calls.ts'
import { createOtherWorkspace } from './other-workspace.ts'
import { expectHeapReleased, expectReleased, heapSettings, readUsage, watchUsage } from './process-usage.ts'

/** Duration of the flood of calls, and of the flood of bodies. */
const SECONDS = { brief: 2, thorough: 25 }
/**
 * Calls a minute. Well-behaved callers stay below the limits for the whole run. The limits of a brief run are
 * low enough for a slow machine to exceed.
 */
const LIMITS = { brief: { GET: 100, POST: 20 }, thorough: { GET: 1_000, POST: 200 } }
/**
 * Maximum growth of resident memory. Bodies in memory are limited to 128 MiB, and parsing takes a multiple of
 * that.
 */
const MAX_GROWTH_MIB = 600
const RELEASE_SECONDS = 60
/** Maximum number of log lines that belong to no call, and maximum characters of a line. */
const [MAX_OTHER_LINES, MAX_LINE_LENGTH] = [20, 600]

/** Callers far above their limits are rejected, and other callers are served. */
export const flood: Fault = {
  name: 'flood',
  title: 'callers far over their limits',
  databases: ['sqlite', 'postgres'],
  async run(environment, effort) {
    const log = join(environment.folder, 'log')
    const { token } = await createOtherWorkspace(environment)
    const otherCaller = { token }
    const secondToken = await createAccessToken(environment.databaseUrl)
    const { GET, POST } = LIMITS[effort]
    const limits = { RATE_LIMIT_GET: String(GET), RATE_LIMIT_POST: String(POST), RATE_LIMIT_OAUTH: '20' }
    const settings = {
      ...limits,
      TRUST_PROXY: '1',
      LOG_LEVEL: 'info',
      ...heapSettings(environment.folder),
    }
    const service = await environment.startService(settings, undefined, undefined, log)
    const { port, pid } = service
    const callsBefore = await measureGoodCalls({ port, ...otherCaller }, sleepSeconds(1))
    const heapBefore = await measureHeap(pid, environment.folder)
    const baseline = readUsage(pid)
    const usageWatch = watchUsage(pid)

    const goodCallers = [
      { port, ...otherCaller },
      { port, token: await createAccessToken(environment.databaseUrl) },
    ]
    const callResult = await runFloods(
      port,
      createCallFloods(environment.token),
      SECONDS[effort],
      goodCallers,
    )
    await expectRateLimitHeaders(port, environment.token, GET)
    const bodyResult = await runFloods(port, createBodyFloods(secondToken), SECONDS[effort], goodCallers)
    const peak = usageWatch.stop()
    if (baseline && peak) {
      const growth = peak.memoryMib - baseline.memoryMib
      if (growth > MAX_GROWTH_MIB)
        throw new Error(
          `Resident memory grew by ${growth.toFixed(0)} MiB in the flood; the maximum is ${MAX_GROWTH_MIB}.`,
        )
    }
    await expectReleased(pid, baseline, RELEASE_SECONDS, 'the flood')
    const heapSummary = await expectHeapReleased(pid, environment.folder, heapBefore, 'the flood')
    await service.stop()

    const lineCount = expectBoundedLog(log)
    return `calls: ${formatResult(callResult, callsBefore)}; bodies: ${formatResult(bodyResult, callsBefore)}; ${lineCount} log lines; peak ${peak?.memoryMib.toFixed(0) ?? '?'} MiB, ${heapSummary}`
  },
}

interface FloodResult {
  readonly countsByStatus: ReadonlyMap<number, number>
  readonly goodCalls: GoodCalls
}

/** Runs all floods at once, with well-behaved callers beside them. */
async function runFloods(
  port: number,
  floods: readonly Flood[],
  seconds: number,
  goodCallers: readonly Parameters<typeof measureGoodCalls>[0][],
): Promise<FloodResult> {
  let isOver = false
  const deadline = sleepSeconds(seconds).then(() => (isOver = true))
  const sending = Promise.all(floods.map((flood) => sendFlood(flood, port, () => isOver)))
  const [calls] = await Promise.all([
    Promise.all(goodCallers.map((each) => measureGoodCalls(each, deadline))),
    sending,
  ])
  const countsByStatus = new Map<number, number>()
  for (const counts of await sending)
    for (const [status, count] of counts)
      countsByStatus.set(status, (countsByStatus.get(status) ?? 0) + count)
  const count = calls.reduce((sum, each) => sum + each.count, 0)
  return { countsByStatus, goodCalls: { count, medianMs: median(calls.map(({ medianMs }) => medianMs)) } }
}

function formatResult({ countsByStatus, goodCalls }: FloodResult, callsBefore: GoodCalls): string {
  const statusCounts = [...countsByStatus]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${count} × ${status}`)
  return `${statusCounts.join(', ')}, ${compareLatency(goodCalls, callsBefore)}`
}

/** @throws Error if a call above the limit does not get the documented 429, headers and message */
async function expectRateLimitHeaders(port: number, token: string, limit: number): Promise<void> {
  const sendRequest = () =>
    fetch(`http://127.0.0.1:${port}/v1/tasks?per_page=1`, { headers: { Authorization: `Bearer ${token}` } })
  let response = await sendRequest()
  for (let calls = 0; response.ok && calls < limit; calls += 1) {
    await response.arrayBuffer()
    response = await sendRequest()
  }
  const { error } = (await response.json()) as {
    readonly error?: { readonly code: string; readonly message: string }
  }
  const [limitHeader, remaining, resetAt, retryAfter] = [
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
    'Retry-After',
  ].map((name) => Number(response.headers.get(name) ?? Number.NaN))
  const isAsDocumented =
    response.status === 429 &&
    error?.code === 'rate_limit_exceeded' &&
    error.message === `Rate limit exceeded. Try again in ${retryAfter} seconds.` &&
    limitHeader === limit &&
    remaining === 0 &&
    Math.abs(resetAt! - Date.now() / 1000 - retryAfter!) < 3
  if (!isAsDocumented)
    throw new Error(
      `A call above the limit was answered ${response.status}, ${JSON.stringify([...response.headers])}.`,
    )
}

/**
 * Checks that callers cannot fill the log: each call has at most one line, and no line is long.
 * @returns the number of lines
 * @throws Error otherwise
 */
function expectBoundedLog(file: string): number {
  const logLines = readFileSync(file, 'utf8').trimEnd().split('\n')
  const calls = new Set<string>()
  let otherLines = 0
  for (const line of logLines) {
    if (line.length > MAX_LINE_LENGTH)
      throw new Error(`A log line has ${line.length} characters: ${line.slice(0, MAX_LINE_LENGTH)}`)
    const { request_id } = JSON.parse(line) as { readonly request_id?: string }
    if (request_id === undefined) otherLines += 1
    else if (calls.has(request_id)) throw new Error(`A call has several log lines: ${line}`)
    else calls.add(request_id)
  }
  if (otherLines > MAX_OTHER_LINES) throw new Error(`${otherLines} log lines belong to no call.`)
  return logLines.length
}
