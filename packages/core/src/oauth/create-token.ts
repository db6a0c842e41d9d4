import type * as v from 'valibot'
import { invalid, notFound } from '../errors.ts'
import { memberNamed } from '../members/membership.ts'
import type { Ports, Transaction } from '../ports.ts'
import { email, line, object, oneOf, optional, uuid } from '../records/fields.ts'
import { validate } from '../records/input.ts'
import { workspaceBySlug } from '../workspaces/workspace.ts'
import { appScopes } from './app.ts'
import { newGrant, type TokenResponse, tokenResponse } from './issue.ts'
import { isProgram } from './program.ts'
import type { AccessTokens } from './tokens.ts'

const audience = oneOf(['interface', 'mcp'])
const tokenInput = object({ workspace: line(1, 63), client_id: uuid, user_email: email, ...optional({ scopes: appScopes, audience }) })

/** Records a grant as if the user had approved it, for the whole interface where nothing else is said, and gives its tokens. @throws CrmError `validation_error`, `not_found` */
export async function createToken(ports: Ports, tokens: AccessTokens, input: v.InferInput<typeof tokenInput>): Promise<TokenResponse> {
  const { storage, now } = ports
  const asked = validate(tokenInput, input)
  const issued = await storage.transact(async (tx) => {
    const { workspace, app, userId } = await approvedBy(tx, asked)
    const scopes = asked.scopes ?? app.scopes
    const beyond = scopes.filter((scope) => !app.scopes.includes(scope))
    if (beyond.length > 0) throw invalid({ scopes: `The app does not have: ${beyond.join(', ')}.` })
    const audience = asked.audience ?? 'interface'
    const made = newGrant(ports, { user_id: userId, client_id: app.id, scopes, audience }, { audience, workspace }, now())
    await tx.workspace(workspace.id).grants.insert(made.grant)
    return made
  })
  return tokenResponse(tokens, issued)
}

async function approvedBy(tx: Transaction, asked: v.InferOutput<typeof tokenInput>) {
  const workspace = await workspaceBySlug(tx, asked.workspace)
  const app = await tx.apps.get(asked.client_id)
  // A program gets its tokens from the user it asks, and from nobody else.
  if (!app?.active || isProgram(app)) throw notFound('App')
  const { member } = await memberNamed(tx, workspace.id, asked.user_email, 'getForShare')
  return { workspace, app, userId: member.id }
}
