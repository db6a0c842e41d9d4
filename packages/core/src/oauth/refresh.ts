import { invalidGrant, invalidRequest } from '../errors.ts'
import type { Ports, Transaction } from '../ports.ts'
import { idsInHandle } from './handle.ts'
import { type Issued, REFRESH_PREFIX, renewed, type TokenResponse, tokenResponse } from './issue.ts'
import { type Known, scopesWithin } from './parameters.ts'
import type { AccessTokens } from './tokens.ts'

const BAD_TOKEN = 'The refresh token is invalid, has expired, or was replaced.'

type Sent = { readonly refresh_token: string } & Known<'scope'>

/**
 * Another pair of tokens for a refresh token, which is worth nothing from then on. One that was replaced is refused, and its grant
 * lives on: an answer that was lost ends no integration, and the app's secret guards the token.
 * @param clientId the app that has authenticated
 * @throws CrmError `invalid_request`, `invalid_grant`
 */
export async function refresh(ports: Ports, tokens: AccessTokens, clientId: string, sent: Sent): Promise<TokenResponse> {
  const [workspaceId, grantId] = idsInHandle(REFRESH_PREFIX, 2, sent.refresh_token) ?? []
  if (workspaceId === undefined || grantId === undefined) throw invalidGrant(BAD_TOKEN)
  const issued = await ports.storage.transact((tx) => rotated(ports, tx, { workspaceId, grantId, clientId }, sent))
  return tokenResponse(tokens, issued)
}

async function rotated(
  ports: Ports,
  tx: Transaction,
  { workspaceId, grantId, clientId }: { readonly workspaceId: string; readonly grantId: string; readonly clientId: string },
  sent: Sent,
): Promise<Issued> {
  const { secrets, now } = ports
  const { grants, members } = tx.workspace(workspaceId)
  const grant = await grants.getForUpdate(grantId)
  if (!grant || grant.client_id !== clientId || grant.revoked_at !== null) throw invalidGrant(BAD_TOKEN)
  if (grant.refresh_hash === null || !secrets.matches(sent.refresh_token, grant.refresh_hash))
    throw invalidGrant(BAD_TOKEN, `A refresh token of grant ${grantId} was presented that is not its present one, by app ${clientId}.`)
  const at = now()
  if (grant.refresh_expires_at === null || grant.refresh_expires_at <= at) throw invalidGrant(BAD_TOKEN)
  // Whoever removes a member revokes its grants, and this one is held.
  const member = await members.get(grant.user_id)
  const workspace = await tx.workspaces.get(workspaceId)
  if (!workspace || !member || member.removed_at !== null) throw invalidGrant(BAD_TOKEN)
  const scopes = sent.scope === undefined ? grant.scopes : scopesWithin(sent.scope, grant.scopes)
  if (!scopes) throw invalidRequest('A parameter is invalid.', { scope: 'Must be scopes that were granted, separated by spaces.' })
  const issued = renewed(ports, grant, workspace, scopes, at)
  await grants.update(issued.grant, grant)
  return issued
}
