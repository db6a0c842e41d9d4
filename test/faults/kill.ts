import type { Server } from '../../bench/processes.ts'
import type { FaultEnvironment } from './environment.ts'
import type { Fault } from './fault.ts'
import { expectStored } from './stored-records.ts'
import { startWriters } from './writers.ts'

const ROUNDS = { brief: 2, thorough: 24 }
/** Acknowledged writes before each kill: a random number, so that kills hit different moments of the load. */
const WRITES = { min: 40, range: 60 }
/**
 * Every other kill immediately follows an acknowledgment, to catch one sent too early. The others come after
 * a random delay.
 */
const DELAY_MS = 30
/** In a thorough run, every fourth round crashes PostgreSQL instead of the service. */
const POSTGRES_INTERVAL = 4

/** After `kill -9`, every acknowledged write is on the disk. */
export const kill: Fault = {
  name: 'kill',
  title: 'kill -9 in a loop under load',
  databases: ['sqlite', 'postgres'],
  async run(environment, effort) {
    const receiver = await environment.startReceiver()
    await environment.subscribe(receiver.url('/'))
    let service = await environment.startService()
    const writers = startWriters({ token: environment.token, ports: [service.port] })
    let postgresCrashes = 0
    for (let round = 1; round <= ROUNDS[effort]; round += 1) {
      await writers.waitForWrites(WRITES.min + Math.floor(Math.random() * WRITES.range))
      if (round % 2 === 0) await new Promise((resolve) => setTimeout(resolve, Math.random() * DELAY_MS))
      if (effort === 'thorough' && environment.postgres && round % POSTGRES_INTERVAL === 0) {
        await crashPostgres(environment.postgres)
        postgresCrashes += 1
      } else {
        service = await restartService(environment, service)
        writers.setPorts(service.port)
      }
    }
    await writers.waitForWrites(WRITES.min)
    const writes = await writers.stop()
    await service.stop()
    const { tasks, events } = await expectStored(environment, writes)
    const { retries, deals } = writes
    return `${ROUNDS[effort]} kills (${postgresCrashes} of PostgreSQL), ${writes.tasks.size} tasks and ${deals.size} deals acknowledged, ${tasks} tasks stored, ${events} events, ${writes.lostCount} calls without a response, ${retries.replayed} of ${retries.sent} retried keys answered by a replay`
  },
}

async function restartService(environment: FaultEnvironment, service: Server): Promise<Server> {
  await service.kill()
  return environment.startService()
}

async function crashPostgres(postgres: NonNullable<FaultEnvironment['postgres']>): Promise<void> {
  await postgres.down('crash')
  await postgres.up()
}
