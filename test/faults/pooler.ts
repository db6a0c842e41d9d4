import type { Fault } from './fault.ts'
import { createRequest, expectCleanFailures, waitForProgress, waitForRecovery } from './outage.ts'
import { startPooler } from './pgbouncer.ts'
import { endSessions, expectNoLeakedSessions } from './sessions.ts'
import { expectStored } from './stored-records.ts'
import { startWriters } from './writers.ts'

/** Half of what the service has to it, so that every session is handed about. */
const CONNECTIONS = 5
const ROUNDS = { brief: 2, thorough: 20 }
const WRITES = 60

/** Behind a pooler a session is another's after each transaction, and goes without a word. */
export const pooler: Fault = {
  name: 'pooler',
  title: 'PgBouncer in transaction mode, which loses its connections',
  databases: ['postgres'],
  program: 'pgbouncer',
  async run(place, effort) {
    const pooler = await startPooler(place.databaseUrl, CONNECTIONS)
    try {
      const service = await place.start({ DATABASE_PREPARED: 'false' }, pooler.url)
      const ask = createRequest(service, place.token)
      const writers = startWriters({ token: place.token, ports: [service.port] })
      await waitForProgress(writers, WRITES)
      expectCleanFailures(writers.written, [])
      let ended = 0
      for (let round = 0; round < ROUNDS[effort]; round += 1) {
        ended += await endSessions(place.databaseUrl)
        await waitForRecovery(ask, writers)
        await pooler.replace()
        await waitForRecovery(ask, writers)
      }
      const written = await writers.stop()
      expectCleanFailures(written)
      await expectNoLeakedSessions(place.databaseUrl, CONNECTIONS)
      await service.stop()
      const { tasks } = await expectStored(place, written)
      return `${ended} of its sessions ended, itself ${ROUNDS[effort]} times, ${written.refused.get(500) ?? 0} calls refused, ${written.tasks.size} tasks acknowledged, ${tasks} kept`
    } finally {
      await pooler.stop()
    }
  },
}
