import type { IncomingMessage, ServerResponse } from 'node:http'
import { type SenderOptions, type WebhookSender, webhookSender } from '../../src/index.ts'
import { LAB_CERTIFICATE } from '../outbound-http/certificate.ts'
import { fakeLookup, openLab, PUBLIC } from '../outbound-http/network-lab.ts'
import { answerRequest } from '../outbound-http/public-server.ts'

export const DEADLINE_MS = 5000

/** The public server of the laboratory as a receiver, which keeps what it was sent. */
export async function openReceiver() {
  let handler: typeof answerRequest = answerRequest
  const bodies: Promise<Buffer>[] = []
  const senders: WebhookSender[] = []
  const lab = await openLab((request, response, port) => {
    bodies.push(bodyOf(request))
    handler(request, response, port)
  })

  return {
    ...lab,
    bodies,
    url: (path: string, host = 'public.lab.test') => `https://${host}:${lab.port}${path}`,
    /** How the present test wants to have requests answered. */
    answerBy(respond: (request: IncomingMessage, response: ServerResponse) => void) {
      handler = respond
    },
    /** A sender that knows `public.lab.test` and trusts the laboratory's certificate, unless told otherwise. */
    sender(options: Partial<SenderOptions> = {}): WebhookSender {
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
    /** Waits until every connection has ended, and tells how often anyone called at a private address. */
    settled() {
      handler = answerRequest
      bodies.length = 0
      return lab.settled()
    },
  }
}

export type Receiver = Awaited<ReturnType<typeof openReceiver>>

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request) chunks.push(chunk)
  } catch {
    // Cut off: what came is enough.
  }
  return Buffer.concat(chunks)
}
