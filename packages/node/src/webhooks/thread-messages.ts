import type { MessagePort } from 'node:worker_threads'
import { coalesce } from './coalesce.ts'
import type { AttemptResult, WebhookSender } from './sender-types.ts'

/** One delivery to send. Its result carries the same id. */
export type SendRequest = readonly [id: number, url: string, body: string, signature: string | undefined]
/** Messages to the sending thread. */
export type RequestMessage = readonly SendRequest[] | 'close'
/** Messages from the sending thread. */
export type ResultMessage = readonly (readonly [id: number, result: AttemptResult])[]

/** Sends the requested deliveries. The results of one event loop iteration are posted together. */
export function handleMessages(port: MessagePort, sender: WebhookSender): void {
  let results: [number, AttemptResult][] = []
  const flush = coalesce(async () => {
    if (results.length > 0) port.postMessage(results satisfies ResultMessage)
    results = []
  })

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
