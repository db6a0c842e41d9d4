import type { EventName } from '../kernel/event-names.ts'
import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'

/** Where a workspace's changes are told. Deleted, it is erased with what waits for it; what is over is forgotten in time. */
export interface Webhook extends RecordBase {
  readonly updated_at: Instant
  /** The app that made it, which alone sees it; null for one that belongs to the workspace, which nothing makes yet. No UUID for a program that embeds the core. */
  readonly client_id: string | null
  /** An https URL, as a parser writes it. */
  readonly url: string
  /** The URL's host name: sends are bounded by it. */
  readonly host: string
  readonly events: readonly EventName[]
  /** What deliveries are signed with, sealed; null when they are not signed. */
  readonly sealed_secret: string | null
}

export const webhookShape = {
  columns: { client_id: 'text?', url: 'text', host: 'text', events: 'json', sealed_secret: 'text?' },
  unique: [],
  uniqueForever: [],
  foreignKeys: {},
} as const
