import type { Instant } from '../kernel/instant.ts'
import type { Attempt, Delivery } from '../schema/delivery.ts'

/** The deliveries to one webhook of which some are due. */
export interface DeliveryQueue {
  readonly workspace_id: string
  readonly webhook_id: string
  /** The host name its URL has now; undefined where the webhook is gone. */
  readonly host: string | undefined
  /** How many are due, counted up to `each`. */
  readonly dueCount: number
}

/** What a worker takes on at once. */
export interface Claim {
  readonly now: Instant
  /** Until when it is nobody else's. */
  readonly leaseUntil: Instant
  /** What is due after this instant is due now: a clock that has been set back since put it off. */
  readonly horizon: Instant
  /** So many are counted in each lane, and taken of it at most. */
  readonly maxPerQueue: number
  /**
   * How many of a lane are taken: 0 leaves it alone, however much waits there. A claim asks once for each, the one that has waited longest
   * first; one that is done again asks again.
   */
  quota(queue: DeliveryQueue): number
}

export interface ClaimedDelivery {
  readonly workspace_id: string
  readonly delivery: Delivery
}

/** What came of a delivery whose first attempt succeeded. */
export interface SuccessfulDelivery {
  readonly workspace_id: string
  readonly id: string
  /** It is noted under this one alone. */
  readonly lease: number
  readonly attempt: Attempt
  /** When it was answered. */
  readonly updated_at: Instant
}

export interface Backlog {
  readonly pending: number
  /** The earliest at which one of them is due; undefined where there is none. */
  readonly earliestDueAt: Instant | undefined
}

/** The deliveries of all workspaces together, for whoever sends them. */
export interface Outbox {
  /**
   * Takes deliveries that are due, from each lane as many as `share` says, those that have been due longest: each becomes `sending`, is
   * due again at `until`, and has its `lease` one higher, as stored and as given, in no particular order. What others hold or are
   * claiming is passed over without waiting, so that no two claims take the same one; and so there may be fewer than were asked for,
   * though more are due. What waits in one lane costs a claim nothing beyond `each`; a lane where all is due later costs it a look.
   * Nothing else is called in the transaction until it has answered.
   */
  claim(claim: Claim): Promise<readonly ClaimedDelivery[]>
  /**
   * Notes all of these at once: each that is still `sending` under its lease, and of which no attempt is kept, is delivered, with the attempt as
   * its only one and due no more. Whatever else became of one leaves it as it is. None is given twice.
   * @returns how many were noted
   */
  markDelivered(deliveries: readonly SuccessfulDelivery[]): Promise<number>
  /**
   * Erases up to `most` rows and gives how many: deliveries that are over and were last changed at or before `changed`, those that were
   * changed first first; and once these are gone, snapshots made by then of which no delivery tells, the oldest first. What others hold
   * is passed over.
   */
  deleteFinished(changedUntil: Instant, limit: number): Promise<number>
  /** How many deliveries wait in all, due or not, those included that are under way. A read may ask it too. It costs as much as waits. */
  backlog(): Promise<Backlog>
}
