import { type CrmError, invalidRequest } from '../../../kernel/errors.ts'
import { isUuid } from '../../../kernel/field-schemas.ts'
import type { Ports } from '../../../ports/index.ts'
import type { App } from '../../../schema/app.ts'
import { revokeGrant } from '../grants/revoke-grants.ts'
import type { AccessTokens } from '../tokens/access-tokens.ts'
import { parseRefreshToken, REFRESH_PREFIX } from '../tokens/issue-tokens.ts'
import {
  authenticateClient,
  type BasicCredentials,
  identifyPublicClient,
  parseClientCredentials,
} from './client-authentication.ts'
import { type Parameters, readParameters } from './parameters.ts'

/**
 * Revokes the grant of an access token, expired or not. Succeeds without effect for any other text (RFC
 * 7009).
 * @throws CrmError `invalid_request`, `invalid_client`
 */
export async function revokeToken(
  ports: Ports,
  tokens: AccessTokens,
  parameters: Parameters,
  basic: BasicCredentials | undefined,
): Promise<void> {
  const request = readParameters(parameters, ['token', 'client_id', 'client_secret'])
  const app = await authenticateClient(ports, parseClientCredentials(request, basic, ['token']))
  const token = request.token!
  if (token.startsWith(REFRESH_PREFIX)) {
    throw invalidRequest('A refresh token cannot be revoked here.', { token: 'Must be an access token.' })
  }
  await revokeByAccessToken(ports, tokens, app, token)
}

/**
 * Does the same for public clients. Also accepts refresh tokens, including replaced ones.
 * @throws CrmError `invalid_request`, `invalid_client`
 */
export async function revokePublicClientToken(
  ports: Ports,
  tokens: AccessTokens,
  parameters: Parameters,
): Promise<void> {
  const request = readParameters(parameters, ['token', 'client_id', 'client_secret'])
  const app = await identifyPublicClient(ports, request, ['token'])
  const token = request.token!
  if (token.startsWith(REFRESH_PREFIX)) await revokeByRefreshToken(ports, app, token)
  else await revokeByAccessToken(ports, tokens, app, token)
}

async function revokeByRefreshToken(
  { storage, secrets, now }: Ports,
  app: App,
  token: string,
): Promise<void> {
  const parts = parseRefreshToken(token, true)
  if (!parts) return
  const { workspaceId, grantId, family } = parts
  await storage.transact(async (tx) => {
    const grant = await tx.workspace(workspaceId).grants.getForUpdate(grantId)
    if (!grant || grant.family_hash === null || !secrets.matches(family, grant.family_hash)) return
    if (grant.client_id !== app.id) throw foreignTokenError()
    await revokeGrant(tx, workspaceId, grantId, now())
  })
}

async function revokeByAccessToken(
  ports: Ports,
  tokens: AccessTokens,
  app: App,
  token: string,
): Promise<void> {
  const claims = await tokens.decode(token)
  if (!claims) return
  if (claims.client_id !== app.id) throw foreignTokenError()
  const { workspace_id, grant_id } = claims
  if (!isUuid(workspace_id) || !isUuid(grant_id)) return
  await ports.storage.transact((tx) => revokeGrant(tx, workspace_id, grant_id, ports.now()))
}

function foreignTokenError(): CrmError {
  return invalidRequest('The token belongs to another app.', {
    token: 'Must be an access token of the client.',
  })
}
