import * as v from 'valibot'
import { SCOPES } from '../actor.ts'
import type { Instant, RecordBase } from '../ports.ts'
import { listOf } from '../records/fields.ts'

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

/** Its message names the bad one, for a command line that shows no place in a list. */
const scope = v.picklist(SCOPES, ({ received }) => `Unknown scope: ${received}. Must be one of: ${SCOPES.join(', ')}.`)

export const appScopes = listOf(scope, 1, SCOPES.length, 'scopes')
