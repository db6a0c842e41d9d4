import { setTimeout as sleep } from 'node:timers/promises'
import { postgresStorage } from '@sales-crm/postgres'
import type { CitusServer } from '../../../bench/citus.ts'
import type { Server } from '../../../bench/processes.ts'
import { serviceSettings } from '../../../bench/servers.ts'
import { readCommands, runInShell } from '../documented-commands.ts'
import { createWorkspace, type FaultEnvironment, type WorkspaceAccess } from '../environment.ts'
import { waitUntilSent } from '../exactly-once.ts'
import type { Effort, Fault } from '../fault.ts'
import { expectIntegrity } from '../integrity.ts'
import { createOtherWorkspace } from '../other-workspace.ts'
import {
  type ApiResponse,
  createApiCaller,
  expectCleanFailures,
  expectStatus,
  waitForProgress,
  waitForRecovery,
} from '../outage.ts'
import { queryDatabase } from '../sessions.ts'
import { expectStored } from '../stored-records.ts'
import { expectStoredTasks } from '../stored-tasks.ts'
import { startWriters, type Writers } from '../writers.ts'
import { CitusDatabase } from './citus-database.ts'

type Event = 'worker' | 'coordinator' | 'move'

const EVENTS: Readonly<Record<Effort, readonly Event[]>> = {
  brief: ['worker', 'coordinator', 'move'],
  thorough: Array.from({ length: 20 }, () => ['worker', 'coordinator', 'move'] as const).flat(),
}
/** Few, for the final comparison gets every write of a run of many minutes. */
const CALLERS = { count: 4, keyedCount: 2 }
/** The other workspace has no keyed writers: stored responses of all workspaces are counted together. */
const OTHER_CALLERS = { count: 2, keyedCount: 0 }
/** Acknowledged writes before each event, which follows after a random delay, and by the other workspace during one. */
const WRITES = 40
const DELAY_MS = 500
/** For which a server is down. */
const DOWN_SECONDS = 5
const PROBES = 10
const MAX_WORKSPACES = 20
const SETTINGS = { WEBHOOK_TIMEOUT_SECONDS: '5' }
const DELIVERY_TIMEOUT_MS = 180_000

/** A database that is distributed while a workspace has records, on servers that crash, and whose workspaces move. */
export const citus: Fault = {
  name: 'citus',
  title: 'servers of Citus that crash, and workspaces that move',
  databases: ['postgres'],
  urlVariable: 'CITUS_URL',
  async run(environment, effort) {
    const database = await CitusDatabase.create(process.env['CITUS_URL']!)
    try {
      return await runOn(database, environment.forWorkspace(await createWorkspace(database.url)), effort)
    } finally {
      await database.drop()
    }
  },
}

async function runOn(
  database: CitusDatabase,
  environment: FaultEnvironment,
  effort: Effort,
): Promise<string> {
  const receiver = await environment.startReceiver()
  await environment.subscribe(receiver.url('/'))
  let service = await environment.startService(SETTINGS)
  const { token } = environment
  const writers = startWriters({ token, ports: [service.port], ...CALLERS })
  await waitForProgress(writers, WRITES)
  await service.stop()
  await interruptDistribution(database)
  await distributeAsDocumented(environment)
  const other = await createWorkspaceElsewhere(database, environment)
  service = await environment.startService(SETTINGS)
  writers.setPorts(service.port)
  const otherWriters = startWriters({ token: other.token, ports: [service.port], ...OTHER_CALLERS })
  const load = { database, environment, other, service, writers, otherWriters }
  const seconds = await runEvents(EVENTS[effort], load)
  const [writes, otherWrites] = await Promise.all([writers.stop(), otherWriters.stop()])
  // The service was stopped while its database was distributed.
  expectCleanFailures(writes, [500, 0])
  await database.recoverTransactions()
  await waitUntilSent(environment, new Map(), DELIVERY_TIMEOUT_MS)
  await service.stop()
  const { tasks, events } = await expectStored(environment, writes)
  const otherTasks = await environment.withCore(({ storage }) =>
    storage.read((tx) => tx.workspace(other.workspaceId).tasks.find([])),
  )
  expectStoredTasks({ tasks: otherTasks }, otherWrites)
  await database.dropFormerShards()
  await expectWorkersIntact(database)
  return `${EVENTS[effort].length} events, ${writes.tasks.size} tasks acknowledged and ${tasks} stored, ${otherTasks.length} of the other workspace, ${writes.failedCalls.get(500) ?? 0} calls failed, ${otherWrites.failedCalls.get(500) ?? 0} of the other workspace, ${events} events delivered, longest exchange ${seconds.toFixed(1)} s`
}

/** Ends the session that distributes the tables: none must be distributed. */
async function interruptDistribution(database: CitusDatabase): Promise<void> {
  const storage = await postgresStorage({ url: database.url })
  try {
    let isEnded = false
    const onTable = (table: string) => {
      if (table !== 'deals') return
      isEnded = true
      void queryDatabase(
        database.url,
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'select create_distributed_table%'",
      )
    }
    const error = await storage.distribute({ onTable }).catch((reason: unknown) => reason)
    if (!isEnded || !(error instanceof Error)) throw new Error('The distribution was not ended.')
  } finally {
    await storage.close()
  }
  const distributed = await queryDatabase(database.url, 'select from pg_dist_partition')
  if (distributed.length > 0) throw new Error(`${distributed.length} tables are half distributed.`)
}

/** Runs the commands of the documents, then again what they have done already. */
async function distributeAsDocumented({ databaseUrl, folder }: FaultEnvironment): Promise<void> {
  const [, ...commands] = readCommands('scaling.md', 'Citus').trim().split('\n')
  const output = await runInShell(commands.join('\n'), {
    ...serviceSettings(databaseUrl, folder),
    HOME: folder,
  })
  if (!/^Distributed: .*\bdeals\b/m.test(output) || !/^ok +distribution/m.test(output))
    throw new Error(`The database is not distributed:\n${output}`)
  const storage = await postgresStorage({ url: databaseUrl })
  const { distributed } = await storage.distribute().finally(storage.close)
  if (distributed.length > 0) throw new Error('Tables were distributed twice.')
}

/** Creates a workspace that another worker has. */
async function createWorkspaceElsewhere(
  database: CitusDatabase,
  environment: FaultEnvironment,
): Promise<WorkspaceAccess> {
  const worker = await database.findWorker(environment.workspaceId)
  for (let number = 1; number <= MAX_WORKSPACES; number += 1) {
    const other = await createOtherWorkspace(environment, `calm-${number}`)
    if ((await database.findWorker(other.workspaceId)) !== worker) return other
  }
  throw new Error('All workspaces are on one worker.')
}

interface Load {
  readonly database: CitusDatabase
  readonly environment: FaultEnvironment
  /** On another worker. */
  readonly other: WorkspaceAccess
  readonly service: Server
  readonly writers: Writers
  readonly otherWriters: Writers
}

/** @returns seconds of the longest exchange of two workspaces */
async function runEvents(events: readonly Event[], load: Load): Promise<number> {
  const { database, environment, service, writers, otherWriters } = load
  const callApi = createApiCaller(service, environment.token)
  let longestMove = 0
  for (const [index, event] of events.entries()) {
    await waitForProgress(writers, WRITES)
    await sleep(Math.random() * DELAY_MS)
    const startedAt = performance.now()
    if (event === 'worker') await loseWorker(load, await database.findWorker(environment.workspaceId))
    if (event === 'coordinator') {
      await database.restart(database.coordinator, DOWN_SECONDS)
      await database.waitUntilUp(database.coordinator)
    }
    if (event === 'move') {
      await swapWorkers(load)
      longestMove = Math.max(longestMove, (performance.now() - startedAt) / 1000)
    }
    await waitForRecovery(callApi, writers)
    await waitForProgress(otherWriters, WRITES)
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    console.log(`${index + 1} of ${events.length}: ${event}, writes succeed after ${seconds} s`)
  }
  return longestMove
}

/** Moves each of the workspaces to the worker of the other, one after the other. */
async function swapWorkers({ database, environment, other }: Load): Promise<void> {
  const [from, to] = [
    await database.findWorker(environment.workspaceId),
    await database.findWorker(other.workspaceId),
  ]
  await database.moveWorkspace(environment.workspaceId, to)
  await database.moveWorkspace(other.workspaceId, from)
}

/** Calls of the lost workspace are answered 500. Those of the other one succeed. */
async function loseWorker(
  { database, environment, service, writers, otherWriters }: Load,
  worker: CitusServer,
): Promise<void> {
  const [knownTask] = writers.writes.tasks.keys()
  const callApi = createApiCaller(service, environment.token)
  await database.restart(worker, DOWN_SECONDS)
  const failuresBefore = otherWriters.writes.failedCalls.get(500) ?? 0
  const responses: ApiResponse[] = []
  for (let probe = 0; probe < PROBES; probe += 1) {
    responses.push(await callApi('GET', `/v1/tasks/${knownTask}`))
    responses.push(await callApi('POST', '/v1/products', { name: `Lost ${probe}` }))
  }
  await waitForProgress(otherWriters, WRITES)
  const failures = (otherWriters.writes.failedCalls.get(500) ?? 0) - failuresBefore
  await database.waitUntilUp(worker)
  for (const response of responses) expectStatus(response, 500)
  if (failures > 0) throw new Error(`${failures} calls of the other workspace failed.`)
}

async function expectWorkersIntact({ workers }: CitusDatabase): Promise<void> {
  for (const { url } of workers) {
    const withShards = new URL(url)
    withShards.searchParams.set('options', '-c citus.override_table_visibility=off')
    await expectIntegrity({ database: 'postgres', databaseUrl: withShards.href })
  }
}
