import type { FaultEnvironment } from './environment.ts'
import type { Fault } from './fault.ts'
import {
  beginWork,
  endLease,
  expectEachRowOnce,
  expectNothingLeft,
  getImport,
  uploadPeople,
} from './people-import.ts'

const KILLS = { brief: 3, thorough: 50 }
/** Rows that are written between two kills, at least. */
const ROWS_PER_KILL = { brief: 150, thorough: 400 }
const POLL_MS = 20
/** Milliseconds from the start of a process to its kill, at most. */
const MAX_WORK_MS = 1500

/** After `kill -9` an import goes on at its row: each becomes one record, and the reversal leaves none. */
export const importKill: Fault = {
  name: 'import-kill',
  title: 'kill -9 in a loop during an import',
  databases: ['sqlite', 'postgres'],
  async run(environment, effort) {
    const kills = KILLS[effort]
    // Half of the kills hit the run, the others the reversal.
    const rows = ROWS_PER_KILL[effort] * (kills + 2)
    const [runKills, reversalKills] = [Math.ceil(kills / 2), Math.floor(kills / 2)]
    const id = await uploadPeople(environment, rows)
    await beginWork(environment, id, 'run')
    await finishWithKills(environment, id, 'done', runKills)
    await expectEachRowOnce(environment, rows)
    await beginWork(environment, id, 'revert')
    await finishWithKills(environment, id, 'reverted', reversalKills)
    await expectNothingLeft(environment)
    return `${rows} rows with ${runKills} kills of the run and ${reversalKills} of the reversal: each row once, and none left`
  },
}

/** Kills the service some times while it works on the import, and waits for the end. */
async function finishWithKills(
  environment: FaultEnvironment,
  id: string,
  end: 'done' | 'reverted',
  kills: number,
): Promise<void> {
  for (let count = 0; count <= kills; count += 1) {
    const service = await environment.startService()
    const isLast = count === kills
    const killAfterMs = Math.random() * MAX_WORK_MS
    const startedAt = performance.now()
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
      if (!isLast && performance.now() - startedAt > killAfterMs) break
      const status = await getImport(service.port, environment.token, id)
      if (status?.state === end) break
      if (status?.state === 'paused') throw new Error(`The import is paused: ${status.problem?.message}`)
    }
    await (isLast ? service.stop() : service.kill())
    await endLease(environment, id)
  }
}
