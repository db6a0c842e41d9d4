import type { Claim, DeliveryQueue, Ports } from '../../ports/index.ts'
import type { Attempt, DropReason } from '../../schema/delivery.ts'
import { claimDeliveries } from './claim-deliveries.ts'
import { releaseDeliveries, saveOutcomes } from './save-outcomes.ts'
import { webhookSecretCache } from './secret-cache.ts'

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

/** What a worker does in turn: claim, send with no transaction open, settle. Any number of workers may do so at once. */
export interface DeliveryApi {
  /** Takes what is due, and leaves out what is not to be sent any more. Fewer than there is room for does not mean that none is left. */
  claim(capacity: Capacity): Promise<readonly DeliveryRequest[]>
  /** Notes what came of each. What somebody else has claimed since stays as it is. */
  saveOutcomes(outcomes: readonly DeliveryOutcome[]): Promise<void>
  /** Of what was claimed and will not be sent: it is due at once, and nothing is counted. */
  release(requests: readonly DeliveryRequest[]): Promise<void>
  /** As the storage's `onNotify`. */
  onNotify(listener: () => void): () => void
}

export function deliveryApi(ports: Ports, policy: DeliveryPolicy): DeliveryApi {
  const secretCache = webhookSecretCache(ports.secrets)
  const reportedSecrets = new Set<string>()
  return {
    claim: (capacity) => claimDeliveries({ ...ports, keys: secretCache, reportedSecrets }, policy, capacity),
    saveOutcomes: (outcomes) => saveOutcomes(ports, policy, outcomes),
    release: (requests) => releaseDeliveries(ports, requests),
    onNotify: (listener) => ports.storage.onNotify(listener),
  }
}
