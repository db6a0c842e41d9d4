import type { Fault } from './fault.ts'
import { createApiCaller, expectCleanFailures, waitForProgress, waitForRecovery } from './outage.ts'
import { startPooler } from './pgbouncer.ts'
import { expectNoLeakedSessions, terminateSessions } from './sessions.ts'
import { expectStored } from './stored-records.ts'
import { startWriters } from './writers.ts'

/** Half of the service's connections, so that sessions are shared. */
const CONNECTIONS = 5
const ROUNDS = { brief: 2, thorough: 20 }
const WRITES = 60

/**
 * Behind a transaction pooler, a session may change owner after each transaction and may end without notice.
 */
export const pooler: Fault = {
  name: 'pooler',
  title: 'PgBouncer in transaction mode that loses its connections',
  databases: ['postgres'],
  programs: ['pgbouncer'],
  async run(environment, effort) {
    const pooler = await startPooler(environment.databaseUrl, CONNECTIONS)
    try {
      const service = await environment.startService({ DATABASE_PREPARED: 'false' }, pooler.url)
      const callApi = createApiCaller(service, environment.token)
      const writers = startWriters({ token: environment.token, ports: [service.port] })
      await waitForProgress(writers, WRITES)
      expectCleanFailures(writers.writes, [])
      let terminatedCount = 0
      for (let round = 0; round < ROUNDS[effort]; round += 1) {
        terminatedCount += await terminateSessions(environment.databaseUrl)
        await waitForRecovery(callApi, writers)
        await pooler.replace()
        await waitForRecovery(callApi, writers)
      }
      const writes = await writers.stop()
      expectCleanFailures(writes)
      await expectNoLeakedSessions(environment.databaseUrl, CONNECTIONS)
      await service.stop()
      const { tasks } = await expectStored(environment, writes)
      return `${terminatedCount} of its sessions terminated, ${ROUNDS[effort]} restarts, ${writes.failedCalls.get(500) ?? 0} calls failed, ${writes.tasks.size} tasks acknowledged, ${tasks} stored`
    } finally {
      await pooler.stop()
    }
  },
}
