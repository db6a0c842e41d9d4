import type { AttemptError } from '@sales-crm/core'
import { addressPolicy } from '../outbound-http/address-policy.ts'
import type { HostLookup } from '../outbound-http/name-lookup.ts'
import { parseOutboundUrl } from '../outbound-http/outbound-url.ts'
import type { AttemptResult, CloneableSenderOptions, WebhookSender } from './sender-types.ts'

/** Options of `webhookSender`. */
export interface SenderOptions extends CloneableSenderOptions {
  /** Default: the name servers of this machine. */
  readonly lookup?: HostLookup | undefined
}

type HttpClient = ReturnType<typeof import('./http-client.ts').createHttpClient>

/**
 * Creates a sender that reuses connections and connects to allowed addresses only. The HTTP client is loaded
 * on the first delivery.
 * @throws Error naming the entry of `allowCidrs` that is not a valid range
 */
export function webhookSender({ timeoutMs, outbound = {}, ca, lookup }: SenderOptions): WebhookSender {
  const policy = addressPolicy(outbound)
  const network = { policy, lookup, ca }
  let client: Promise<HttpClient | undefined> | undefined
  let isClosed = false

  /** Returns `undefined` when loading fails; the next delivery tries again. */
  async function loadClient(): Promise<HttpClient | undefined> {
    try {
      const { createHttpClient } = await import('./http-client.ts')
      return createHttpClient(network, timeoutMs)
    } catch {
      client = undefined
      return undefined
    }
  }

  return {
    async send({ url, body, signature }) {
      const target = parseOutboundUrl(url, policy)
      if ('error' in target) return unsentResult('address_not_allowed')
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

/** The result of an attempt that sent nothing. */
export function unsentResult(error: AttemptError): AttemptResult {
  return { duration_ms: 0, status: null, error, response: null }
}
