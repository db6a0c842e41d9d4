import type { DeliveryApi } from '@sales-crm/core'
import type { Records, WorkspaceStores } from '@sales-crm/core/ports'
import { newId, startDispatcher, systemClock, threadedSender } from '@sales-crm/node'
import { sqliteStorage } from '@sales-crm/sqlite'
import { createFixture, subscribe } from './fixture.ts'
import type { Send } from './send.ts'

type Delivery = Records['deliveries']
type Snapshot = Records['snapshots']

/** The service's default settings. */
const POLICY = { retries: 3, retrySeconds: 900, leaseSeconds: 30 }
const TIMEOUT_MS = 10_000
const THREAD = new URL('./sending-thread.ts', import.meta.url)

export interface WorkerOptions {
  readonly file: string
  /** The receiver's port on this machine. */
  readonly port: number
  /** Number of host names of the receiver. The service treats each as a host of its own. */
  readonly hosts: number
  readonly ca: string
}

/** Starts the service's webhook worker on a new SQLite file. Also returns the body of its deliveries. */
export async function startDeliveryWorker({
  file,
  port,
  hosts,
  ca,
}: WorkerOptions): Promise<{ readonly body: string; readonly send: Send }> {
  const storage = await sqliteStorage({ file })
  const fixture = await createFixture(storage)
  const { crm, actor, task } = fixture
  for (let host = 0; host < hosts; host += 1)
    await subscribe(fixture, `https://host-${host}.lab.test:${port}/`)
  // One real change with a delivery to each host. The other deliveries are copies of these with new ids.
  await crm.tasks.create(actor, task)
  const { deliveries: templates, snapshot } = await storage.read((tx) =>
    readOutbox(tx.workspace(actor.workspaceId)),
  )
  if (templates.length !== hosts) throw new Error('A created task is not in the outbox.')

  const { deliveries, waitForDeliveries, onError, body } = countDeliveries(crm.deliveryApi(POLICY))
  const firstDelivered = waitForDeliveries(hosts)
  const sender = threadedSender({
    timeoutMs: TIMEOUT_MS,
    outbound: { allowPrivate: true },
    ca,
    thread: THREAD,
    onCrash: onError,
  })
  startDispatcher({ deliveries, sender, now: systemClock(), onDatabaseFailure: onError })
  await firstDelivered

  return {
    body: body(),
    async send(count) {
      const snapshots = Array.from(
        { length: Math.ceil(count / hosts) },
        (): Snapshot => ({ ...snapshot, id: newId() }),
      )
      const rows = Array.from({ length: count }, (_, index): Delivery => {
        return {
          ...templates[index % hosts]!,
          id: newId(),
          snapshot_id: snapshots[Math.floor(index / hosts)]!.id,
        }
      })
      const delivery = waitForDeliveries(count)
      await storage.transact(async (tx) => {
        const stores = tx.workspace(actor.workspaceId)
        await Promise.all([stores.snapshots.insertMany(snapshots), stores.deliveries.insertMany(rows)])
        tx.notify()
      })
      const startedAt = performance.now()
      await delivery
      return performance.now() - startedAt
    },
  }
}

/** Reads the deliveries and the snapshot of one change. */
async function readOutbox({ deliveries, snapshots }: WorkspaceStores) {
  const [deliveryRows, [snapshot]] = await Promise.all([deliveries.find([]), snapshots.find([])])
  if (!snapshot) throw new Error('A created task has no snapshot.')
  return { deliveries: deliveryRows, snapshot }
}

/**
 * Wraps the delivery API to wait until a number of deliveries is saved as delivered. A failed delivery fails
 * the benchmark.
 */
function countDeliveries(deliveries: DeliveryApi) {
  let [remaining, resolveAll, rejectAll, body] = [0, () => {}, (_error: unknown) => {}, '']
  return {
    deliveries: {
      ...deliveries,
      async saveOutcomes(outcomes) {
        await deliveries.saveOutcomes(outcomes)
        body ||= outcomes[0]?.request.body ?? ''
        const failed = outcomes.find(({ attempt }) => attempt.status !== 200)
        if (failed) rejectAll(new Error(`A delivery failed: ${JSON.stringify(failed.attempt)}`))
        remaining -= outcomes.length

        if (remaining === 0) resolveAll()
      },
    } satisfies DeliveryApi,
    waitForDeliveries(count: number): Promise<void> {
      remaining = count
      return new Promise((resolve, reject) => {
        resolveAll = resolve
        rejectAll = reject
      })
    },
    onError: (error: unknown) => rejectAll(error),
    /** Returns the first body that was sent. */
    body: () => body,
  }
}
