import type { Delivering } from '@sales-crm/core'
import type { Records } from '@sales-crm/core/ports'
import { newId, startDelivering, systemClock, webhookSender } from '@sales-crm/node'
import { sqliteStorage } from '@sales-crm/sqlite'
import { makePlace, subscribe } from './place.ts'
import type { Send } from './sender.ts'

type Delivery = Records['deliveries']

/** As the service's settings have it. */
const POLICY = { retries: 3, retrySeconds: 900, leaseSeconds: 30 }
const TIMEOUT_MS = 10_000
const THIS_MACHINE = { address: '127.0.0.1', family: 4 }

export interface WorkerOptions {
  readonly file: string
  /** What the receiver listens on, on this machine. */
  readonly port: number
  /** How many names the receiver goes by: each is a host of its own to the service. */
  readonly hosts: number
  readonly ca: string
}

/** The service's worker on a new SQLite file. Gives the body of what it sends, too. */
export async function startWorkerOn({ file, port, hosts, ca }: WorkerOptions): Promise<{ readonly body: string; readonly send: Send }> {
  const storage = await sqliteStorage({ file })
  const place = await makePlace(storage)
  const { crm, actor, task } = place
  for (let host = 0; host < hosts; host += 1) await subscribe(place, `https://host-${host}.lab.test:${port}/`)
  // One real delivery to each. The others are the same, under ids of their own.
  await crm.tasks.create(actor, task)
  const patterns = await storage.read((tx) => tx.workspace(actor.workspaceId).deliveries.find([]))
  if (patterns.length !== hosts) throw new Error('A new task was not put in the outbox.')

  const { delivering, delivered, onTrouble } = counted(crm.deliverWith(POLICY))
  const first = delivered(hosts)
  const sender = webhookSender({ timeoutMs: TIMEOUT_MS, outbound: { allowPrivate: true }, ca, lookup: async () => [THIS_MACHINE] })
  startDelivering({ delivering, sender, now: systemClock(), onTrouble })
  await first

  return {
    body: patterns[0]!.body,
    async send(count) {
      const rows = Array.from({ length: count }, (_, index): Delivery => ({ ...patterns[index % hosts]!, id: newId() }))
      const all = delivered(count)
      await storage.transact(async (tx) => {
        await tx.workspace(actor.workspaceId).deliveries.insertMany(rows)
        tx.wake()
      })
      const began = performance.now()
      await all
      return performance.now() - began
    },
  }
}

/** Tells when so many more deliveries are noted in the database as delivered. A single failure is one of the benchmark. */
function counted(delivering: Delivering) {
  let [left, done, fail] = [0, () => {}, (_error: unknown) => {}]
  return {
    delivering: {
      ...delivering,
      async settle(sent) {
        const dropped = await delivering.settle(sent)
        const failed = sent.find(({ attempt }) => attempt.status !== 200)
        if (failed) fail(new Error(`A delivery failed: ${JSON.stringify(failed.attempt)}`))
        left -= sent.length
        if (left === 0) done()
        return dropped
      },
    } satisfies Delivering,
    delivered(count: number): Promise<void> {
      left = count
      return new Promise((resolve, reject) => {
        done = resolve
        fail = reject
      })
    },
    onTrouble: (error: unknown) => fail(error),
  }
}
