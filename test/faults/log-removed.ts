import { renameSync, rmSync, writeFileSync } from 'node:fs'
import type { Fault } from './fault.ts'
import { createApiCaller, expectStatus, waitForProgress } from './outage.ts'
import { expectStored } from './stored-records.ts'
import { startWriters } from './writers.ts'

const ROUNDS = { brief: 4, thorough: 24 }
const WRITES = 60

/** Ways to take the write-ahead log from under the service. */
const REMOVALS: readonly ((file: string) => void)[] = [
  (file) => rmSync(`${file}-wal`),
  (file) => {
    rmSync(`${file}-wal`)
    rmSync(`${file}-shm`)
  },
  (file) => renameSync(`${file}-wal`, `${file}.log-elsewhere`),
  (file) => {
    writeFileSync(`${file}.other-log`, 'another file')
    renameSync(`${file}.other-log`, `${file}-wal`)
  },
]

/** A write that is acknowledged after the log was removed survives `kill -9`. */
export const logRemoved: Fault = {
  name: 'log-removed',
  title: 'the log removed or replaced under load, then kill -9',
  databases: ['sqlite'],
  async run(environment, effort) {
    const file = environment.databaseUrl.slice('sqlite:'.length)
    let service = await environment.startService()
    const writers = startWriters({ token: environment.token, ports: [service.port] })
    for (let round = 0; round < ROUNDS[effort]; round += 1) {
      await waitForProgress(writers, WRITES)
      REMOVALS[round % REMOVALS.length]!(file)
      await waitForProgress(writers, WRITES)
      expectStatus(await createApiCaller(service, environment.token)('GET', '/readyz'), 200)
      await service.kill()
      service = await environment.startService()
      writers.setPorts(service.port)
    }
    const writes = await writers.stop()
    await service.stop()
    const { tasks } = await expectStored(environment, writes)
    return `${ROUNDS[effort]} logs removed, ${writes.tasks.size} tasks acknowledged, ${tasks} stored, ${writes.failedCalls.get(500) ?? 0} calls failed`
  },
}
