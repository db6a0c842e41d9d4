import { setTimeout as sleep } from 'node:timers/promises'
import type { Server } from '../../bench/processes.ts'
import type { FaultEnvironment } from './environment.ts'
import { createFailingDisk } from './failing-disk.ts'
import type { Effort, Fault } from './fault.ts'
import {
  beginWork,
  endLease,
  expectEachRowOnce,
  expectNothingLeft,
  type ImportStatus,
  uploadPeople,
  waitForImport,
} from './people-import.ts'

/** A thorough run waits until the lease of a step that failed has ended by itself. */
const EFFORTS = {
  brief: { rounds: 1, outageMs: 1000, waitsForLease: false },
  thorough: { rounds: 4, outageMs: 10_000, waitsForLease: true },
}
/** Those of which 100 are done, and those that are done while the outage begins. */
const ROWS_PER_OUTAGE = 500
/** Rows of the run, or records of the reversal, that are done before an outage. */
const PROGRESS = 100

/** An import survives outages of its database server, and of the process that runs it. */
export const importOutage: Fault = {
  name: 'import-outage',
  title: 'a PostgreSQL that stops during an import, and a process that is killed beside another',
  databases: ['postgres'],
  run(environment, effort) {
    let stopCount = 0
    return runImport(environment, effort, {}, [
      async (services) => {
        await environment.postgres!.down(stopCount++ % 2 ? 'fast' : 'crash')
        await sleep(EFFORTS[effort].outageMs)
        await environment.postgres!.up()
        return services
      },
      (services) => killWorker(environment, services),
    ])
  },
}

/** An import survives a disk that is full for a while. */
export const importDiskFull: Fault = {
  name: 'import-disk-full',
  title: 'a full disk during an import',
  databases: ['sqlite'],
  programs: ['cc'],
  async run(environment, effort) {
    const disk = await createFailingDisk(environment.folder)
    return runImport(environment, effort, disk.settings, [
      async (services, id) => {
        // With `full`, transactions succeed while the write-ahead log has pages to overwrite.
        disk.fail('full-copy-on-write')
        await waitForStandstill(environment, id, services, EFFORTS[effort].outageMs)
        disk.repair('full-copy-on-write')
        return services
      },
    ])
  },
}

/** Works on the import first. Another process may follow. */
type Services = readonly [Server, ...Server[]]

/** Injects and repairs an outage. Returns the processes that go on. */
type Outage = (services: Services, id: string) => Promise<Services>

async function runImport(
  environment: FaultEnvironment,
  effort: Effort,
  settings: Readonly<Record<string, string>>,
  kinds: readonly Outage[],
): Promise<string> {
  const outages = Array.from({ length: EFFORTS[effort].rounds }, () => kinds).flat()
  const rows = ROWS_PER_OUTAGE * (outages.length + 1)
  const id = await uploadPeople(environment, rows)
  let services: Services = [await environment.startService(settings)]
  let pauses = 0
  for (const [work, state, end] of [
    ['run', 'running', 'done'],
    ['revert', 'reverting', 'reverted'],
  ] as const) {
    await beginWork(environment, id, work)
    for (const outage of outages) {
      await waitForProgress(environment, id, services)
      services = await outage(services, id)
      const status = await waitForImport(environment, id, services[0], () => true)
      if (status.state === end) throw new Error(`The outage came after the import was ${end}.`)
      if (status.state === 'paused') {
        pauses += 1
        await beginWork(environment, id, 'resume')
      }
      if (!EFFORTS[effort].waitsForLease) await endLease(environment, id)
      await waitForImport(environment, id, services[0], (current) => current.state === state)
    }
    await waitForImport(environment, id, services[0], (current) => current.state === end)
    if (end === 'done') await expectEachRowOnce(environment, rows)
  }
  await Promise.all(services.map((service) => service.stop()))
  await expectNothingLeft(environment)
  return `${rows} rows, ${outages.length} outages of the run and as many of the reversal, ${pauses} pauses: each row once, and none left`
}

/**
 * Kills the process that has the lease, with a step that was interrupted. The one that starts before goes on once the lease
 * has ended.
 */
async function killWorker(environment: FaultEnvironment, [worker]: Services): Promise<Services> {
  process.kill(worker.pid, 'SIGSTOP')
  const other = await environment.startService()
  await worker.kill()
  return [other]
}

/** Waits until the import is further than it was. */
async function waitForProgress(environment: FaultEnvironment, id: string, services: Services): Promise<void> {
  let first: number | undefined
  await waitForImport(environment, id, services[0], (status) => {
    const current = countDone(status)
    first ??= current
    return current - first >= PROGRESS
  })
}

/** Waits until the import has had no progress for some time. */
async function waitForStandstill(
  environment: FaultEnvironment,
  id: string,
  services: Services,
  milliseconds: number,
): Promise<void> {
  let last: number | undefined
  let since = 0
  await waitForImport(environment, id, services[0], (status) => {
    const current = countDone(status)
    if (current !== last) since = performance.now()
    last = current
    return performance.now() - since >= milliseconds
  })
}

function countDone({ done, reversal }: ImportStatus): number {
  return reversal?.deleted ?? done
}
