import { invalidGrant, invalidRequest } from '../../../kernel/errors.ts'
import type { Ports } from '../../../ports/index.ts'
import type { Transaction } from '../../../ports/storage.ts'
import type { App } from '../../../schema/app.ts'
import { revokeGrant } from '../grants/revoke-grants.ts'
import { dropIdentityScopes, isPublicClient } from '../public-clients/public-client.ts'
import {
  type IssuedTokens,
  parseRefreshToken,
  type RefreshParts,
  renewGrant,
} from '../tokens/issue-tokens.ts'
import { type KnownParameters, parseScopes } from './parameters.ts'
import { resolveAudience } from './resource-indicator.ts'

const BAD_TOKEN = 'The refresh token is invalid, has expired, or was replaced.'

type RefreshParameters = { readonly refresh_token: string } & KnownParameters<'scope' | 'resource'>

/**
 * Issues a new token pair and invalidates the given refresh token. A replaced refresh token is rejected. For
 * a confidential app the grant stays valid: its secret protects the token, and a lost response must not end
 * the integration. For a public client the grant is revoked, because two parties hold the token. A token that
 * was never issued changes nothing.
 * @param app the authenticated app, or the identified public client
 * @throws CrmError `invalid_request`, `invalid_grant`
 */
export async function refreshTokens(
  ports: Ports,
  app: App,
  parameters: RefreshParameters,
): Promise<IssuedTokens> {
  const parts = parseRefreshToken(parameters.refresh_token, isPublicClient(app))
  if (!parts) throw invalidGrant(BAD_TOKEN)
  const tokens = await ports.storage.transact((tx) => rotateGrant(ports, tx, app, parts, parameters))
  if (tokens) return tokens
  // Thrown after the commit: an error inside the transaction would roll back the revocation.
  const logMessage = `A replaced refresh token of grant ${parts.grantId} was presented by public client ${app.id}: the grant is revoked.`
  throw invalidGrant(BAD_TOKEN, logMessage)
}

/** Returns `undefined` for a replaced token of a public client, after revoking its grant. */
async function rotateGrant(
  ports: Ports,
  tx: Transaction,
  app: App,
  parts: RefreshParts,
  parameters: RefreshParameters,
): Promise<IssuedTokens | undefined> {
  const { secrets, now, issuer } = ports
  const { workspaceId, grantId, family } = parts
  const { grants, members } = tx.workspace(workspaceId)
  const grant = await grants.getForUpdate(grantId)
  if (!grant || grant.client_id !== app.id || grant.revoked_at !== null) throw invalidGrant(BAD_TOKEN)
  const at = now()
  if (grant.refresh_hash === null || !secrets.matches(parameters.refresh_token, grant.refresh_hash)) {
    const wasIssued = grant.family_hash !== null && secrets.matches(family, grant.family_hash)
    if (!wasIssued) {
      throw invalidGrant(
        BAD_TOKEN,
        `A refresh token of grant ${grantId} was presented that is not its present one, by app ${app.id}.`,
      )
    }
    await revokeGrant(tx, workspaceId, grantId, at)
    return undefined
  }
  if (grant.refresh_expires_at === null || grant.refresh_expires_at <= at) throw invalidGrant(BAD_TOKEN)
  // The member needs no lock: member removal revokes the member's grants, and this grant is locked.
  const member = await members.get(grant.user_id)
  const workspace = await tx.workspaces.get(workspaceId)
  if (!workspace || !member || member.removed_at !== null) throw invalidGrant(BAD_TOKEN)
  const audience = resolveAudience(parameters.resource, issuer, grant.audience, app)
  const requestedScope = isPublicClient(app) ? dropIdentityScopes(parameters.scope) : parameters.scope
  const tokens = renewGrant(
    ports,
    grant,
    { scopes: narrowScopes(requestedScope, grant.scopes), audience, workspace },
    family,
    at,
  )
  await grants.update(tokens.grant)
  return tokens
}

function narrowScopes(scope: string | undefined, granted: readonly string[]): readonly string[] {
  const scopes = scope === undefined ? granted : parseScopes(scope, granted)
  if (scopes) return scopes
  throw invalidRequest(
    'A parameter is invalid.',
    { scope: 'Must be scopes that were granted, separated by spaces.' },
    'invalid_scope',
  )
}
