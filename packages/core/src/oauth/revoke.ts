import { invalidRequest } from '../errors.ts'
import type { Instant, Ports, Transaction } from '../ports.ts'
import { isUuid } from '../records/fields.ts'
import { authenticated, credentialsIn } from './client.ts'
import { REFRESH_PREFIX } from './issue.ts'
import type { BasicCredentials, Parameters } from './oauth-api.ts'
import { readKnown } from './parameters.ts'
import type { AccessTokens } from './tokens.ts'

/** Ends the grant of an access token, expired or not. For text that is no token of ours there is nothing to do. @throws CrmError */
export async function revoke(
  ports: Ports,
  tokens: AccessTokens,
  parameters: Parameters,
  basic: BasicCredentials | undefined,
): Promise<void> {
  const sent = readKnown(parameters, ['token', 'client_id', 'client_secret'])
  const app = await authenticated(ports, credentialsIn(sent, basic, ['token']))
  const token = sent.token!
  if (token.startsWith(REFRESH_PREFIX)) {
    throw invalidRequest('A refresh token cannot be revoked here.', { token: 'Must be an access token.' })
  }
  const claims = await tokens.claimsOf(token)
  if (!claims) return
  if (claims.client_id !== app.id) {
    throw invalidRequest('The token belongs to another app.', { token: 'Must be an access token of the client.' })
  }
  const { workspace_id, grant_id } = claims
  if (!isUuid(workspace_id) || !isUuid(grant_id)) return
  await ports.storage.transact((tx) => revokeGrant(tx, workspace_id, grant_id, ports.now()))
}

/** From now on no token of the grant is good for anything. One that is revoked already, or gone, stays as it is. */
export async function revokeGrant(tx: Transaction, workspaceId: string, grantId: string, at: Instant): Promise<void> {
  const { grants } = tx.workspace(workspaceId)
  const grant = await grants.getForUpdate(grantId)
  if (!grant || grant.revoked_at !== null) return
  await grants.update({ ...grant, revoked_at: at, refresh_hash: null, updated_at: at })
}
