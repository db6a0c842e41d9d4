import * as v from 'valibot'
import { SCOPES } from '../actor.ts'
import type { Instant, RecordBase } from '../ports.ts'
import { distinctListOf, email, line, object } from '../records/fields.ts'
import { redirectUri } from './redirect-uri.ts'

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

export const appScopes = distinctListOf(scope, 1, SCOPES.length, 'scopes')

const ADDRESS = /:\/\/|www\.|@/i

/** It is shown where users sign in, and mailed to whatever address an app was registered with: it lures nobody elsewhere. */
const appName = v.pipe(
  line(1, 80),
  v.check((name) => !ADDRESS.test(seen(name)), 'Must not read as an address: no "://", "www." or "@".'),
)

/** What is left of a name to the eye: characters that are not seen part no address. */
function seen(name: string): string {
  return name.normalize('NFKC').replaceAll(/[\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}]/gu, '')
}

export const appInput = object({ name: appName, email, redirect_uris: distinctListOf(redirectUri, 1, 10, 'URIs'), scopes: appScopes })
