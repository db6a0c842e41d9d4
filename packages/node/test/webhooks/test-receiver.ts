import type { IncomingMessage, ServerResponse } from 'node:http'
import { type SenderOptions, type WebhookSender, webhookSender } from '../../src/index.ts'
import { LAB_CERTIFICATE } from '../outbound-http/certificate.ts'
import { fakeLookup, openLab, PUBLIC } from '../outbound-http/network-lab.ts'
import { answerRequest } from '../outbound-http/public-server.ts'

export const DEADLINE_MS = 5000

/** Starts the public test server as a receiver that stores request bodies. */
export async function openReceiver() {
  let handler: typeof answerRequest = answerRequest
  const bodies: Promise<Buffer>[] = []
  const senders: WebhookSender[] = []
  const lab = await openLab((request, response, port) => {
    bodies.push(readBody(request))
    handler(request, response, port)
  })

  return {
    ...lab,
    bodies,
    url: (path: string, host = 'public.lab.test') => `https://${host}:${lab.port}${path}`,
    /** Replaces the request handler for the current test. */
    respondWith(respond: (request: IncomingMessage, response: ServerResponse) => void) {
      handler = respond
    },
    /** By default the sender resolves `public.lab.test` and trusts the test certificate. */
    createSender(options: Partial<SenderOptions> = {}): WebhookSender {
      const { lookup } = fakeLookup({ 'public.lab.test': [[PUBLIC]] })
      const outbound = { allowCidrs: [`${PUBLIC}/32`] }
      const sender = webhookSender({
        timeoutMs: DEADLINE_MS,
        outbound,
        ca: LAB_CERTIFICATE,
        lookup,
        ...options,
      })
      senders.push(sender)
      return sender
    },
    closeSenders: () => Promise.all(senders.splice(0).map((sender) => sender.close())),
    /** Waits until all connections are closed. Returns the number of connections to private addresses. */
    reset() {
      handler = answerRequest
      bodies.length = 0
      return lab.reset()
    },
  }
}

export type Receiver = Awaited<ReturnType<typeof openReceiver>>

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request) chunks.push(chunk)
  } catch {
    // The request was aborted: return the received part.
  }
  return Buffer.concat(chunks)
}
