import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'
import type { EventName } from './events.ts'

/** A subscription to events. Deleting it deletes its pending deliveries; finished ones expire. */
export interface Webhook extends RecordBase {
  readonly updated_at: Instant
  /**
   * The app that created it and alone sees it. Not a UUID for an embedding program; null is reserved for
   * webhooks of the workspace itself.
   */
  readonly client_id: string | null
  /** The member who created it or took it over; null if that was not stored. */
  readonly creator_user_id: string | null
  /** A normalised https URL. */
  readonly url: string
  /** The URL's host name, for concurrency limits. */
  readonly host: string
  readonly events: readonly EventName[]
  /** The sealed signing secret; null if deliveries are not signed. */
  readonly sealed_secret: string | null
}

export const webhookShape = {
  columns: {
    client_id: 'text?',
    creator_user_id: 'uuid?',
    url: 'text',
    host: 'text',
    events: 'json',
    sealed_secret: 'text?',
  },
  unique: [],
  uniqueForever: [],
  foreignKeys: {},
} as const
