import type * as v from 'valibot'
import { invalid, notFound } from '../errors.ts'
import { memberNamed } from '../members/membership.ts'
import type { Ports, Transaction } from '../ports.ts'
import { email, line, object, optional, uuid } from '../records/fields.ts'
import { validate } from '../records/input.ts'
import { workspaceBySlug } from '../workspaces/workspace.ts'
import { ACCESS_TOKEN_SECONDS, REFRESH_TOKEN_DAYS } from './access-token.ts'
import { appScopes } from './app.ts'
import type { Grant } from './grant.ts'
import { secretText } from './secret-text.ts'
import type { AccessTokens } from './tokens.ts'

const DAY_MS = 86_400_000

const tokenInput = object({ workspace: line(1, 63), client_id: uuid, user_email: email, ...optional({ scopes: appScopes }) })

/** The contract's Token response. */
export interface TokenResponse {
  readonly access_token: string
  readonly refresh_token: string
  readonly token_type: 'Bearer'
  readonly expires_in: number
  readonly workspace_slug: string
}

/** Records a grant as if the user had approved it, and gives its tokens. @throws CrmError `validation_error`, `not_found` */
export async function createToken(ports: Ports, tokens: AccessTokens, input: v.InferInput<typeof tokenInput>): Promise<TokenResponse> {
  const { storage, now, newId, random, secrets } = ports
  const asked = validate(tokenInput, input)
  const refresh_token = `crm_rt_${secretText(random)}`
  const at = now()
  const made = await storage.transact(async (tx) => {
    const { workspace, app, userId } = await approvedBy(tx, asked)
    const grant: Grant = {
      id: newId(),
      user_id: userId,
      client_id: app.id,
      scopes: asked.scopes ?? app.scopes,
      refresh_hash: secrets.hash(refresh_token),
      refresh_expires_at: new Date(Date.parse(at) + REFRESH_TOKEN_DAYS * DAY_MS).toISOString(),
      revoked_at: null,
      created_at: at,
      updated_at: at,
    }
    const beyond = grant.scopes.filter((scope) => !app.scopes.includes(scope))
    if (beyond.length > 0) throw invalid({ scopes: `The app does not have: ${beyond.join(', ')}.` })
    await tx.workspace(workspace.id).grants.insert(grant)
    return { grant, workspace }
  })
  const access_token = await tokens.sign(made.grant, made.workspace.id, made.grant.scopes)
  return { access_token, refresh_token, token_type: 'Bearer', expires_in: ACCESS_TOKEN_SECONDS, workspace_slug: made.workspace.slug }
}

async function approvedBy(tx: Transaction, asked: v.InferOutput<typeof tokenInput>) {
  const workspace = await workspaceBySlug(tx, asked.workspace)
  const app = await tx.apps.get(asked.client_id)
  if (!app?.active) throw notFound('App')
  const { member } = await memberNamed(tx, workspace.id, asked.user_email, 'getForShare')
  return { workspace, app, userId: member.id }
}
