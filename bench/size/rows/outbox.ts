import type { DeliveryApi, DeliveryRequest } from '@sales-crm/core'
import { WEBHOOKS } from '../outbox.ts'
import type { Row } from '../rows.ts'
import type { Filled } from '../workspace.ts'

const panel = 'The outbox'
/** As the service's settings have it. */
const POLICY = { retries: 3, retrySeconds: 900, leaseSeconds: 30 }
const TAKEN = 100
const ROOM = {
  maxPerQueue: TAKEN,
  quota: ({ dueCount }: { readonly dueCount: number }) => Math.min(dueCount, TAKEN / WEBHOOKS),
}

/** One for each, as a process has. */
const workers = new WeakMap<Filled, DeliveryApi>()

/** A tenth as many deliveries wait as there are people. */
export const outboxRows: readonly Row[] = [
  {
    panel,
    title: `claim of ${TAKEN} deliveries, a tenth as many waiting`,
    legend: `claim of ${TAKEN}`,
    async ask(filled) {
      const claimed = await workerOf(filled).claim(ROOM)
      if (claimed.length !== TAKEN)
        throw new Error(`${claimed.length} deliveries were claimed, and not ${TAKEN}.`)
      return claimed
    },
    after: (filled, claimed) => workerOf(filled).release(claimed as readonly DeliveryRequest[]),
  },
  { panel, title: 'how many deliveries wait', legend: 'backlog', ask: ({ crm }) => crm.operator.backlog() },
]

function workerOf(filled: Filled): DeliveryApi {
  const worker = workers.get(filled) ?? filled.crm.deliveryApi(POLICY)
  workers.set(filled, worker)
  return worker
}
