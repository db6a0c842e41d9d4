import type * as v from 'valibot'
import { validate } from '../../engine/validate.ts'
import { notFound, validationError } from '../../kernel/errors.ts'
import { knownEmail, oneOf, uuid } from '../../kernel/field-schemas.ts'
import { object, optional } from '../../kernel/object-schemas.ts'
import { singleLineText } from '../../kernel/text-schemas.ts'
import type { Ports } from '../../ports/index.ts'
import type { Transaction } from '../../ports/storage.ts'
import { getAllowedScopes, isPublicClient } from '../oauth/public-clients/public-client.ts'
import { appScopes } from '../oauth/server/app.ts'
import type { AccessTokens } from '../oauth/tokens/access-tokens.ts'
import { buildTokenResponse, createGrant, type TokenResponse } from '../oauth/tokens/issue-tokens.ts'
import { findWorkspaceBySlug } from '../workspaces/workspace.ts'
import { findMemberByEmail } from './remove-member.ts'

const audience = oneOf(['interface', 'mcp'])
const tokenInput = object({
  workspace: singleLineText(1, 63),
  client_id: uuid,
  user_email: knownEmail,
  ...optional({ scopes: appScopes, audience }),
})

/**
 * Stores a grant as if the user had approved it, and returns its tokens. Defaults to the audience `interface`
 * and to all scopes that the app may have for the audience.
 * @throws CrmError `validation_error`, `not_found`
 */
export async function createToken(
  ports: Ports,
  tokens: AccessTokens,
  input: v.InferInput<typeof tokenInput>,
): Promise<TokenResponse> {
  const { storage, now } = ports
  const fields = validate(tokenInput, input)
  const grantTokens = await storage.transact(async (tx) => {
    const { workspace, app, userId } = await loadGrantParties(tx, fields)
    const audience = fields.audience ?? 'interface'
    const allowed = getAllowedScopes(app, audience)
    const scopes = fields.scopes ?? allowed
    const excess = scopes.filter((scope) => !allowed.includes(scope))
    const owner = audience === 'mcp' ? 'The app does not have, or not for /mcp' : 'The app does not have'
    if (excess.length > 0) throw validationError({ scopes: `${owner}: ${excess.join(', ')}.` })
    const newGrant = createGrant(
      ports,
      { user_id: userId, client_id: app.id, scopes, audience },
      { audience, workspace },
      now(),
    )
    await tx.workspace(workspace.id).grants.insert(newGrant.grant)
    return newGrant
  })
  return buildTokenResponse(tokens, grantTokens)
}

async function loadGrantParties(tx: Transaction, fields: v.InferOutput<typeof tokenInput>) {
  const workspace = await findWorkspaceBySlug(tx, fields.workspace)
  const app = await tx.apps.get(fields.client_id)
  // A public client gets tokens only by the user's own approval.
  if (!app?.active || isPublicClient(app)) throw notFound('App')
  const { member } = await findMemberByEmail(tx, workspace.id, fields.user_email, 'getForShare')
  return { workspace, app, userId: member.id }
}
