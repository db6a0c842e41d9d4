import * as v from 'valibot'
import { distinctListOf, email, object, singleLineText } from '../../../engine/field-schemas.ts'
import { SCOPES } from '../../../kernel/actor.ts'
import { redirectUri } from './redirect-uri.ts'

/** What an app that a person registered is not. */
export const CONFIDENTIAL_DEFAULTS = {
  kind: 'confidential',
  metadata_url: null,
  fetched_at: null,
  fresh_until: null,
  unused_since: null,
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
