import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { tokenFor } from '../../bench/data.ts'
import { median } from '../../bench/rounds.ts'
import { heapOf } from '../../bench/soak/memory.ts'
import type { FaultEnvironment } from './environment.ts'
import type { Fault } from './fault.ts'
import { bodyFloods, callFloods, type Flood, sendFlood } from './flood-requests.ts'
import { compareLatency, type GoodCalls, measureGoodCalls, sleepSeconds } from './good-calls.ts'
import { expectHeapReleased, expectReleased, heapSettings, readUsage, watchUsage } from './process-usage.ts'

/** Of calls, and again of bodies. */
const SECONDS = { brief: 2, thorough: 25 }
const LOG = pathToFileURL(fileURLToPath(new URL('./log-to-file.ts', import.meta.url)))
/**
 * Calls a minute; good callers stay within them for as long as it lasts. In a brief run a slow machine must
 * come beyond them too.
 */
const LIMITS = { brief: { GET: 100, POST: 20 }, thorough: { GET: 1_000, POST: 200 } }
/** Bodies hold 128 MiB together, and a few times as much while they are taken apart. */
const MOST_MIB = 600
const SECONDS_TO_LET_GO = 60
/** Lines that the service may say of itself, and characters that any may have. */
const [LINES_BESIDE, LONGEST_LINE] = [20, 600]

/** Whoever asks too much is refused, and nobody else. */
export const flood: Fault = {
  name: 'flood',
  title: 'callers far over their limits',
  databases: ['sqlite', 'postgres'],
  async run(place, effort) {
    const log = join(place.folder, 'log')
    LOG.searchParams.set('file', log)
    const calm = { token: await createOtherToken(place) }
    const spare = await tokenFor(place.databaseUrl)
    const { GET, POST } = LIMITS[effort]
    const limits = { RATE_LIMIT_GET: String(GET), RATE_LIMIT_POST: String(POST), RATE_LIMIT_OAUTH: '20' }
    const service = await place.start({
      ...limits,
      TRUST_PROXY: '1',
      LOG_LEVEL: 'info',
      ...heapSettings(place.folder, String(LOG)),
    })
    const { port, pid } = service
    const before = await measureGoodCalls({ port, ...calm }, sleepSeconds(1))
    const heap = await heapOf(pid, place.folder)
    const held = readUsage(pid)
    const watched = watchUsage(pid)

    const good = [
      { port, ...calm },
      { port, token: await tokenFor(place.databaseUrl) },
    ]
    const ofCalls = await runFloods(port, callFloods(place.token), SECONDS[effort], good)
    await expectRateLimitHeaders(port, place.token, GET)
    const ofBodies = await runFloods(port, bodyFloods(spare), SECONDS[effort], good)
    const most = watched.most()
    if (held && most) {
      const more = most.memoryMib - held.memoryMib
      if (more > MOST_MIB)
        throw new Error(
          `The flood had the service hold ${more.toFixed(0)} MiB more; ${MOST_MIB} is what it may.`,
        )
    }
    await expectReleased(pid, held, SECONDS_TO_LET_GO, 'the flood')
    const kept = await expectHeapReleased(pid, place.folder, heap, 'The flood')
    await service.stop()

    const lines = expectBoundedLog(log)
    return `calls: ${formatResult(ofCalls, before)}; bodies: ${formatResult(ofBodies, before)}; ${lines} lines of log; ${most?.memoryMib.toFixed(0) ?? '?'} MiB at most, ${kept}`
  },
}

interface FloodResult {
  readonly answers: ReadonlyMap<number, number>
  readonly good: GoodCalls
}

/** All floods at once, and good callers meanwhile. */
async function runFloods(
  port: number,
  floods: readonly Flood[],
  lasting: number,
  good: readonly Parameters<typeof measureGoodCalls>[0][],
): Promise<FloodResult> {
  let over = false
  const harm = sleepSeconds(lasting).then(() => (over = true))
  const sent = Promise.all(floods.map((each) => sendFlood(each, port, () => over)))
  const [calls] = await Promise.all([Promise.all(good.map((each) => measureGoodCalls(each, harm))), sent])
  const answers = new Map<number, number>()
  for (const each of await sent)
    for (const [status, count] of each) answers.set(status, (answers.get(status) ?? 0) + count)
  const count = calls.reduce((sum, each) => sum + each.count, 0)
  return { answers, good: { count, medianMs: median(calls.map(({ medianMs }) => medianMs)) } }
}

function formatResult({ answers, good }: FloodResult, before: GoodCalls): string {
  const told = [...answers].toSorted(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`)
  return `${told.join(', ')}, ${compareLatency(good, before)}`
}

/** A token of another workspace. */
function createOtherToken({ look }: FaultEnvironment): Promise<string> {
  return look(async ({ crm: { operator } }) => {
    const [slug, email] = ['calm', 'carl@calm.example']
    await operator.createWorkspace({ name: 'Calm', slug, owner_name: 'Carl', owner_email: email })
    const scopes = [...operator.scopes]
    const app = await operator.createApp({
      name: 'Calm',
      email: 'app@calm.example',
      redirect_uris: ['https://calm.example/back'],
      scopes,
    })
    return (await operator.createToken({ workspace: slug, client_id: app.client_id, user_email: email }))
      .access_token
  })
}

/** @throws Error when a caller over its limit is not told so as the interface promises */
async function expectRateLimitHeaders(port: number, token: string, most: number): Promise<void> {
  const ask = () =>
    fetch(`http://127.0.0.1:${port}/v1/tasks?per_page=1`, { headers: { Authorization: `Bearer ${token}` } })
  let answer = await ask()
  for (let calls = 0; answer.ok && calls < most; calls += 1) {
    await answer.arrayBuffer()
    answer = await ask()
  }
  const { error } = (await answer.json()) as {
    readonly error?: { readonly code: string; readonly message: string }
  }
  const [limit, left, resets, retry] = [
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
    'Retry-After',
  ].map((name) => Number(answer.headers.get(name) ?? Number.NaN))
  const isTold =
    answer.status === 429 &&
    error?.code === 'rate_limit_exceeded' &&
    error.message === `Rate limit exceeded. Try again in ${retry} seconds.` &&
    limit === most &&
    left === 0 &&
    Math.abs(resets! - Date.now() / 1000 - retry!) < 3
  if (!isTold)
    throw new Error(
      `A call over the limit was answered with ${answer.status}, ${JSON.stringify([...answer.headers])}.`,
    )
}

/**
 * @returns how many lines there are.
 * @throws Error when callers fill the log: one line for a call, and none of them long, is all they get
 */
function expectBoundedLog(file: string): number {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  const calls = new Set<string>()
  let beside = 0
  for (const line of lines) {
    if (line.length > LONGEST_LINE)
      throw new Error(`A line of the log has ${line.length} characters: ${line.slice(0, LONGEST_LINE)}`)
    const { request_id } = JSON.parse(line) as { readonly request_id?: string }
    if (request_id === undefined) beside += 1
    else if (calls.has(request_id)) throw new Error(`One call left several lines in the log: ${line}`)
    else calls.add(request_id)
  }
  if (beside > LINES_BESIDE) throw new Error(`${beside} lines of the log are of no call.`)
  return lines.length
}
