import type { Capacity, DeliveryApi, DeliveryOutcome, DeliveryRequest } from '@sales-crm/core'

export const HOUR = 3_600_000

type TargetIds = Pick<DeliveryRequest, 'workspace_id' | 'webhook_id'>

/** Builds deliveries of one webhook, named after the host unless `ids` names another. */
export function buildSendings(
  host: string,
  count: number,
  ids: Partial<TargetIds> = {},
  url = `https://${host}/`,
): DeliveryRequest[] {
  const { workspace_id = 'w', webhook_id = host } = ids
  return Array.from({ length: count }, (_, index) => ({
    workspace_id,
    id: `${webhook_id} ${index}`,
    webhook_id,
    event: 'task.created',
    lease: 1,
    url,
    host,
    body: '{}',
    signature: undefined,
  }))
}

/** Creates an in-memory delivery queue that records every call of the dispatcher. */
export function createQueue(...waiting: DeliveryRequest[]) {
  /** The delivery ids of each claim. */
  const claims: string[][] = []
  const batches: (readonly DeliveryOutcome[])[] = []
  const releasedIds: string[] = []
  let notify: (() => void) | undefined
  const queue = {
    waiting,
    claims,
    batches,
    releasedIds,
    getSavedIds: () => batches.flat().map(({ request: { id } }) => id),
    /** Hooks called before a claim or a save; they may wait or reject. */
    before: { async claim() {}, async save() {} },
    /** Hook called between taking the deliveries of a claim and returning them. */
    during: { async claim() {} },
    notify: () => notify?.(),
    isListening: () => notify !== undefined,
    deliveries: {
      async claim(capacity) {
        const ids: string[] = []
        claims.push(ids)
        await queue.before.claim()
        const claimed = takeDeliveries(waiting, capacity)
        ids.push(...claimed.map(({ id }) => id))
        await queue.during.claim()
        return claimed
      },
      async saveOutcomes(outcomes) {
        await queue.before.save()
        batches.push(outcomes)
      },
      async release(requests) {
        releasedIds.push(...requests.map(({ id }) => id))
        waiting.push(...requests)
      },
      onNotify(listener) {
        notify = listener
        return () => {
          notify = undefined
        }
      },
    } satisfies DeliveryApi,
  }
  return queue
}

/** Removes the deliveries of a claim from `waiting`, in order. */
function takeDeliveries(waiting: DeliveryRequest[], { maxPerQueue, quota }: Capacity): DeliveryRequest[] {
  const queues = Map.groupBy(waiting, ({ workspace_id, webhook_id }) => `${workspace_id} ${webhook_id}`)
  const claimed = [...queues.values()].flatMap((queue) => {
    const { workspace_id, webhook_id, host } = queue[0]!
    const dueCount = Math.min(maxPerQueue, queue.length)
    return queue.slice(0, quota({ workspace_id, webhook_id, host, dueCount }))
  })
  for (const request of claimed) waiting.splice(waiting.indexOf(request), 1)
  return claimed
}
