import type { Instant, RecordBase } from '../ports.ts'

/** An OAuth client. Its id is its `client_id`. */
export interface App extends RecordBase {
  readonly updated_at: Instant
  readonly name: string
  readonly email: string
  readonly redirect_uris: readonly string[]
  readonly scopes: readonly string[]
  /** Null until the app's secret is made. */
  readonly secret_hash: string | null
  readonly active: boolean
}

export const appShape = {
  columns: { name: 'text', email: 'text', redirect_uris: 'json', scopes: 'json', secret_hash: 'text?', active: 'boolean' },
  unique: [],
  neverReused: [],
  refersTo: {},
} as const
