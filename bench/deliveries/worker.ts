import type { DeliveryApi } from '@sales-crm/core'
import type { Records, WorkspaceStores } from '@sales-crm/core/ports'
import { newId, startDispatcher, systemClock, threadedSender } from '@sales-crm/node'
import { sqliteStorage } from '@sales-crm/sqlite'
import { createFixture, subscribe } from './fixture.ts'
import type { Send } from './sender.ts'

type Delivery = Records['deliveries']
type Snapshot = Records['snapshots']

/** As the service's settings have it. */
const POLICY = { retries: 3, retrySeconds: 900, leaseSeconds: 30 }
const TIMEOUT_MS = 10_000
const THREAD = new URL('./sending-thread.ts', import.meta.url)

export interface WorkerOptions {
  readonly file: string
  /** What the receiver listens on, on this machine. */
  readonly port: number
  /** How many names the receiver goes by: each is a host of its own to the service. */
  readonly hosts: number
  readonly ca: string
}

/** The service's worker on a new SQLite file. Gives the body of what it sends, too. */
export async function startWorkerOn({
  file,
  port,
  hosts,
  ca,
}: WorkerOptions): Promise<{ readonly body: string; readonly send: Send }> {
  const storage = await sqliteStorage({ file })
  const place = await createFixture(storage)
  const { crm, actor, task } = place
  for (let host = 0; host < hosts; host += 1) await subscribe(place, `https://host-${host}.lab.test:${port}/`)
  // One real change, which is told to each. The others are the same, under ids of their own.
  await crm.tasks.create(actor, task)
  const { deliveries: patterns, snapshot } = await storage.read((tx) =>
    outboxOf(tx.workspace(actor.workspaceId)),
  )
  if (patterns.length !== hosts) throw new Error('A new task was not put in the outbox.')

  const { delivering, delivered, onTrouble, body } = countDeliveries(crm.deliveryApi(POLICY))
  const first = delivered(hosts)
  const sender = threadedSender({
    timeoutMs: TIMEOUT_MS,
    outbound: { allowPrivate: true },
    ca,
    thread: THREAD,
    onCrash: onTrouble,
  })
  startDispatcher({ delivering, sender, now: systemClock(), onDatabaseFailure: onTrouble })
  await first

  return {
    body: body(),
    async send(count) {
      const snapshots = Array.from(
        { length: Math.ceil(count / hosts) },
        (): Snapshot => ({ ...snapshot, id: newId() }),
      )
      const rows = Array.from({ length: count }, (_, index): Delivery => {
        return {
          ...patterns[index % hosts]!,
          id: newId(),
          snapshot_id: snapshots[Math.floor(index / hosts)]!.id,
        }
      })
      const all = delivered(count)
      await storage.transact(async (tx) => {
        const stores = tx.workspace(actor.workspaceId)
        await Promise.all([stores.snapshots.insertMany(snapshots), stores.deliveries.insertMany(rows)])
        tx.notify()
      })
      const began = performance.now()
      await all
      return performance.now() - began
    },
  }
}

/** What one change put in it. */
async function outboxOf({ deliveries, snapshots }: WorkspaceStores) {
  const [found, [snapshot]] = await Promise.all([deliveries.find([]), snapshots.find([])])
  if (!snapshot) throw new Error('A new task left no snapshot.')
  return { deliveries: found, snapshot }
}

/** Tells when so many more deliveries are noted in the database as delivered. A single failure is one of the benchmark. */
function countDeliveries(delivering: DeliveryApi) {
  let [left, done, fail, body] = [0, () => {}, (_error: unknown) => {}, '']
  return {
    delivering: {
      ...delivering,
      async saveOutcomes(sent) {
        await delivering.saveOutcomes(sent)
        body ||= sent[0]?.request.body ?? ''
        const failed = sent.find(({ attempt }) => attempt.status !== 200)
        if (failed) fail(new Error(`A delivery failed: ${JSON.stringify(failed.attempt)}`))
        left -= sent.length

        if (left === 0) done()
      },
    } satisfies DeliveryApi,
    delivered(count: number): Promise<void> {
      left = count
      return new Promise((resolve, reject) => {
        done = resolve
        fail = reject
      })
    },
    onTrouble: (error: unknown) => fail(error),
    /** What was sent first. */
    body: () => body,
  }
}
