import type { Claim, DeliveryQueue } from '../../ports/index.ts'
import type { Attempt, DropReason } from '../../schema/delivery.ts'

/** The retry policy of deliveries, and callbacks for the operator. */
export interface DeliveryPolicy {
  /** Maximum number of attempts after the first. */
  readonly retries: number
  /** Seconds from the start of one attempt to the next. */
  readonly retrySeconds: number
  /**
   * Lease of a claim, after which another process may claim the delivery: longer than an attempt can take, by more than
   * the clocks of two processes can differ.
   */
  readonly leaseSeconds: number
  /** Called when a secret cannot be opened or an outcome cannot be saved. Must not throw. */
  readonly onFailure?: (failure: unknown) => void
  /** Called for each delivery that a worker drops, after the commit. Must not throw. */
  readonly onDropped?: (drop: DroppedDelivery) => void
}

/** Capacity of a dispatcher for one claim. */
export interface Capacity extends Pick<Claim, 'maxPerQueue'> {
  /** Like `Claim.quota`, but called only for queues whose webhook exists. */
  quota(queue: DeliveryQueue & { readonly host: string }): number
}

/** A claimed delivery, as `DeliveryApi.claim` returns it: a POST request, to be sent unchanged. */
export interface DeliveryRequest {
  readonly workspace_id: string
  /** The id of the delivery and of its envelope, the same in every attempt. */
  readonly id: string
  readonly webhook_id: string
  /** The name of the event. */
  readonly event: string
  /** Number of the claim: `saveOutcomes` ignores the outcome of an older one. */
  readonly lease: number
  /** The current URL of the webhook. The address it resolves to must be checked when connecting. */
  readonly url: string
  /** The host name of the URL, for concurrency limits. */
  readonly host: string
  /** The JSON to send, byte for byte: it is signed. */
  readonly body: string
  /** The value of `Webhook-Signature`; undefined if the webhook has no secret. */
  readonly signature: string | undefined
}

/** A request that was sent, with its outcome: the argument of `DeliveryApi.saveOutcomes`. */
export interface DeliveryOutcome {
  /** The request that `claim` returned. */
  readonly request: DeliveryRequest
  /** A 2xx status is a success; anything else is retried. */
  readonly attempt: Attempt
}

/** A dropped delivery, for the operator's log. */
export interface DroppedDelivery {
  readonly workspace_id: string
  readonly webhook_id: string
  readonly id: string
  readonly event: string
  readonly reason: DropReason
}
