import type { Attempt, DeliveryRequest } from '@sales-crm/core'
import type { OutboundOptions } from '../outbound-http/address-policy.ts'

/** Options that can be posted to a worker thread. */
export interface CloneableSenderOptions {
  /** From the name lookup to the status of the response. */
  readonly timeoutMs: number
  /** Allowed destinations. Default: public addresses only. */
  readonly outbound?: OutboundOptions | undefined
  /** PEM certificates that replace the default certificate authorities. */
  readonly ca?: string | undefined
}

/** The outcome of one attempt. */
export type AttemptResult = Omit<Attempt, 'created_at'>

/** Sends deliveries, one attempt at a time. */
export interface WebhookSender {
  /** Makes one attempt. Rejects only when it is unknown whether the request was sent. */
  send(request: Pick<DeliveryRequest, 'url' | 'body' | 'signature'>): Promise<AttemptResult>
  /** Aborts attempts in progress. Later attempts are not sent. */
  close(): Promise<void>
}
