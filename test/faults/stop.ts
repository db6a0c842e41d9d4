import type { FaultEnvironment } from './environment.ts'
import { expectSentOnce, type Leases, waitUntilSent } from './exactly-once.ts'
import type { Fault } from './fault.ts'
import { emptyTasks, openConnections } from './pipelined-connections.ts'
import type { ReceivedDelivery } from './receiver-process.ts'
import { expectStored } from './stored-records.ts'

const ROUNDS = { brief: 1, thorough: 8 }
const CONNECTION_COUNT = 16
const DELIVERY_TIMEOUT_MS = 120_000
/** Longer than a round, so that a delivery to the silent receiver is in flight at the stop on any machine. */
const SETTINGS = { WEBHOOK_TIMEOUT_SECONDS: '60' }
const QUICK = '/after/100'
const SILENT = '/silent'

/** A process that receives SIGTERM answers every request it received and releases its deliveries. */
export const stop: Fault = {
  name: 'stop',
  title: 'SIGTERM under load',
  databases: ['sqlite', 'postgres'],
  async run(environment, effort) {
    const receiver = await environment.startReceiver()
    await environment.subscribe(receiver.url(QUICK))
    await environment.subscribe(receiver.url(SILENT), ['task.created'])
    const created = emptyTasks()
    const released: Leases = new Map()
    let service = await environment.startService(SETTINGS)
    let longestMs = 0
    for (let round = 0; round < ROUNDS[effort]; round += 1) {
      const countBefore = (await receiver.listDeliveries()).length
      receiver.setAnswering(false)
      const connections = await openConnections(
        { port: service.port, token: environment.token, count: CONNECTION_COUNT },
        created,
      )
      await connections.warmUp
      const hasSilentDelivery = (deliveries: readonly ReceivedDelivery[]) =>
        deliveries.slice(countBefore).some(({ path }) => path === SILENT)
      await receiver.waitFor(hasSilentDelivery, DELIVERY_TIMEOUT_MS, 'The silent receiver got no delivery.')
      const startedAt = performance.now()
      const [code] = await Promise.all([service.stop(), connections.waitForClose()])
      longestMs = Math.max(longestMs, performance.now() - startedAt)
      if (code !== 0) throw new Error(`The process exited with code ${code}.`)
      await expectReleasedDeliveries(environment, released)
      receiver.setAnswering(true)
      service = await environment.startService(SETTINGS)
      await waitUntilSent(environment, new Map(), DELIVERY_TIMEOUT_MS)
    }
    await service.stop()
    const { redeliveries } = expectSentOnce(await receiver.listDeliveries(), released)
    const { tasks, events } = await expectStored(environment, created)
    return `${ROUNDS[effort]} stops, the longest of ${(longestMs / 1000).toFixed(1)} s, ${tasks} tasks acknowledged and stored, ${events} events delivered, ${released.size} deliveries released and ${redeliveries} of them sent again`
  },
}

/**
 * Records from when each released delivery may be sent by another process.
 * @throws Error if a delivery is still leased, or due only later
 */
async function expectReleasedDeliveries(environment: FaultEnvironment, released: Leases): Promise<void> {
  const pending = await environment.withCore(({ storage }) => {
    return storage.read((tx) =>
      tx.workspace(environment.workspaceId).deliveries.find([{ field: 'status', is: 'pending' }]),
    )
  })
  const now = Date.now()
  for (const { id, lease, sending, due_at } of pending) {
    if (sending) throw new Error(`Delivery ${id} is still leased by the stopped process.`)
    if (Date.parse(due_at ?? '') > now)
      throw new Error(`Delivery ${id} was released, and is due only at ${due_at}.`)
    if (lease > 0) released.set(id, [now])
  }
  if (released.size === 0) throw new Error('No delivery to the silent receiver was released.')
}
