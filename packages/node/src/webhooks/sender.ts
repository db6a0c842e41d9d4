import type { Attempt, AttemptError, DeliveryRequest } from '@sales-crm/core'
import { addressPolicy, type OutboundOptions } from '../outbound-http/address-policy.ts'
import type { Lookup } from '../outbound-http/name-lookup.ts'
import { parseOutboundUrl } from '../outbound-http/outbound-url.ts'

/** Options that can be told to another thread. */
export interface CloneableSenderOptions {
  /** For everything from the look-up of the name to the status of the answer. */
  readonly timeoutMs: number
  readonly outbound?: OutboundOptions | undefined
  /** PEM: what is trusted in place of the usual authorities. */
  readonly ca?: string | undefined
}

export interface SenderOptions extends CloneableSenderOptions {
  /** Left out, what the name servers say. */
  readonly lookup?: Lookup | undefined
}

type HttpClient = ReturnType<typeof import('./http-client.ts').createHttpClient>

/** What came of an attempt. */
export type AttemptResult = Omit<Attempt, 'created_at'>

export interface WebhookSender {
  /** One attempt. Rejects only where it is not known whether one was made. */
  send(sending: Pick<DeliveryRequest, 'url' | 'body' | 'signature'>): Promise<AttemptResult>
  /** Ends what is under way; nothing is sent after it. */
  close(): Promise<void>
}

/**
 * Sends over connections that are kept for the next delivery to the same receiver, to allowed addresses only. What it needs is loaded with
 * the first delivery.
 * @throws Error naming the range of `allowCidrs` that cannot be read
 */
export function webhookSender({ timeoutMs, outbound = {}, ca, lookup }: SenderOptions): WebhookSender {
  const policy = addressPolicy(outbound)
  const network = { policy, lookup, ca }
  let client: Promise<HttpClient | undefined> | undefined
  let isClosed = false

  /** Nothing when it cannot be loaded: the next delivery tries that again. */
  async function loadClient(): Promise<HttpClient | undefined> {
    try {
      const { createHttpClient: makePoster } = await import('./http-client.ts')
      return makePoster(network, timeoutMs)
    } catch {
      client = undefined
      return undefined
    }
  }

  return {
    async send({ url, body, signature }) {
      const target = parseOutboundUrl(url, policy)
      if ('fault' in target) return unsentResult('address_not_allowed')
      if (isClosed) return unsentResult('connection_closed')
      client ??= loadClient()
      const result = (await client)?.post(target.url, body, signature)
      return result ?? unsentResult('connection_failed')
    },
    async close() {
      isClosed = true
      await (await client)?.close()
    },
  }
}

/** Of what never left. */
export function unsentResult(error: AttemptError): AttemptResult {
  return { duration_ms: 0, status: null, error, response: null }
}
