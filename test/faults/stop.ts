import type { FaultEnvironment } from './environment.ts'
import { expectSentOnce, type Leases, waitUntilSent } from './exactly-once.ts'
import type { Fault } from './fault.ts'
import { emptyTasks, openConnections } from './pipelined-connections.ts'
import type { ReceivedDelivery } from './receiver-process.ts'
import { expectStored } from './stored-records.ts'

const ROUNDS = { brief: 1, thorough: 8 }
const LINES = 16
const SENT_MS = 120_000
/** So long that what is kept waiting is under way until the stop, however slow the machine. */
const SETTINGS = { WEBHOOK_TIMEOUT_SECONDS: '60' }
const QUICK = '/after/100'
const SILENT = '/silent'

/**
 * A process that is told to stop owes an answer to all that came, and what it holds to whoever comes after
 * it.
 */
export const stop: Fault = {
  name: 'stop',
  title: 'SIGTERM under load',
  databases: ['sqlite', 'postgres'],
  async run(place, effort) {
    const receiver = await place.receive()
    await place.subscribe(receiver.url(QUICK))
    await place.subscribe(receiver.url(SILENT), ['task.created'])
    const made = emptyTasks()
    const given: Leases = new Map()
    let service = await place.start(SETTINGS)
    let longest = 0
    for (let round = 0; round < ROUNDS[effort]; round += 1) {
      const before = (await receiver.heard()).length
      receiver.speak(false)
      const lines = await openConnections({ port: service.port, token: place.token, count: LINES }, made)
      await lines.warm
      const isHeld = (heard: readonly ReceivedDelivery[]) =>
        heard.slice(before).some(({ path }) => path === SILENT)
      await receiver.until(isHeld, SENT_MS, 'Nothing was sent to the silent receiver.')
      const began = performance.now()
      const [code] = await Promise.all([service.stop(), lines.ended()])
      longest = Math.max(longest, performance.now() - began)
      if (code !== 0) throw new Error(`The process ended with ${code}.`)
      await expectReleasedDeliveries(place, given)
      receiver.speak(true)
      service = await place.start(SETTINGS)
      await waitUntilSent(place, new Map(), SENT_MS)
    }
    await service.stop()
    const { again } = expectSentOnce(await receiver.heard(), given)
    const { tasks, events } = await expectStored(place, made)
    return `${ROUNDS[effort]} stops, the longest of ${(longest / 1000).toFixed(1)} s, ${tasks} tasks answered and kept, ${events} events told, ${given.size} given back and ${again} of them sent again`
  },
}

/**
 * Notes since when each may be sent by others.
 * @throws Error when a delivery is held by nobody, or may be sent only later
 */
async function expectReleasedDeliveries(place: FaultEnvironment, given: Leases): Promise<void> {
  const left = await place.look(({ storage }) => {
    return storage.read((tx) =>
      tx.workspace(place.workspaceId).deliveries.find([{ field: 'status', is: 'pending' }]),
    )
  })
  const now = Date.now()
  for (const { id, lease, sending, due_at } of left) {
    if (sending) throw new Error(`Delivery ${id} is still held by the process that has ended.`)
    if (Date.parse(due_at ?? '') > now)
      throw new Error(`Delivery ${id} was given back, and may be sent only at ${due_at}.`)
    if (lease > 0) given.set(id, [now])
  }
  if (given.size === 0) throw new Error('Of what the silent receiver held nothing was given back.')
}
