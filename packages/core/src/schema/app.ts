import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'

/**
 * `confidential`: registered by a person, with an e-mail address and a secret. Public clients have neither:
 * `registered` ones registered themselves (RFC 7591), `document` ones publish a client ID metadata document,
 * whose URL is their `client_id`.
 */
export type AppKind = 'confidential' | 'registered' | 'document'

/** An OAuth client. Its id is its `client_id`, except for `document` apps. */
export interface App extends RecordBase {
  readonly updated_at: Instant
  /** Shown on the consent page. */
  readonly name: string
  /** Null for public clients. */
  readonly email: string | null
  /** Compared as exact strings. Public clients may use any port of a loopback URI. */
  readonly redirect_uris: readonly string[]
  /** The scopes it may request. A public client may request any; these are its default. */
  readonly scopes: readonly string[]
  /** Null until the secret is created, and for public clients. */
  readonly secret_hash: string | null
  /** False until the secret is first issued. An inactive app gets no tokens. */
  readonly active: boolean
  readonly kind: AppKind
  /** URL of the client ID metadata document. */
  readonly metadata_url: string | null
  /** When the document was last fetched. */
  readonly fetched_at: Instant | null
  /** Until when the cached document is fresh. */
  readonly fresh_until: Instant | null
  /** When a public client without a grant first appeared: it is deleted after a time without one. */
  readonly unused_since: Instant | null
}

export const appShape = {
  columns: {
    name: 'text',
    email: 'text?',
    redirect_uris: 'json',
    scopes: 'json',
    secret_hash: 'text?',
    active: 'boolean',
    kind: 'text',
    metadata_url: 'text?',
    fetched_at: 'instant?',
    fresh_until: 'instant?',
    unused_since: 'instant?',
  },
  unique: ['metadata_url'],
  uniqueForever: [],
  foreignKeys: {},
} as const
