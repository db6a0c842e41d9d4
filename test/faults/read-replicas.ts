import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../apps/server/test/support/service-process.ts'
import { createAccessToken } from '../../bench/data.ts'
import type { Server } from '../../bench/processes.ts'
import type { TestPostgres } from '../../packages/postgres/test/embedded-postgres.ts'
import { startStandby } from '../../packages/postgres/test/standby.ts'
import type { FaultEnvironment } from './environment.ts'
import type { Fault } from './fault.ts'
import { readMetrics, sumMetric } from './metrics.ts'
import { createApiCaller, expectStatus, waitUntil } from './outage.ts'
import { queryDatabase } from './sessions.ts'

const ROUNDS = { brief: 1, thorough: 12 }
const CALLERS = 6
/** Milliseconds after a write in which the reads of its caller go to the leader, and a second for the next heartbeat. */
const RECENT_MS = 21_000
/** In which a caller reads from replicas between two writes. */
const READ_MS = 8_000
const PAUSE_MS = 40
/** For which a replica is frozen. */
const FREEZE_MS = 2_500
/** A read tries a replica for at most a second and then goes to the leader. */
const MAX_READ_MS = 4_000

/** Replicas that freeze, stop, and are promoted under callers that wrote a while ago. */
export const readReplicas: Fault = {
  name: 'read-replicas',
  title: 'read replicas that freeze, crash and are promoted',
  databases: ['postgres'],
  async run(environment, effort) {
    const replicas = [await startStandby(environment.postgres!), await startStandby(environment.postgres!)]
    try {
      return await runRounds(environment, replicas, ROUNDS[effort])
    } finally {
      await Promise.all(replicas.map((replica) => replica.stop()))
    }
  },
}

async function runRounds(
  environment: FaultEnvironment,
  replicas: readonly TestPostgres[],
  rounds: number,
): Promise<string> {
  const metricsPort = await freePort()
  const service = await environment.startService({
    DATABASE_READ_URL: replicas.map(({ url }) => url).join(','),
    METRICS_PORT: String(metricsPort),
  })
  const [first, second] = replicas as [TestPostgres, TestPostgres]
  const callers = await Promise.all(Array.from({ length: CALLERS }, () => startCaller(environment, service)))
  for (let round = 0; round < rounds; round += 1) {
    await sleep(RECENT_MS)
    await waitForReads(metricsPort)
    first.signal('SIGSTOP')
    await sleep(FREEZE_MS)
    first.signal('SIGCONT')
    await second.down('crash')
    await sleep(PAUSE_MS)
    await second.up()
  }
  await queryDatabase(first.url, 'select pg_promote()')
  await sleep(RECENT_MS + READ_MS)
  const reads = await readReads(metricsPort)
  const results = await Promise.all(callers.map((caller) => caller.stop()))
  await service.stop()
  const slowest = Math.max(...results.map(({ slowestMs }) => slowestMs))
  if (slowest > MAX_READ_MS) throw new Error(`A read took ${slowest.toFixed(0)} ms.`)
  const sum = (field: 'writes' | 'reads') => results.reduce((total, result) => total + result[field], 0)
  return `${sum('writes')} writes, ${sum('reads')} reads saw the last of their caller, ${reads} of them of replicas, the slowest in ${slowest.toFixed(0)} ms`
}

interface CallerResult {
  readonly writes: number
  readonly reads: number
  readonly slowestMs: number
}

/** Writes a task, and reads it until its next write. Each read must have the last title. */
async function startCaller(
  { databaseUrl }: FaultEnvironment,
  service: Server,
): Promise<{ stop(): Promise<CallerResult> }> {
  const callApi = createApiCaller(service, await createAccessToken(databaseUrl))
  const created = await callApi('POST', '/v1/tasks', { title: 'Title 0' })
  expectStatus(created, 201)
  const path = `/v1/tasks/${(created.body as { readonly data: { readonly id: string } }).data.id}`
  let [isStopped, writes, reads, slowestMs] = [false, 1, 0, 0]

  async function read(title: string): Promise<void> {
    const startedAt = performance.now()
    const response = await callApi('GET', path)
    slowestMs = Math.max(slowestMs, performance.now() - startedAt)
    expectStatus(response, 200)
    const { data } = response.body as { readonly data: { readonly title: string } }
    if (data.title !== title) throw new Error(`A caller wrote "${title}" and read "${data.title}".`)
    reads += 1
  }

  async function run(): Promise<void> {
    while (!isStopped) {
      const title = `Title ${writes}`
      expectStatus(await callApi('PATCH', path, { title }), 200)
      writes += 1
      const until = performance.now() + RECENT_MS + Math.random() * READ_MS
      while (!isStopped && performance.now() < until) {
        await read(title)
        await sleep(PAUSE_MS)
      }
    }
  }

  const running = run()
  // It is awaited by `stop`, after the failures of servers.
  running.catch(() => {})
  return {
    async stop() {
      isStopped = true
      await running
      return { writes, reads, slowestMs }
    },
  }
}

/** Waits until replicas answer reads. */
async function waitForReads(metricsPort: number): Promise<void> {
  const before = await readReads(metricsPort)
  await waitUntil('replicas answer reads', async () => (await readReads(metricsPort)) > before)
}

/** The number of reads that replicas have answered. */
async function readReads(metricsPort: number): Promise<number> {
  const text = await readMetrics(metricsPort)
  return sumMetric(text, 'crm_database_replica_reads_total', /\boutcome="answered"/)
}
