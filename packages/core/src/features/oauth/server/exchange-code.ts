import { parseOpaqueToken } from '../../../engine/opaque-token.ts'
import { CrmError, invalidClient, invalidGrant, invalidRequest } from '../../../kernel/errors.ts'
import type { Instant } from '../../../kernel/instant.ts'
import type { Ports } from '../../../ports/index.ts'
import type { Transaction } from '../../../ports/storage.ts'
import type { App } from '../../../schema/app.ts'
import { CODE_PREFIX } from '../../../schema/authorization-code.ts'
import { revokeGrant } from '../grants/revoke-grants.ts'
import { isPublicClient } from '../public-clients/public-client.ts'
import { createGrant, type IssuedTokens } from '../tokens/issue-tokens.ts'
import type { KnownParameters } from './parameters.ts'
import { isCodeVerifier, verifyCodeChallenge } from './pkce.ts'
import { resolveAudience } from './resource-indicator.ts'

const BAD_CODE = 'The code is invalid, has expired, or was used before.'

type ExchangeParameters = { readonly code: string } & KnownParameters<
  'redirect_uri' | 'code_verifier' | 'resource'
>

/**
 * Exchanges an authorization code for a grant. A reused code revokes the grant of its first use, because two
 * parties hold it, but only if the client, `redirect_uri` and `code_verifier` are all correct. Otherwise
 * nothing changes.
 * @param app the authenticated app, or the identified public client
 * @throws CrmError `invalid_request`, `invalid_grant`
 */
export async function exchangeCode(
  ports: Ports,
  app: App,
  parameters: ExchangeParameters,
): Promise<IssuedTokens> {
  if (parameters.code_verifier !== undefined && !isCodeVerifier(parameters.code_verifier)) {
    throw invalidRequest('A parameter is invalid.', {
      code_verifier: 'Must be 43 to 128 letters, digits, hyphens, dots, underscores or tildes.',
    })
  }
  const [id] = parseOpaqueToken(CODE_PREFIX, 1, parameters.code) ?? []
  if (id === undefined) throw invalidGrant(BAD_CODE)
  const tokens = await ports.storage.transact((tx) => redeemCode(ports, tx, id, app, parameters))
  // Thrown after the commit: an error inside the transaction would roll back the revocation.
  if (!tokens)
    throw invalidGrant(
      BAD_CODE,
      `A used code was presented again by app ${app.id}: the tokens of its first use are revoked.`,
    )
  return tokens
}

/** Returns `undefined` for a reused code, after revoking its grant. */
async function redeemCode(
  ports: Ports,
  tx: Transaction,
  id: string,
  app: App,
  parameters: ExchangeParameters,
): Promise<IssuedTokens | undefined> {
  const { secrets, now, issuer } = ports
  const unlocked = await tx.authorization_codes.get(id)
  // The member is locked before the code, in the same order as in member removal, to prevent deadlocks.
  const member = unlocked && (await tx.workspace(unlocked.workspace_id).members.getForShare(unlocked.user_id))
  const code = unlocked && (await tx.authorization_codes.getForUpdate(id))
  if (!code || code.client_id !== app.id || !secrets.matches(parameters.code, code.token_hash))
    throw invalidGrant(BAD_CODE)
  if (parameters.redirect_uri !== undefined && parameters.redirect_uri !== code.redirect_uri) {
    throw invalidGrant('The redirect_uri is not the one the code was sent to.')
  }
  if (!verifyCodeChallenge(secrets, parameters.code_verifier, code.code_challenge)) {
    throw codeVerifierError(parameters.code_verifier)
  }
  const audience = resolveAudience(parameters.resource, issuer, code.audience, app)
  const at = now()
  if (code.grant_id !== null) {
    await revokeGrant(tx, code.workspace_id, code.grant_id, at)
    return undefined
  }
  if (code.expires_at <= at) throw invalidGrant(BAD_CODE)

  const workspace = await tx.workspaces.get(code.workspace_id)
  if (!workspace || !member || member.removed_at !== null) {
    throw invalidGrant('The user who approved is no member of the workspace any more.')
  }
  const tokens = createGrant(ports, code, { audience, workspace }, at, isPublicClient(app))
  await tx.workspace(code.workspace_id).grants.insert(tokens.grant)
  await tx.authorization_codes.update({ ...code, grant_id: tokens.grant.id, updated_at: at })
  if (app.unused_since !== null) await markClientUsed(tx, app.id, at)
  return tokens
}

/**
 * Marks a public client as used, so that it is not deleted as unused.
 * @throws CrmError `invalid_client` if it was deleted concurrently
 */
async function markClientUsed({ apps }: Transaction, id: string, at: Instant): Promise<void> {
  const app = await apps.getForUpdate(id)
  if (!app) throw invalidClient()
  await apps.update({ ...app, unused_since: null, updated_at: at })
}

function codeVerifierError(verifier: string | undefined): CrmError {
  const message =
    verifier === undefined
      ? 'The code was asked for with a code_challenge: send its code_verifier.'
      : 'The code_verifier does not match the code_challenge.'
  return new CrmError('invalid_grant', message, {
    code_verifier: verifier === undefined ? 'Required.' : 'Must match the code_challenge.',
  })
}
