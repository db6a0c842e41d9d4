import type { DeliveryRequest } from '@sales-crm/core'
import type { WebhookSender } from '../../src/index.ts'

type AttemptResult = Awaited<ReturnType<WebhookSender['send']>>

export const ANSWERED: AttemptResult = { duration_ms: 5, status: 200, error: null, response: 'ok' }
export const SLOW: AttemptResult = { duration_ms: 1001, status: 200, error: null, response: 'ok' }
export const SILENT: AttemptResult = { duration_ms: 10_000, status: null, error: 'timeout', response: null }

/** Creates a sender whose attempts end when the test calls `answer`. */
export function createControlledSender() {
  const resolvers = new Map<string, (result: AttemptResult) => void>()
  const sentIds: string[] = []
  function answer(id: string, result = ANSWERED): void {
    resolvers.get(id)?.(result)
    resolvers.delete(id)
  }

  return {
    /** The ids of all deliveries sent, in order. */
    sentIds,
    getInFlight: () => [...resolvers.keys()],
    answer,
    answerAll(result = ANSWERED): void {
      for (const id of [...resolvers.keys()]) answer(id, result)
    },
    sender: {
      send(request) {
        const { promise, resolve } = Promise.withResolvers<AttemptResult>()
        const { id } = request as DeliveryRequest
        sentIds.push(id)
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
