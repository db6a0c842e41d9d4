import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'

export const DELIVERY_STATUSES = ['pending', 'delivered', 'dropped'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

export const DROP_REASONS = ['retries_exhausted', 'access_revoked'] as const
/** Why a delivery was given up. */
export type DropReason = (typeof DROP_REASONS)[number]

export const ATTEMPT_ERRORS = [
  'not_signed',
  'address_not_allowed',
  'name_not_resolved',
  'certificate_not_trusted',
  'connection_failed',
  'connection_closed',
  'timeout',
] as const
/** Why there is no status. They say no more than a receiver's owner must know: nothing about what is inside a network. */
export type AttemptError = (typeof ATTEMPT_ERRORS)[number]

/** One try to hand a delivery over, and what came of it. */
export interface Attempt {
  /** When it began. */
  readonly created_at: Instant
  readonly duration_ms: number
  /** The HTTP status of the answer; null where there was none. */
  readonly status: number | null
  readonly error: AttemptError | null
  /** How the answer begins, at most 1 KiB of it. */
  readonly response: string | null
}

/** One event on its way to one webhook: in the outbox from the transaction that caused it, and in the log for 30 days after its last change. */
export interface Delivery extends RecordBase {
  readonly updated_at: Instant
  /** It may be gone. What is pending for it is then erased, what is over forgotten in time. */
  readonly webhook_id: string
  readonly event: string
  /** What is told of the change, frozen: see `bodyOf`. */
  readonly snapshot_id: string
  readonly status: DeliveryStatus
  readonly reason: DropReason | null
  /** The latest ones, oldest first. */
  readonly attempts: readonly Attempt[]
  /** Attempts so far, those of redeliveries too, but for those that could not be signed. */
  readonly attempts_count: number
  /** Whether the next attempt is the last, whatever comes of it. */
  readonly last_attempt: boolean
  /** When it is tried next; while it is tried, when it is anybody's again. Null once it is over. */
  readonly due_at: Instant | null
  readonly sending: boolean
  /** How often it was claimed: what is saved under an older number comes too late. */
  readonly lease: number
}

export const deliveryShape = {
  columns: {
    webhook_id: 'uuid',
    event: 'text',
    snapshot_id: 'uuid',
    status: 'text',
    reason: 'text?',
    attempts: 'json',
    attempts_count: 'integer',
    last_attempt: 'boolean',
    due_at: 'instant?',
    sending: 'boolean',
    lease: 'integer',
  },
  unique: [],
  uniqueForever: [],
  foreignKeys: { snapshot_id: 'snapshots' },
} as const
