import { setImmediate } from 'node:timers/promises'
import type { Delivering, Room, Sending, Sent } from '@sales-crm/core'
import type { WebhookSender } from '../../src/index.ts'

type Outcome = Awaited<ReturnType<WebhookSender['send']>>

export const ANSWERED: Outcome = { duration_ms: 5, status: 200, error: null, response: 'ok' }
export const SILENT: Outcome = { duration_ms: 10_000, status: null, error: 'timeout', response: null }
export const HOUR = 3_600_000

export function sendings(host: string, count: number, url = `https://${host}/`): Sending[] {
  return Array.from({ length: count }, (_, at) => ({
    workspace_id: 'w',
    id: `${host} ${at}`,
    webhook_id: 'h',
    event: 'task.created',
    lease: 1,
    url,
    host,
    body: '{}',
    signature: undefined,
  }))
}

/** Deliveries that wait in memory, and all that a worker did to them. */
export function queueOf(...waiting: Sending[]) {
  const claims: Room[] = []
  const batches: (readonly Sent[])[] = []
  const givenBack: string[] = []
  let wake: (() => void) | undefined
  const queue = {
    waiting,
    claims,
    batches,
    givenBack,
    settled: () => batches.flat().map(({ sending: { id } }) => id),
    /** What goes before a claim or a settling: it may wait or fail. */
    before: { async claim() {}, async settle() {} },
    wake: () => wake?.(),
    isListening: () => wake !== undefined,
    delivering: {
      async claim(room) {
        claims.push(room)
        await queue.before.claim()
        const taken: Sending[] = []
        for (const each of [...waiting]) {
          const ofHost = taken.filter(({ host }) => host === each.host).length
          if (taken.length >= room.most || ofHost >= (room.room.get(each.host) ?? room.mostPerHost)) continue
          taken.push(each)
          waiting.splice(waiting.indexOf(each), 1)
        }
        return taken
      },
      async settle(sent) {
        await queue.before.settle()
        batches.push(sent)
      },
      async giveBack(back) {
        givenBack.push(...back.map(({ id }) => id))
        waiting.push(...back)
      },
      onWake(listener) {
        wake = listener
        return () => {
          wake = undefined
        }
      },
    } satisfies Delivering,
  }
  return queue
}

/** A sender that answers when the test says so. */
export function heldSender() {
  const held = new Map<string, (outcome: Outcome) => void>()
  const seen: string[] = []
  function answer(id: string, outcome = ANSWERED): void {
    held.get(id)?.(outcome)
    held.delete(id)
  }

  return {
    /** All that was sent, in order. */
    seen,
    underWay: () => [...held.keys()],
    answer,
    answerAll(outcome = ANSWERED): void {
      for (const id of [...held.keys()]) answer(id, outcome)
    },
    sender: {
      send(sending) {
        const { promise, resolve } = Promise.withResolvers<Outcome>()
        const { id } = sending as Sending
        seen.push(id)
        held.set(id, resolve)
        return promise
      },
      async close() {
        for (const id of [...held.keys()]) answer(id, { duration_ms: 1, status: null, error: 'connection_closed', response: null })
      },
    } satisfies WebhookSender,
  }
}

/** Enough turns of the event loop for all that waits for nothing else. */
export async function turns(count = 20): Promise<void> {
  for (let turn = 0; turn < count; turn++) await setImmediate()
}
