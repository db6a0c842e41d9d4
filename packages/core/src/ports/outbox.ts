import type { Instant } from '../kernel/instant.ts'
import type { Attempt, Delivery } from '../schema/delivery.ts'

/** The deliveries of one webhook, at least one of which is due. */
export interface DeliveryQueue {
  readonly workspace_id: string
  readonly webhook_id: string
  /** The host name of the webhook's current URL; undefined if the webhook was deleted. */
  readonly host: string | undefined
  /** Number of due deliveries, counted up to `maxPerQueue`. */
  readonly dueCount: number
}

/** Which deliveries to claim, and for how long. The argument of `Outbox.claim`. */
export interface Claim {
  /** Deliveries due until this instant are claimed. */
  readonly now: Instant
  /** Until this instant no other claim takes the same deliveries. */
  readonly leaseUntil: Instant
  /** Deliveries due after this instant count as due: they were scheduled before the clock was set back. */
  readonly horizon: Instant
  /** Maximum number of deliveries counted, and claimed, per queue. */
  readonly maxPerQueue: number
  /**
   * How many deliveries of a queue to claim; 0 skips it. Called once per queue, the one that has been due
   * longest first. A retried claim calls it again.
   */
  quota(queue: DeliveryQueue): number
}

/** A claimed delivery, with the lease of this claim. */
export interface ClaimedDelivery {
  readonly workspace_id: string
  readonly delivery: Delivery
}

/** A delivery whose first attempt succeeded. */
export interface SuccessfulDelivery {
  readonly workspace_id: string
  readonly id: string
  /** The outcome is saved only under this lease. */
  readonly lease: number
  /** The attempt, with a 2xx status. */
  readonly attempt: Attempt
  /** The instant of the response. */
  readonly updated_at: Instant
}

/** The pending deliveries of all workspaces, as `Outbox.backlog` returns them. */
export interface Backlog {
  /** Number of pending deliveries. */
  readonly pending: number
  /** The earliest due instant; undefined if nothing is pending. */
  readonly earliestDueAt: Instant | undefined
}

/** The deliveries of all workspaces. */
export interface Outbox {
  /**
   * Claims due deliveries: from each queue as many as `quota` returns, those due longest first. A claimed
   * delivery is `sending`, due again at `leaseUntil`, and its `lease` is incremented, both in the store and
   * in the result, which has no particular order.
   *
   * Rows locked or claimed by others are skipped without waiting, so that no two claims return the same
   * delivery; a claim may return fewer than the quota although more are due. A queue costs at most
   * `maxPerQueue` rows, and a queue with nothing due one lookup. No other call may run in the transaction
   * until it settles.
   */
  claim(claim: Claim): Promise<readonly ClaimedDelivery[]>
  /**
   * Marks deliveries as delivered, with the attempt as their only one. Only rows that are still `sending`
   * under the same lease and have no stored attempt are changed. Each delivery occurs once.
   * @returns the number of rows changed
   */
  markDelivered(deliveries: readonly SuccessfulDelivery[]): Promise<number>
  /**
   * Deletes up to `limit` rows: finished deliveries last changed until `changedUntil`, the oldest change
   * first; then snapshots created until then that no delivery refers to, the oldest first. Locked rows are
   * skipped.
   * @returns the number of rows deleted
   */
  deleteFinished(changedUntil: Instant, limit: number): Promise<number>
  /**
   * All pending deliveries, due or not, including those being sent. Allowed in a read. Its cost grows with
   * their number.
   */
  backlog(): Promise<Backlog>
}
