import { startProxy } from '../../packages/postgres/test/tcp-proxy.ts'
import type { Fault } from './fault.ts'
import {
  createRequest,
  expectAbsent,
  expectCleanFailures,
  runOutage,
  waitForProgress,
  waitForRecovery,
} from './outage.ts'
import { endSessions, expectNoLeakedSessions, queryDatabase } from './sessions.ts'
import { expectStored } from './stored-records.ts'
import { startWriters } from './writers.ts'

const ROUNDS = { brief: 1, thorough: 8 }
const ENDED = { brief: 10, thorough: 200 }
const WRITES = 40
const PAUSE_MS = 50

/** A database that goes, for each of the reasons for which they go, and comes back. */
export const databaseStop: Fault = {
  name: 'database-stop',
  title: 'a PostgreSQL that stops, takes no writes, cannot be reached, or ends sessions',
  databases: ['postgres'],
  async run(place, effort) {
    const postgres = place.postgres!
    const wire = await startProxy(place.databaseUrl)
    const service = await place.start({}, wire.url)
    const writers = startWriters({ token: place.token, ports: [service.port] })
    const reload = async (setting: string) => {
      await queryDatabase(place.databaseUrl, `alter system ${setting}`)
      await queryDatabase(place.databaseUrl, 'select pg_reload_conf()')
    }
    let downs = 0
    const outages = [
      { reads: false, harm: () => postgres.down(downs++ % 2 ? 'crash' : 'fast'), mend: () => postgres.up() },
      { reads: false, harm: wire.disconnect, mend: wire.reconnect },
      {
        reads: true,
        harm: () => reload('set default_transaction_read_only = on'),
        mend: () => reload('reset default_transaction_read_only'),
      },
    ]
    const refused: string[] = []
    let ended = 0
    for (let round = 0; round < ROUNDS[effort]; round += 1) {
      for (const each of outages) {
        await waitForProgress(writers, WRITES)
        refused.push(...(await runOutage(place, { service, writers, effort, ...each })))
      }
      for (let times = 0; times < ENDED[effort]; times += 1) {
        ended += await endSessions(place.databaseUrl)
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      }
      await waitForRecovery(createRequest(service, place.token), writers)
    }
    const written = await writers.stop()
    expectCleanFailures(written)
    const sessions = await expectNoLeakedSessions(place.databaseUrl)
    await service.stop()
    await expectNoLeakedSessions(place.databaseUrl, 0)
    await wire.disconnect()
    const { tasks } = await expectStored(place, written)
    await expectAbsent(place, refused)
    return `${outages.length * ROUNDS[effort]} outages, ${ended} sessions ended, ${written.refused.get(500)} calls refused, ${written.tasks.size} tasks acknowledged, ${tasks} kept, ${sessions} sessions at the end`
  },
}
