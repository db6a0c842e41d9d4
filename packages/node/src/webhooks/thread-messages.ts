import type { MessagePort } from 'node:worker_threads'
import { coalesce } from './coalesce.ts'
import type { AttemptResult, WebhookSender } from './sender.ts'

/** One delivery to send, under a number that its outcome comes back with. */
export type SendRequest = readonly [id: number, url: string, body: string, signature: string | undefined]
/** What a thread that sends is told, and what it answers. */
export type RequestMessage = readonly SendRequest[] | 'close'
export type ResultMessage = readonly (readonly [id: number, posted: AttemptResult])[]

/** Long enough for more to come that goes with one message, and short enough for a place not to stay empty. */
const MIN_PAUSE_MS = 1

/** Sends what is ordered, and answers in batches; the first after a time without any does not wait. */
export function handleMessages(port: MessagePort, sender: WebhookSender): void {
  let results: [number, AttemptResult][] = []
  const flush = coalesce(async () => {
    if (results.length > 0) port.postMessage(results satisfies ResultMessage)
    results = []
  }, MIN_PAUSE_MS)

  async function handleRequest([id, url, body, signature]: SendRequest): Promise<void> {
    const result = await sender.send({ url, body, signature })
    results.push([id, result])
    void flush()
  }

  port.on('message', (message: RequestMessage) => {
    if (message === 'close') void sender.close()
    else for (const request of message) void handleRequest(request)
  })
}
