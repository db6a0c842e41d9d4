import * as v from 'valibot'
import { SCOPES } from '../../../kernel/actor.ts'
import { email } from '../../../kernel/field-schemas.ts'
import { distinctListOf, object } from '../../../kernel/object-schemas.ts'
import { singleLineText } from '../../../kernel/text-schemas.ts'
import { redirectUri } from './redirect-uri.ts'

/** The fields that only public clients use, as a confidential app has them. */
export const CONFIDENTIAL_DEFAULTS = {
  kind: 'confidential',
  metadata_url: null,
  fetched_at: null,
  fresh_until: null,
  unused_since: null,
} as const

/** The message names the invalid scope, because the command line shows no list index. */
const scope = v.picklist(
  SCOPES,
  ({ received }) => `Unknown scope: ${received}. Must be one of: ${SCOPES.join(', ')}.`,
)

export const appScopes = distinctListOf(scope, 1, SCOPES.length, 'scopes')

const URL_OR_EMAIL = /:\/\/|www[.。]|@/i

/**
 * The name of an app. It is shown on the consent page and mailed to an unverified address, so it must not
 * look like a URL or an e-mail address.
 */
export const appName = v.pipe(
  singleLineText(1, 80),
  // `rawCheck` skips values that are already invalid: normalizing a very long name can take minutes.
  v.rawCheck(({ dataset, addIssue }) => {
    if (dataset.typed && !dataset.issues && URL_OR_EMAIL.test(visibleText(dataset.value))) {
      addIssue({ message: 'Must not read as an address: no "://", "www." or "@".' })
    }
  }),
)

/** Returns the normalized name without invisible characters, which could hide an address from the check. */
function visibleText(name: string): string {
  return name.normalize('NFKC').replaceAll(/[\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}]/gu, '')
}

/**
 * The schema of a new app, for `crm.oauth.registerApp` and `operator.createApp`: name (1 to 80 characters),
 * e-mail address, 1 to 10 redirect URIs, and at least one scope.
 */
export const appInput = object({
  name: appName,
  email,
  redirect_uris: distinctListOf(redirectUri, 1, 10, 'URIs'),
  scopes: appScopes,
})
