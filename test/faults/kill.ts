import type { Server } from '../../bench/processes.ts'
import type { FaultEnvironment } from './environment.ts'
import type { Fault } from './fault.ts'
import { expectStored } from './stored-records.ts'
import { startWriters } from './writers.ts'

const ROUNDS = { brief: 2, thorough: 24 }
/** Before each kill, so that no two come at the same moment of the load. */
const WRITES = { least: 40, more: 60 }
/**
 * Every other kill follows an answer at once, which finds one that was too early; the others come at any
 * moment between two.
 */
const DELAY_MS = 30
/** Of so many rounds one ends PostgreSQL instead of the service, in a thorough run. */
const OTHER = 4

/** A process that is killed without warning has told nobody what is not on the disk. */
export const kill: Fault = {
  name: 'kill',
  title: 'kill -9 in a loop under load',
  databases: ['sqlite', 'postgres'],
  async run(place, effort) {
    const receiver = await place.receive()
    await place.subscribe(receiver.url('/'))
    let service = await place.start()
    const writers = startWriters({ token: place.token, ports: [service.port] })
    let servers = 0
    for (let round = 1; round <= ROUNDS[effort]; round += 1) {
      await writers.acknowledged(WRITES.least + Math.floor(Math.random() * WRITES.more))
      if (round % 2 === 0) await new Promise((resolve) => setTimeout(resolve, Math.random() * DELAY_MS))
      if (effort === 'thorough' && place.postgres && round % OTHER === 0) {
        await crashPostgres(place.postgres)
        servers += 1
      } else {
        service = await restartService(place, service)
        writers.goTo(service.port)
      }
    }
    await writers.acknowledged(WRITES.least)
    const written = await writers.stop()
    await service.stop()
    const { tasks, events } = await expectStored(place, written)
    const { again, deals } = written
    return `${ROUNDS[effort]} kills (${servers} of PostgreSQL), ${written.tasks.size} tasks and ${deals.size} deals acknowledged, ${tasks} tasks kept, ${events} events, ${written.lost} calls without word, ${again.replayed} of ${again.sent} keys sent again answered as done before`
  },
}

async function restartService(place: FaultEnvironment, service: Server): Promise<Server> {
  await service.kill()
  return place.start()
}

async function crashPostgres(postgres: NonNullable<FaultEnvironment['postgres']>): Promise<void> {
  await postgres.down('crash')
  await postgres.up()
}
