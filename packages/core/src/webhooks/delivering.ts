import type { Claim, Lane, Ports } from '../ports.ts'
import { claimDeliveries } from './claim-deliveries.ts'
import type { Attempt, DropReason } from './delivery.ts'
import { openedSecrets } from './opened-secrets.ts'
import { giveBackDeliveries, settleDeliveries } from './settle-deliveries.ts'

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
  readonly onDropped?: (dropped: Dropped) => void
}

/** How much may be taken on. */
export interface Room extends Pick<Claim, 'each'> {
  /** As a claim's, of lanes whose webhook is there. */
  share(lane: Lane & { readonly host: string }): number
}

/** A request that is to be sent as it is. */
export interface Sending {
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

export interface Sent {
  readonly sending: Sending
  readonly attempt: Attempt
}

/** What is for the log of whoever runs the service. */
export interface Dropped {
  readonly workspace_id: string
  readonly webhook_id: string
  readonly id: string
  readonly event: string
  readonly reason: DropReason
}

/** What a worker does in turn: claim, send with no transaction open, settle. Any number of workers may do so at once. */
export interface Delivering {
  /** Takes what is due, and leaves out what is not to be sent any more. Fewer than there is room for does not mean that none is left. */
  claim(room: Room): Promise<readonly Sending[]>
  /** Notes what came of each. What somebody else has claimed since stays as it is. */
  settle(sent: readonly Sent[]): Promise<void>
  /** Of what was claimed and will not be sent: it is due at once, and nothing is counted. */
  giveBack(sendings: readonly Sending[]): Promise<void>
  /** As the storage's `onWake`. */
  onWake(listener: () => void): () => void
}

export function deliverWith(ports: Ports, policy: DeliveryPolicy): Delivering {
  const keys = openedSecrets(ports.secrets)
  const unopened = new Set<string>()
  return {
    claim: (room) => claimDeliveries({ ...ports, keys, unopened }, policy, room),
    settle: (sent) => settleDeliveries(ports, policy, sent),
    giveBack: (sendings) => giveBackDeliveries(ports, sendings),
    onWake: (listener) => ports.storage.onWake(listener),
  }
}
