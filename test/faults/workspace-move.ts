import { freePort } from '../../apps/server/test/support/service-process.ts'
import type { Server } from '../../bench/processes.ts'
import { serviceSettings } from '../../bench/servers.ts'
import { mergeWrites } from './copy-expectations.ts'
import { expectDeliveredEvents } from './delivered-events.ts'
import { readCommands, runInShell } from './documented-commands.ts'
import { type FaultEnvironment, WRITER_EVENTS } from './environment.ts'
import type { Fault } from './fault.ts'
import { readMetrics, sumMetric } from './metrics.ts'
import { createOtherWorkspace, createOwnerToken } from './other-workspace.ts'
import { createApiCaller, expectCleanFailures, expectStatus, waitForProgress, waitUntil } from './outage.ts'
import { expectStoredDeals } from './stored-deals.ts'
import { expectStored, expectTotals, loadStored, type StoredRecords } from './stored-records.ts'
import { expectStoredTasks } from './stored-tasks.ts'
import { type AcknowledgedWrites, expectNoFailures, startWriters } from './writers.ts'

/** Acknowledged writes of a workspace before it moves. */
const WRITES = { brief: 200, thorough: 5_000 }
const WRITES_AFTER = 50
/** The slug in the documented commands. */
const SLUG = 'acme'
/** Ends a wait as a failure. */
const DRAIN_TIMEOUT_MS = 120_000
/** Stored responses of all workspaces are counted together: only the moved workspace has keyed writers. */
const RESIDENTS = { count: 4, keyedCount: 0 }

/** A workspace moves from SQLite to a PostgreSQL that serves another one, while both have callers. */
export const workspaceMove: Fault = {
  name: 'workspace-move',
  title: 'a workspace that moves to another installation under load',
  databases: ['postgres'],
  async run(target, effort) {
    const source = await createSource(target)
    const targetService = await target.startService()
    const residents = startWriters({ token: target.token, ports: [targetService.port], ...RESIDENTS })
    const { writes, seconds } = await move(source, target, WRITES[effort])
    const { workspaceId } = source
    const token = await target.withCore(({ crm }) => createOwnerToken(crm, SLUG))
    const movedWorkspace = target.forWorkspace({ databaseUrl: target.databaseUrl, token, workspaceId })
    const moved = await loadStored(movedWorkspace)
    expectMoved(moved, writes)

    const settlers = startWriters({ token, ports: [targetService.port], count: 4, keyedCount: 0 })
    await waitForProgress(settlers, WRITES_AFTER)
    const writesAfter = await settlers.stop()
    const writesOfResidents = await residents.stop()
    expectNoFailures(writesAfter)
    expectNoFailures(writesOfResidents)
    await targetService.stop()
    expectMoved(await loadStored(movedWorkspace), mergeWrites(writes, writesAfter))
    await expectStored(target, writesOfResidents)
    return `${moved.tasks.length} tasks, ${moved.deals.length} deals and ${moved.people.length} people moved, without writes for ${seconds.toFixed(1)} s; ${writes.failedCalls.get(0) ?? 0} calls refused meanwhile; ${writesAfter.tasks.size} tasks created afterwards, ${writesOfResidents.tasks.size} by the other workspace without a failure`
  },
}

/** Creates a workspace on a SQLite file. */
function createSource(target: FaultEnvironment): Promise<FaultEnvironment> {
  const access = { databaseUrl: `sqlite:${target.folder}/crm.db`, token: '', workspaceId: '' }
  const source = target.forWorkspace(access)
  return createOtherWorkspace(source, SLUG).then(source.forWorkspace)
}

/**
 * Moves a workspace under load by the documented commands.
 * @returns its acknowledged writes, and seconds without writes
 */
async function move(
  source: FaultEnvironment,
  target: FaultEnvironment,
  writeCount: number,
): Promise<{ readonly writes: AcknowledgedWrites; readonly seconds: number }> {
  const receiver = await source.startReceiver()
  const metricsPort = await freePort()
  const service = await source.startService({ METRICS_PORT: String(metricsPort) })
  await subscribe(service, source.token, receiver.url('/'))
  const writers = startWriters({ token: source.token, ports: [service.port] })
  await waitForProgress(writers, writeCount)

  const closedAt = performance.now()
  writers.setPorts(await freePort())
  await waitUntilEmpty(metricsPort)
  await service.stop()
  const output = await runInShell(readCommands('running.md', 'Moving to PostgreSQL'), {
    ...serviceSettings(source.databaseUrl, source.folder),
    HOME: source.folder,
    FOLDER: source.folder,
    NEW_DATABASE_URL: target.databaseUrl,
  })
  const seconds = (performance.now() - closedAt) / 1000
  const checksums = output.match(/\b[0-9a-f]{64}\b/g) ?? []
  if (checksums.length !== 2 || checksums[0] !== checksums[1])
    throw new Error(`The archive was not imported as it was exported:\n${output}`)

  const writes = await writers.stop()
  expectCleanFailures(writes, [0])
  if (writes.lostCount > 0) throw new Error(`${writes.lostCount} calls got no response.`)
  const stored = await loadStored(source)
  expectDeliveredEvents(stored, writes)
  const undelivered = stored.deliveries.filter(({ status }) => status !== 'delivered')
  if (undelivered.length > 0) throw new Error(`${undelivered.length} events were not delivered.`)
  return { writes, seconds }
}

async function subscribe(service: Server, token: string, url: string): Promise<void> {
  const webhook = { url, events: WRITER_EVENTS }
  expectStatus(await createApiCaller(service, token)('POST', '/v1/webhooks', webhook), 201)
}

async function waitUntilEmpty(metricsPort: number): Promise<void> {
  await waitUntil(
    'the outbox is empty',
    async () => sumMetric(await readMetrics(metricsPort), 'crm_outbox_pending') === 0,
    { timeoutMs: DRAIN_TIMEOUT_MS },
  )
}

/** Stored responses and deliveries stay behind. */
function expectMoved(moved: StoredRecords, writes: AcknowledgedWrites): void {
  expectStoredTasks(moved, writes)
  expectStoredDeals({ ...moved, storedResponses: moved.deals.length + moved.people.length }, writes)
  expectTotals(moved)
}
