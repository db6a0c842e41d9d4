import type { Instant } from './ports.ts'
import type { Delivery } from './webhooks/delivery.ts'

/** What a worker takes on at once. */
export interface Claim {
  readonly now: Instant
  /** Until when it is nobody else's. */
  readonly until: Instant
  /** What is due after this instant is due now: a clock that has been set back since put it off. */
  readonly horizon: Instant
  /** Deliveries at most. */
  readonly most: number
  /** Deliveries to one host at most. */
  readonly mostPerHost: number
  /** For hosts of which another number holds. 0 leaves a host alone, however much waits for it. */
  readonly room: ReadonlyMap<string, number>
}

export interface Claimed {
  readonly workspace_id: string
  readonly delivery: Delivery
}

/** The deliveries of all workspaces together, for whoever sends them. */
export interface Outbox {
  /**
   * Takes deliveries that are due: each becomes `sending`, is due again at `until`, and has its `lease` one higher, as stored and as
   * given, in no particular order. The host that has waited longest goes first, and of each host what has been due longest. What others
   * hold or are claiming is passed over without waiting, so that no two claims take the same one; and so there may be fewer than there
   * is room for, though more are due. What waits for one host costs a claim for another nothing, and neither does what is due later.
   * Nothing else is called in the transaction until it has answered.
   */
  claim(claim: Claim): Promise<readonly Claimed[]>
  /**
   * Erases up to `most` deliveries that are over and were made at or before `made`, the oldest first, but for those that others hold.
   * Gives how many.
   */
  forget(made: Instant, most: number): Promise<number>
}
