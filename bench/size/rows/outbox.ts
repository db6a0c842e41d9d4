import type { Delivering, Sending } from '@sales-crm/core'
import { WEBHOOKS } from '../outbox.ts'
import type { Row } from '../rows.ts'
import type { Filled } from '../workspace.ts'

const panel = 'The outbox'
/** As the service's settings have it. */
const POLICY = { retries: 3, retrySeconds: 900, leaseSeconds: 30 }
const TAKEN = 100
const ROOM = { each: TAKEN, share: ({ waiting }: { readonly waiting: number }) => Math.min(waiting, TAKEN / WEBHOOKS) }

/** One for each, as a process has. */
const workers = new WeakMap<Filled, Delivering>()

/** A tenth as many deliveries wait as there are people. */
export const outboxRows: readonly Row[] = [
  {
    panel,
    title: `claim of ${TAKEN} deliveries, a tenth as many waiting`,
    legend: `claim of ${TAKEN}`,
    async ask(filled) {
      const claimed = await workerOf(filled).claim(ROOM)
      if (claimed.length !== TAKEN) throw new Error(`${claimed.length} deliveries were claimed, and not ${TAKEN}.`)
      return claimed
    },
    after: (filled, claimed) => workerOf(filled).giveBack(claimed as readonly Sending[]),
  },
  { panel, title: 'how many deliveries wait', legend: 'backlog', ask: ({ crm }) => crm.operator.backlog() },
]

function workerOf(filled: Filled): Delivering {
  const worker = workers.get(filled) ?? filled.crm.deliverWith(POLICY)
  workers.set(filled, worker)
  return worker
}
