import type { DeliveryApi } from '@sales-crm/core'
import type { Records } from '@sales-crm/core/ports'
import { newId, startDispatcher, systemClock, threadedSender } from '@sales-crm/node'
import { LAB_CERTIFICATE } from '../../packages/node/test/outbound-http/certificate.ts'
import { createCrmOn } from '../data.ts'
import { createTaskInput } from '../rows.ts'
import { createDatabase } from './fixture.ts'

/** The service's default settings. */
const POLICY = { retries: 3, retrySeconds: 900, leaseSeconds: 30 }
const TIMEOUT_MS = 10_000
const GRACE_MS = 1_000
const THREAD = new URL('./sending-thread.ts', import.meta.url)

export interface DeliveryWorker {
  /** The body of each delivery. */
  readonly body: string
  /**
   * Adds deliveries to the outbox.
   * @returns a function that resolves once their outcomes are saved
   */
  enqueue(count: number): Promise<() => Promise<void>>
  stop(): Promise<void>
}

/**
 * Starts the service's webhook worker on a new SQLite file.
 * @param hosts number of host names of the receiver, each of which the service treats as a host of its own
 */
export async function startDeliveryWorker(
  folder: string,
  port: number,
  hosts: number,
): Promise<DeliveryWorker> {
  const { storage, data } = await createDatabase(folder, `sending-${hosts}`)
  const { actor } = data
  const crm = createCrmOn(storage)
  for (let host = 0; host < hosts; host += 1) {
    const url = `https://host-${host}.lab.test:${port}/`
    await crm.webhooks.create(actor, { url, events: ['task.created'], auth_enable: true })
  }
  // One real change with a delivery to each host. The other deliveries are copies of these with new ids.
  await crm.tasks.create(actor, createTaskInput(data, 0))
  const [templates, [snapshot]] = await storage.read(async (tx) => {
    const { deliveries, snapshots } = tx.workspace(actor.workspaceId)
    return [await deliveries.find([]), await snapshots.find([])]
  })

  const counted = countDeliveries(crm.deliveryApi(POLICY))
  const firstDelivered = counted.waitForDeliveries(hosts)
  const sender = threadedSender({
    timeoutMs: TIMEOUT_MS,
    outbound: { allowPrivate: true },
    ca: LAB_CERTIFICATE,
    thread: THREAD,
    onCrash: counted.onError,
  })
  const dispatcher = startDispatcher({
    deliveries: counted.deliveries,
    sender,
    now: systemClock(),
    onDatabaseFailure: counted.onError,
  })
  await firstDelivered

  return {
    body: counted.readBody(),
    async enqueue(count) {
      const { snapshots, deliveries } = copyDeliveries(templates, snapshot!, count)
      const delivered = counted.waitForDeliveries(count)
      await storage.transact(async (tx) => {
        const stores = tx.workspace(actor.workspaceId)
        await Promise.all([stores.snapshots.insertMany(snapshots), stores.deliveries.insertMany(deliveries)])
        tx.notify()
      })
      return () => delivered
    },
    async stop() {
      await dispatcher.stop(GRACE_MS)
      await storage.close()
    },
  }
}

/** Returns copies with new ids. As many deliveries share a snapshot as there are templates. */
function copyDeliveries(
  templates: readonly Records['deliveries'][],
  template: Records['snapshots'],
  count: number,
) {
  const snapshots = Array.from({ length: Math.ceil(count / templates.length) }, () => ({
    ...template,
    id: newId(),
  }))
  const deliveries = Array.from({ length: count }, (_, index) => ({
    ...templates[index % templates.length]!,
    id: newId(),
    snapshot_id: snapshots[Math.floor(index / templates.length)]!.id,
  }))
  return { snapshots, deliveries }
}

/**
 * Wraps the delivery API to wait until a number of deliveries is saved as delivered. A failed delivery fails
 * the benchmark.
 */
function countDeliveries(deliveries: DeliveryApi) {
  let [remaining, body] = [0, '']
  let all = Promise.withResolvers<void>()
  const onError = (error: unknown) => all.reject(error)
  return {
    onError,
    /** Returns the first body that was sent. */
    readBody: () => body,
    waitForDeliveries(count: number): Promise<void> {
      remaining = count
      all = Promise.withResolvers()
      return all.promise
    },
    deliveries: {
      ...deliveries,
      async saveOutcomes(outcomes) {
        await deliveries.saveOutcomes(outcomes)
        body ||= outcomes[0]?.request.body ?? ''
        const failed = outcomes.find(({ attempt }) => attempt.status !== 200)
        if (failed) onError(new Error(`A delivery failed: ${JSON.stringify(failed.attempt)}`))
        remaining -= outcomes.length
        if (remaining === 0) all.resolve()
      },
    } satisfies DeliveryApi,
  }
}
