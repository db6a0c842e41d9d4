import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'

export const DELIVERY_STATUSES = ['pending', 'delivered', 'dropped'] as const
/**
 * `pending` until the delivery is `delivered` (a 2xx response) or `dropped`. A redelivery is pending again.
 */
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** Values of `DropReason`. */
export const DROP_REASONS = ['retries_exhausted', 'access_revoked'] as const
/** Why a delivery was dropped: no attempt succeeded, or the app lost its access to the workspace. */
export type DropReason = (typeof DROP_REASONS)[number]

/** Values of `AttemptError`. */
export const ATTEMPT_ERRORS = [
  'not_signed',
  'address_not_allowed',
  'name_not_resolved',
  'certificate_not_trusted',
  'connection_failed',
  'connection_closed',
  'timeout',
] as const
/** Why an attempt has no status. The values reveal nothing about the inside of a network. */
export type AttemptError = (typeof ATTEMPT_ERRORS)[number]

/** An attempt to send a delivery, with its outcome. */
export interface Attempt {
  /** When it started. */
  readonly created_at: Instant
  /** Milliseconds until the response or the failure. */
  readonly duration_ms: number
  /** The HTTP status of the response; null without a response. */
  readonly status: number | null
  /** Why there is no status; null with a response, whatever its status. */
  readonly error: AttemptError | null
  /** The start of the response body, at most 1 KiB. */
  readonly response: string | null
}

/**
 * One event for one webhook: in the outbox from the transaction of the change, and in the log for 30 days
 * after its last update.
 */
export interface Delivery extends RecordBase {
  readonly updated_at: Instant
  /** May refer to a deleted webhook: its pending deliveries are deleted, finished ones expire. */
  readonly webhook_id: string
  readonly event: string
  /** The frozen payload: see `buildBody`. */
  readonly snapshot_id: string
  readonly status: DeliveryStatus
  readonly reason: DropReason | null
  /** The latest attempts, oldest first. */
  readonly attempts: readonly Attempt[]
  /** Attempts so far, including redeliveries, without those that could not be signed. */
  readonly attempts_count: number
  /** True if the next attempt is the last. */
  readonly last_attempt: boolean
  /** When the next attempt is due; while sending, when the lease ends. Null once it is finished. */
  readonly due_at: Instant | null
  readonly sending: boolean
  /** Number of claims: an outcome under an older lease is ignored. */
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
