import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { median } from '../../bench/rounds.ts'
import type { Fault } from './fault.ts'
import type { Target } from './noisy-clients.ts'
import { createNoisyRecords, NOISY_LOADS, type NoisyLoad } from './noisy-loads.ts'
import { createOtherWorkspace } from './other-workspace.ts'
import { watchUsage } from './process-usage.ts'

const SECONDS = { brief: 1, thorough: 60 }
const REST_SECONDS = { brief: 0.5, thorough: 15 }
const PEOPLE = { brief: 300, thorough: 60_000 }
const MAX_MEMORY_MIB = 600
/** Of the neighbour's median at rest, and milliseconds. Held in a thorough run only: a test does not time. */
const [MAX_MEDIAN_RATIO, MAX_MS] = [3, 2_000]
const PAUSE_MS = 70

/** One workspace takes as much as it can; its neighbour is served as if it were alone. */
export const noisyNeighbour: Fault = {
  name: 'noisy-neighbour',
  title: 'a workspace that takes as much as it can',
  databases: ['sqlite', 'postgres'],
  briefDatabase: 'sqlite',
  async run(environment, effort) {
    const records = await createNoisyRecords(environment, PEOPLE[effort])
    const { token: neighbour } = await createOtherWorkspace(environment)
    const summaries: string[] = []
    const failures: string[] = []
    for (const load of NOISY_LOADS) {
      const limits = { RATE_LIMIT_GET: '1000', RATE_LIMIT_POST: '200', RATE_LIMIT_OAUTH: '20' }
      const service = await environment.startService({ ...limits, ...load.settings })
      const target = { port: service.port, token: environment.token, ...records }
      const usage = watchUsage(service.pid)
      const result = await measureNeighbour(load, target, neighbour, SECONDS[effort], REST_SECONDS[effort])
      const memory = usage.stop()?.memoryMib ?? 0
      await service.stop()
      const summary = `${load.name}: ${result.summary}, ${memory.toFixed(0)} MiB`
      if (effort === 'thorough') console.log(summary)
      summaries.push(summary)
      if (memory > MAX_MEMORY_MIB) failures.push(`The process grew too large. ${summary}`)
      if (effort === 'thorough' && (result.ratio > MAX_MEDIAN_RATIO || result.maxMs > MAX_MS))
        failures.push(`The neighbour waited too long. ${summary}`)
    }
    // Every load is measured before the first failure is reported.
    if (failures.length > 0) throw new Error(failures.join('\n'))
    return summaries.join('; ')
  },
}

async function measureNeighbour(
  load: NoisyLoad,
  target: Target,
  token: string,
  seconds: number,
  restSeconds: number,
) {
  const atRest = await callAsNeighbour(target.port, token, AbortSignal.timeout(restSeconds * 1000))
  const end = AbortSignal.timeout(seconds * 1000)
  const [times] = await Promise.all([
    callAsNeighbour(target.port, token, end),
    runInWorker(load, target, seconds),
  ])
  const [before, during, maxMs] = [median(atRest), median(times), Math.max(...times)]
  const ratio = during / before
  const summary = `${times.length} calls of the neighbour, median ${before.toFixed(1)} ms at rest and ${during.toFixed(1)} ms (${ratio.toFixed(1)} times), worst ${maxMs.toFixed(0)} ms`
  return { ratio, maxMs, summary }
}

/** Runs a load in a thread, so that it does not delay the measurement. */
async function runInWorker({ name }: NoisyLoad, target: Target, seconds: number): Promise<void> {
  const worker = new Worker(new URL('./noisy-load-worker.ts', import.meta.url), {
    workerData: { name, target, seconds },
  })
  const [code] = await once(worker, 'exit')
  if (code !== 0) throw new Error(`The load "${name}" ended with ${code}.`)
}

/**
 * Reads, lists, searches and writes until `signal` is aborted.
 * @returns the milliseconds of each call
 * @throws Error for the first call that was not served
 */
async function callAsNeighbour(port: number, token: string, signal: AbortSignal): Promise<number[]> {
  const times: number[] = []
  const paths = [
    '/v1/workspace',
    '/v1/tasks?per_page=10',
    '/v1/people?search=ana',
    '/v1/tasks?per_page=10&page=2',
  ]
  while (!signal.aborted) {
    const isWrite = times.length % 10 === 0
    const startedAt = performance.now()
    const response = await fetch(
      `http://127.0.0.1:${port}${isWrite ? '/v1/tasks' : paths[times.length % paths.length]}`,
      {
        method: isWrite ? 'POST' : 'GET',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        ...(isWrite && { body: JSON.stringify({ title: 'Call back' }) }),
      },
    )
    const text = await response.text()
    if (!response.ok)
      throw new Error(`A call of the neighbour was answered ${response.status}: ${text.slice(0, 300)}`)
    times.push(performance.now() - startedAt)
    // The neighbour stays within its own rate limit.
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  return times
}
