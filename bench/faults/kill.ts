import type { Fault } from './fault.ts'
import { mustHaveKept } from './kept.ts'
import { startWriters } from './writers.ts'

const ROUNDS = { brief: 3, thorough: 40 }
const WRITES = 60

/** A process that is killed without warning has told nobody what is not on the disk. */
export const kill: Fault = {
  name: 'kill',
  title: 'kill -9 in a loop under load',
  databases: ['sqlite', 'postgres'],
  async run(place, effort) {
    let service = await place.start()
    const writers = startWriters({ token: place.token, ports: [service.port] })
    for (let round = 0; round < ROUNDS[effort]; round += 1) {
      await writers.acknowledged(WRITES)
      await service.kill()
      service = await place.start()
      writers.goTo(service.port)
    }
    await writers.acknowledged(WRITES)
    const written = await writers.stop()
    await service.stop()
    const { tasks, events } = await mustHaveKept(place, written)
    return `${ROUNDS[effort]} kills, ${written.tasks.size} tasks acknowledged, ${tasks} kept, ${events} events, ${written.unsure.size} without word`
  },
}
