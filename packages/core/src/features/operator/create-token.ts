import type * as v from 'valibot'
import { email, object, oneOf, optional, singleLineText, uuid } from '../../engine/field-schemas.ts'
import { validate } from '../../engine/validate.ts'
import { notFound, validationError } from '../../kernel/errors.ts'
import type { Ports } from '../../ports/index.ts'
import type { Transaction } from '../../ports/storage.ts'
import { isPublicClient } from '../oauth/dynamic-clients/public-client.ts'
import { appScopes } from '../oauth/server/app.ts'
import type { AccessTokens } from '../oauth/tokens/access-tokens.ts'
import { buildTokenResponse, createGrant, type TokenResponse } from '../oauth/tokens/issue-tokens.ts'
import { findWorkspaceBySlug } from '../workspaces/workspace.ts'
import { findMemberByEmail } from './remove-member.ts'

const audience = oneOf(['interface', 'mcp'])
const tokenInput = object({
  workspace: singleLineText(1, 63),
  client_id: uuid,
  user_email: email,
  ...optional({ scopes: appScopes, audience }),
})

/** Records a grant as if the user had approved it, for the whole interface where nothing else is said, and gives its tokens. @throws CrmError `validation_error`, `not_found` */
export async function createToken(
  ports: Ports,
  tokens: AccessTokens,
  input: v.InferInput<typeof tokenInput>,
): Promise<TokenResponse> {
  const { storage, now } = ports
  const parsed = validate(tokenInput, input)
  const issued = await storage.transact(async (tx) => {
    const { workspace, app, userId } = await loadGrantParties(tx, parsed)
    const scopes = parsed.scopes ?? app.scopes
    const excess = scopes.filter((scope) => !app.scopes.includes(scope))
    if (excess.length > 0) throw validationError({ scopes: `The app does not have: ${excess.join(', ')}.` })
    const audience = parsed.audience ?? 'interface'
    const grantTokens = createGrant(
      ports,
      { user_id: userId, client_id: app.id, scopes, audience },
      { audience, workspace },
      now(),
    )
    await tx.workspace(workspace.id).grants.insert(grantTokens.grant)
    return grantTokens
  })
  return buildTokenResponse(tokens, issued)
}

async function loadGrantParties(tx: Transaction, parsed: v.InferOutput<typeof tokenInput>) {
  const workspace = await findWorkspaceBySlug(tx, parsed.workspace)
  const app = await tx.apps.get(parsed.client_id)
  // A program gets its tokens from the user it asks, and from nobody else.
  if (!app?.active || isPublicClient(app)) throw notFound('App')
  const { member } = await findMemberByEmail(tx, workspace.id, parsed.user_email, 'getForShare')
  return { workspace, app, userId: member.id }
}
