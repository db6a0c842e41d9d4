import * as v from 'valibot'
import { distinctListOf, email, object, singleLineText } from '../../../engine/field-schemas.ts'
import { SCOPES } from '../../../kernel/actor.ts'
import type { Instant, RecordBase } from '../../../ports/index.ts'
import { redirectUri } from './redirect-uri.ts'

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

/** What an app that a person registered is not. */
export const CONFIDENTIAL_DEFAULTS = {
  kind: 'confidential',
  metadata_url: null,
  fetched_at: null,
  fresh_until: null,
  unused_since: null,
} as const

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

/** Its message names the bad one, for a command line that shows no place in a list. */
const scope = v.picklist(
  SCOPES,
  ({ received }) => `Unknown scope: ${received}. Must be one of: ${SCOPES.join(', ')}.`,
)

export const appScopes = distinctListOf(scope, 1, SCOPES.length, 'scopes')

const URL_OR_EMAIL = /:\/\/|www[.。]|@/i

/** It is shown where users sign in, and mailed to whatever address an app was registered with: it lures nobody elsewhere. */
export const appName = v.pipe(
  singleLineText(1, 80),
  // A check would see a name of any length, and to normalise one can take minutes.
  v.rawCheck(({ dataset, addIssue }) => {
    if (dataset.typed && !dataset.issues && URL_OR_EMAIL.test(visibleText(dataset.value))) {
      addIssue({ message: 'Must not read as an address: no "://", "www." or "@".' })
    }
  }),
)

/** What is left of a name to the eye: characters that are not seen part no address. */
function visibleText(name: string): string {
  return name.normalize('NFKC').replaceAll(/[\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}]/gu, '')
}

export const appInput = object({
  name: appName,
  email,
  redirect_uris: distinctListOf(redirectUri, 1, 10, 'URIs'),
  scopes: appScopes,
})
