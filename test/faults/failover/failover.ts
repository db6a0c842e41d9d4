import { setTimeout as sleep } from 'node:timers/promises'
import type { Server } from '../../../bench/processes.ts'
import { createWorkspace, type FaultEnvironment } from '../environment.ts'
import {
  type ClaimLoss,
  endLeases,
  expectSentOnce,
  type Leases,
  noteLeases,
  waitUntilSent,
} from '../exactly-once.ts'
import type { Effort, Fault } from '../fault.ts'
import { expectCleanFailures, waitForProgress, waitUntil } from '../outage.ts'
import type { Receiver } from '../receiver.ts'
import { queryDatabase } from '../sessions.ts'
import { expectStored } from '../stored-records.ts'
import { startWriters } from '../writers.ts'
import { FAILURES, type Failure } from './database-server.ts'
import { expectNoneLost, type FailoverResult, formatResult, formatResults, LOSS } from './failover-results.ts'
import { PatroniCluster } from './patroni-cluster.ts'
import { type RecordCallers, startRecordCallers } from './record-callers.ts'
import { expectLinearizable } from './record-history.ts'

const FAILOVERS: Readonly<Record<Effort, readonly Failure[]>> = {
  // Without synchronous replication, this failure loses every write that the former leader still acknowledges.
  brief: ['separate'],
  thorough: Array.from({ length: 50 }, (_, round) => FAILURES[round % FAILURES.length]!),
}
/** Few, for the receiver and the final comparison get every write of a run of half an hour. */
const CALLERS = { count: 3, keyedCount: 1 }
/** Acknowledged writes before each failure, which follows after a random delay. */
const WRITES = 40
const DELAY_MS = 500
/** A lease of 80 seconds more lasts longer than a failover, after which the leases are recorded. */
const SETTINGS = { WEBHOOK_TIMEOUT_SECONDS: '40' }
const DELIVERY_TIMEOUT_MS = 180_000
/** Longest time in which calls may fail. Patroni takes `ttl` and a promotion. */
const MAX_SECONDS = 40
/** Claims are commits that do not wait for a standby. Those of this time before a failure may be lost. */
const CLAIM_LOSS_MS = 2_000
const LISTENERS = "select from pg_stat_activity where query = 'listen crm_deliveries'"

/**
 * A leader of PostgreSQL that fails in each of several ways. One process of the service reaches the leader through
 * HAProxy, and one finds it among several hosts.
 */
export const failover: Fault = {
  name: 'failover',
  title: 'a leader of PostgreSQL under Patroni that fails',
  databases: ['postgres'],
  programs: ['etcd', 'haproxy', 'ip', 'patroni', 'pg_rewind'],
  createsNetworks: true,
  async run(environment, effort) {
    if (effort === 'thorough') await expectLossDetected(environment)
    return runFailovers(environment, FAILOVERS[effort], true)
  },
}

/** Checks that this test detects the loss of writes that no standby had confirmed. */
async function expectLossDetected(environment: FaultEnvironment): Promise<void> {
  const summary = await runFailovers(environment, ['separate'], false).catch((error: Error) => {
    if (!error.message.startsWith(LOSS)) throw error
    console.log(`Expected with asynchronous replication: ${error.message}`)
  })
  if (summary !== undefined)
    throw new Error('Asynchronous replication lost no write, so this test detects nothing.')
}

async function runFailovers(
  environment: FaultEnvironment,
  failures: readonly Failure[],
  isSynchronous: boolean,
): Promise<string> {
  const cluster = await PatroniCluster.start({ isSynchronous, onProgress: console.log })
  const services: Server[] = []
  try {
    const onCluster = environment.forWorkspace(await createWorkspace(cluster.proxyUrl))
    const receiver = await onCluster.startReceiver()
    await onCluster.subscribe(receiver.url('/'))
    for (const url of [cluster.proxyUrl, cluster.hostsUrl])
      services.push(await onCluster.startService(SETTINGS, url))
    return await failOver(onCluster, failures, cluster, services, receiver)
  } finally {
    await Promise.all(services.map((service) => service.kill()))
    cluster.stop()
  }
}

async function failOver(
  environment: FaultEnvironment,
  failures: readonly Failure[],
  cluster: PatroniCluster,
  services: readonly Server[],
  receiver: Receiver,
): Promise<string> {
  const writers = startWriters({
    token: environment.token,
    ports: services.map(({ port }) => port),
    ...CALLERS,
  })
  const record = await startRecordCallers(environment.token, services)
  const leases: Leases = new Map()
  const claimLosses: ClaimLoss[] = []
  const results: FailoverResult[] = []
  for (const failure of failures) {
    await waitForProgress(writers, WRITES)
    await sleep(Math.random() * DELAY_MS)
    const leader = await cluster.findLeader()
    const [failedAt, from] = [performance.now(), Date.now() - CLAIM_LOSS_MS]
    await leader.fail(failure)
    await cluster.waitForOtherLeader(leader)
    claimLosses.push({ from, until: Date.now() })
    await waitForSuccess(services, record)
    await noteLeases(environment, leases)
    await leader.repair(failure)
    await cluster.waitUntilComplete()
    await expectListeners(environment, services.length)
    const [viaProxy = 0, viaHosts = 0] = services.map(({ port }) => record.longestWrite(port, failedAt))
    const result = { failure, viaProxy, viaHosts, taskCount: writers.writes.tasks.size }
    results.push(result)
    console.log(`${results.length} of ${failures.length}: ${formatResult(result)}`)
    if (Math.max(viaProxy, viaHosts) > MAX_SECONDS)
      throw new Error(`Writes failed for more than ${MAX_SECONDS} s.`)
  }
  const calls = await record.stop()
  const writes = await writers.stop()
  await expectNoneLost(environment, writes, results)
  expectLinearizable(record.initialName, calls)
  expectCleanFailures(writes)
  const { redeliveries, lostClaims } = await expectDelivered(environment, receiver, leases, claimLosses)
  await Promise.all(services.map((service) => service.stop()))
  const { tasks, events } = await expectStored(environment, writes)
  return `${writes.tasks.size} tasks acknowledged and ${tasks} stored, ${writes.failedCalls.get(500) ?? 0} calls failed, ${calls.length} calls on one record in order, ${events} events delivered, ${redeliveries} of them again after a lease and ${lostClaims} after the loss of a claim\n${formatResults(results)}`
}

/** Waits until a write succeeds over each process. */
async function waitForSuccess(services: readonly Server[], record: RecordCallers): Promise<void> {
  const since = performance.now()
  await waitUntil(
    'writes succeed over both processes',
    () => services.every(({ port }) => record.lastSuccess(port) > since),
    { timeoutMs: MAX_SECONDS * 1000 },
  )
}

/** Waits until each process is notified of new deliveries again. */
async function expectListeners(environment: FaultEnvironment, count: number): Promise<void> {
  await waitUntil('both processes listen', async () => {
    const listeners = await queryDatabase(environment.databaseUrl, LISTENERS)
    return listeners.length === count
  })
}

/** Checks that each delivery is sent once, except after the loss of its claim or outcome. */
async function expectDelivered(
  environment: FaultEnvironment,
  receiver: Receiver,
  leases: Leases,
  claimLosses: readonly ClaimLoss[],
): Promise<ReturnType<typeof expectSentOnce>> {
  await waitUntilSent(environment, leases, DELIVERY_TIMEOUT_MS)
  expectSentOnce(await receiver.listDeliveries(), leases, claimLosses)
  await endLeases(environment, leases)
  await waitUntilSent(environment, new Map(), DELIVERY_TIMEOUT_MS)
  return expectSentOnce(await receiver.listDeliveries(), leases, claimLosses)
}
