import type { MessagePort } from 'node:worker_threads'
import { together } from './pacing.ts'
import type { Posted, WebhookSender } from './sender.ts'

/** One delivery to send, under a number that its outcome comes back with. */
export type Order = readonly [number: number, url: string, body: string, signature: string | undefined]
/** What a thread that sends is told, and what it answers. */
export type Orders = readonly Order[] | 'close'
export type Outcomes = readonly (readonly [number: number, posted: Posted])[]

/** Long enough for more to come that goes with one message, and short enough for a place not to stay empty. */
const PAUSE_MS = 1

/** Sends what is ordered, and answers in batches; the first after a time without any does not wait. */
export function serveOrders(port: MessagePort, sender: WebhookSender): void {
  let outcomes: [number, Posted][] = []
  const answer = together(async () => {
    if (outcomes.length > 0) port.postMessage(outcomes satisfies Outcomes)
    outcomes = []
  }, PAUSE_MS)

  async function serve([number, url, body, signature]: Order): Promise<void> {
    const posted = await sender.send({ url, body, signature })
    outcomes.push([number, posted])
    void answer()
  }

  port.on('message', (orders: Orders) => {
    if (orders === 'close') void sender.close()
    else for (const order of orders) void serve(order)
  })
}
