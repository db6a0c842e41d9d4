import type { DeliveryApi, DeliveryRequest } from '@sales-crm/core'
import { WEBHOOKS } from '../outbox.ts'
import type { Row } from '../row.ts'
import type { FilledWorkspace } from '../workspace.ts'

const panel = 'The outbox'
/** The service's default settings. */
const POLICY = { retries: 3, retrySeconds: 900, leaseSeconds: 30 }
const CLAIM_COUNT = 100
const CAPACITY = {
  maxPerQueue: CLAIM_COUNT,
  quota: ({ dueCount }: { readonly dueCount: number }) => Math.min(dueCount, CLAIM_COUNT / WEBHOOKS),
}

/** The delivery API of each workspace, one as in a process. */
const deliveryApis = new WeakMap<FilledWorkspace, DeliveryApi>()

/** The number of pending deliveries is a tenth of the number of people. */
export const outboxRows: readonly Row[] = [
  {
    panel,
    title: `claim of ${CLAIM_COUNT} deliveries, a tenth as many waiting`,
    legend: `claim of ${CLAIM_COUNT}`,
    async run(workspace) {
      const claimed = await deliveryApiOf(workspace).claim(CAPACITY)
      if (claimed.length !== CLAIM_COUNT)
        throw new Error(`${claimed.length} deliveries were claimed instead of ${CLAIM_COUNT}.`)
      return claimed
    },
    after: (workspace, claimed) => deliveryApiOf(workspace).release(claimed as readonly DeliveryRequest[]),
  },
  { panel, title: 'how many deliveries wait', legend: 'backlog', run: ({ crm }) => crm.operator.backlog() },
]

function deliveryApiOf(workspace: FilledWorkspace): DeliveryApi {
  const deliveryApi = deliveryApis.get(workspace) ?? workspace.crm.deliveryApi(POLICY)
  deliveryApis.set(workspace, deliveryApi)
  return deliveryApi
}
