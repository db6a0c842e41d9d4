import { startProxy } from '../../packages/postgres/test/tcp-proxy.ts'
import type { Fault } from './fault.ts'
import {
  createApiCaller,
  expectAbsent,
  expectCleanFailures,
  runOutage,
  waitForProgress,
  waitForRecovery,
} from './outage.ts'
import { expectNoLeakedSessions, queryDatabase, terminateSessions } from './sessions.ts'
import { expectStored } from './stored-records.ts'
import { startWriters } from './writers.ts'

const ROUNDS = { brief: 1, thorough: 8 }
const TERMINATIONS = { brief: 10, thorough: 200 }
const WRITES = 40
const PAUSE_MS = 50

/** A PostgreSQL server that becomes unavailable for each of several reasons, and recovers. */
export const databaseStop: Fault = {
  name: 'database-stop',
  title: 'a PostgreSQL that stops, becomes read-only or unreachable, or terminates sessions',
  databases: ['postgres'],
  async run(environment, effort) {
    const postgres = environment.postgres!
    const proxy = await startProxy(environment.databaseUrl)
    const service = await environment.startService({}, proxy.url)
    const writers = startWriters({ token: environment.token, ports: [service.port] })
    const changeSetting = async (setting: string) => {
      await queryDatabase(environment.databaseUrl, `alter system ${setting}`)
      await queryDatabase(environment.databaseUrl, 'select pg_reload_conf()')
    }
    let stopCount = 0
    const outages = [
      {
        readsWork: false,
        inject: () => postgres.down(stopCount++ % 2 ? 'crash' : 'fast'),
        repair: () => postgres.up(),
      },
      { readsWork: false, inject: proxy.disconnect, repair: proxy.reconnect },
      {
        readsWork: true,
        inject: () => changeSetting('set default_transaction_read_only = on'),
        repair: () => changeSetting('reset default_transaction_read_only'),
      },
    ]
    const rejectedTitles: string[] = []
    let terminatedCount = 0
    for (let round = 0; round < ROUNDS[effort]; round += 1) {
      for (const outage of outages) {
        await waitForProgress(writers, WRITES)
        rejectedTitles.push(...(await runOutage(environment, { service, writers, effort, ...outage })))
      }
      for (let iteration = 0; iteration < TERMINATIONS[effort]; iteration += 1) {
        terminatedCount += await terminateSessions(environment.databaseUrl)
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      }
      await waitForRecovery(createApiCaller(service, environment.token), writers)
    }
    const writes = await writers.stop()
    expectCleanFailures(writes)
    const sessions = await expectNoLeakedSessions(environment.databaseUrl)
    await service.stop()
    await expectNoLeakedSessions(environment.databaseUrl, 0)
    await proxy.disconnect()
    const { tasks } = await expectStored(environment, writes)
    await expectAbsent(environment, rejectedTitles)
    return `${outages.length * ROUNDS[effort]} outages, ${terminatedCount} sessions terminated, ${writes.failedCalls.get(500)} calls failed, ${writes.tasks.size} tasks acknowledged, ${tasks} stored, ${sessions} sessions at the end`
  },
}
