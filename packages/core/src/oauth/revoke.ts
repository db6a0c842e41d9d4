import { invalidRequest } from '../errors.ts'
import type { Ports } from '../ports.ts'
import { isUuid } from '../records/fields.ts'
import { authenticated, type BasicCredentials, credentialsIn } from './client.ts'
import { REFRESH_PREFIX } from './issue.ts'
import { type Parameters, readKnown } from './parameters.ts'
import { revokeGrant } from './revoke-grants.ts'
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
