import type { Instant } from '../kernel/instant.ts'
import type { RecordBase } from '../kernel/record.ts'

/**
 * Where an app comes from. `confidential` ones were registered by a person with an e-mail address, and have a secret. Programs have
 * neither: `registered` ones registered themselves, `document` ones are described at an address that is their `client_id`.
 */
export type AppKind = 'confidential' | 'registered' | 'document'

/** An OAuth client. Its id is its `client_id`, but for one that is described by a document. */
export interface App extends RecordBase {
  readonly updated_at: Instant
  readonly name: string
  /** Null for programs. */
  readonly email: string | null
  readonly redirect_uris: readonly string[]
  /** What it may ask for; for programs, which may ask for any, what a request that names no scope asks for. */
  readonly scopes: readonly string[]
  /** Null until the app's secret is made, and for programs. */
  readonly secret_hash: string | null
  readonly active: boolean
  readonly kind: AppKind
  /** Where the document is that describes it. */
  readonly metadata_url: string | null
  /** When the document was last read. */
  readonly fetched_at: Instant | null
  /** Until when it need not be read again. */
  readonly fresh_until: Instant | null
  /** When a program appeared that nobody has let in so far. */
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
