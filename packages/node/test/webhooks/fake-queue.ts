import { setImmediate } from 'node:timers/promises'
import type { Capacity, DeliveryApi, DeliveryOutcome, DeliveryRequest } from '@sales-crm/core'
import type { WebhookSender } from '../../src/index.ts'

type Outcome = Awaited<ReturnType<WebhookSender['send']>>

export const ANSWERED: Outcome = { duration_ms: 5, status: 200, error: null, response: 'ok' }
export const SLOW: Outcome = { duration_ms: 1001, status: 200, error: null, response: 'ok' }
export const SILENT: Outcome = { duration_ms: 10_000, status: null, error: 'timeout', response: null }
export const HOUR = 3_600_000

type TargetIds = Pick<DeliveryRequest, 'workspace_id' | 'webhook_id'>

/** To one webhook, that of the host unless another is named. */
export function buildSendings(
  host: string,
  count: number,
  ids: Partial<TargetIds> = {},
  url = `https://${host}/`,
): DeliveryRequest[] {
  const { workspace_id = 'w', webhook_id = host } = ids
  return Array.from({ length: count }, (_, at) => ({
    workspace_id,
    id: `${webhook_id} ${at}`,
    webhook_id,
    event: 'task.created',
    lease: 1,
    url,
    host,
    body: '{}',
    signature: undefined,
  }))
}

/** Deliveries that wait in memory, and all that a worker did to them. */
export function createQueue(...waiting: DeliveryRequest[]) {
  /** What was taken by each claim. */
  const claims: string[][] = []
  const batches: (readonly DeliveryOutcome[])[] = []
  const givenBack: string[] = []
  let wake: (() => void) | undefined
  const queue = {
    waiting,
    claims,
    batches,
    givenBack,
    settled: () => batches.flat().map(({ request: { id } }) => id),
    /** What goes before a claim or a settling: it may wait or fail. */
    before: { async claim() {}, async settle() {} },
    /** What lies between a claim's asking and its answer. */
    within: { async claim() {} },
    wake: () => wake?.(),
    isListening: () => wake !== undefined,
    delivering: {
      async claim(room) {
        const ids: string[] = []
        claims.push(ids)
        await queue.before.claim()
        const taken = takeFrom(waiting, room)
        ids.push(...taken.map(({ id }) => id))
        await queue.within.claim()
        return taken
      },
      async saveOutcomes(sent) {
        await queue.before.settle()
        batches.push(sent)
      },
      async release(back) {
        givenBack.push(...back.map(({ id }) => id))
        waiting.push(...back)
      },
      onNotify(listener) {
        wake = listener
        return () => {
          wake = undefined
        }
      },
    } satisfies DeliveryApi,
  }
  return queue
}

/** What a claim takes of those that wait, which stand in the order in which they do. */
function takeFrom(
  waiting: DeliveryRequest[],
  { maxPerQueue: each, quota: share }: Capacity,
): DeliveryRequest[] {
  const queues = Map.groupBy(waiting, ({ workspace_id, webhook_id }) => `${workspace_id} ${webhook_id}`)
  const taken = [...queues.values()].flatMap((queue) => {
    const { workspace_id, webhook_id, host } = queue[0]!
    return queue.slice(0, share({ workspace_id, webhook_id, host, dueCount: Math.min(each, queue.length) }))
  })
  for (const sending of taken) waiting.splice(waiting.indexOf(sending), 1)
  return taken
}

/** A sender that answers when the test says so. */
export function createControlledSender() {
  const resolvers = new Map<string, (outcome: Outcome) => void>()
  const seen: string[] = []
  function answer(id: string, outcome = ANSWERED): void {
    resolvers.get(id)?.(outcome)
    resolvers.delete(id)
  }

  return {
    /** All that was sent, in order. */
    seen,
    underWay: () => [...resolvers.keys()],
    answer,
    answerAll(outcome = ANSWERED): void {
      for (const id of [...resolvers.keys()]) answer(id, outcome)
    },
    sender: {
      send(sending) {
        const { promise, resolve } = Promise.withResolvers<Outcome>()
        const { id } = sending as DeliveryRequest
        seen.push(id)
        resolvers.set(id, resolve)
        return promise
      },
      async close() {
        for (const id of [...resolvers.keys()])
          answer(id, { duration_ms: 1, status: null, error: 'connection_closed', response: null })
      },
    } satisfies WebhookSender,
  }
}

/** Enough turns of the event loop for all that waits for nothing else. */
export async function runEventLoop(count = 20): Promise<void> {
  for (let turn = 0; turn < count; turn++) await setImmediate()
}
