import type { Attempt, AttemptError, Sending } from '@sales-crm/core'
import { addressPolicy, type Outbound } from '../guard/addresses.ts'
import type { Lookup } from '../guard/name-lookup.ts'
import { outboundUrl } from '../guard/outbound-url.ts'

/** Options that can be told to another thread. */
export interface ThreadData {
  /** For everything from the look-up of the name to the status of the answer. */
  readonly timeoutMs: number
  readonly outbound?: Outbound | undefined
  /** PEM: what is trusted in place of the usual authorities. */
  readonly ca?: string | undefined
}

export interface SenderOptions extends ThreadData {
  /** Left out, what the name servers say. */
  readonly lookup?: Lookup | undefined
}

type Poster = ReturnType<typeof import('./poster.ts').makePoster>

/** What came of an attempt. */
export type Posted = Omit<Attempt, 'created_at'>

export interface WebhookSender {
  /** One attempt. Rejects only where it is not known whether one was made. */
  send(sending: Pick<Sending, 'url' | 'body' | 'signature'>): Promise<Posted>
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
  let poster: Promise<Poster | undefined> | undefined
  let isClosed = false

  /** Nothing when it cannot be loaded: the next delivery tries that again. */
  async function loadPoster(): Promise<Poster | undefined> {
    try {
      const { makePoster } = await import('./poster.ts')
      return makePoster(network, timeoutMs)
    } catch {
      poster = undefined
      return undefined
    }
  }

  return {
    async send({ url, body, signature }) {
      const target = outboundUrl(url, policy)
      if ('fault' in target) return unsent('address_not_allowed')
      if (isClosed) return unsent('connection_closed')
      poster ??= loadPoster()
      const posted = (await poster)?.post(target.url, body, signature)
      return posted ?? unsent('connection_failed')
    },
    async close() {
      isClosed = true
      await (await poster)?.close()
    },
  }
}

/** Of what never left. */
export function unsent(error: AttemptError): Posted {
  return { duration_ms: 0, status: null, error, response: null }
}
