import type { Claim, DeliveryQueue } from '../../ports/index.ts'
import type { Attempt, DropReason } from '../../schema/delivery.ts'

/** How often and for how long a receiver is tried. */
export interface DeliveryPolicy {
  /** Attempts after the first. */
  readonly retries: number
  /** From one attempt to the next. */
  readonly retrySeconds: number
  /** Longer than an attempt may take: after it, another process may try. */
  readonly leaseSeconds: number
  /** Told what whoever runs the service must know: of a secret that cannot be opened, and of an outcome that cannot be kept. Must not throw. */
  readonly onFailure?: (failure: unknown) => void
  /** Told of each delivery that a worker gives up, once that is kept. Must not throw. */
  readonly onDropped?: (drop: DroppedDelivery) => void
}

/** How much may be taken on. */
export interface Capacity extends Pick<Claim, 'maxPerQueue'> {
  /** As a claim's, of lanes whose webhook is there. */
  quota(queue: DeliveryQueue & { readonly host: string }): number
}

/** A request that is to be sent as it is. */
export interface DeliveryRequest {
  readonly workspace_id: string
  readonly id: string
  readonly webhook_id: string
  readonly event: string
  readonly lease: number
  readonly url: string
  readonly host: string
  readonly body: string
  /** The value of `Webhook-Signature`; undefined where the webhook wants none. */
  readonly signature: string | undefined
}

export interface DeliveryOutcome {
  readonly request: DeliveryRequest
  readonly attempt: Attempt
}

/** What is for the log of whoever runs the service. */
export interface DroppedDelivery {
  readonly workspace_id: string
  readonly webhook_id: string
  readonly id: string
  readonly event: string
  readonly reason: DropReason
}
