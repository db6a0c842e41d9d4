import { membershipsOf } from '../accounts/memberships.ts'
import { notFound } from '../errors.ts'
import { later, MINUTE } from '../instants.ts'
import type { Instant, Ports, Transaction } from '../ports.ts'
import { isUuid } from '../records/fields.ts'
import type { App } from './app.ts'
import type { Authorization } from './authorization.ts'
import { CODE_PREFIX, type Code } from './code.ts'
import { newHandle } from './handle.ts'
import { isProgram, issuerFor, mayLeadTo, scopesOpenTo } from './program.ts'
import { redirectTo } from './redirect.ts'

/** What a user is asked to approve. */
export interface Consent {
  readonly authorization_id: string
  readonly app_name: string
  /** What is known of an app that nobody registered by hand; null for others. */
  readonly program: { readonly metadata_url: string | null } | null
  readonly redirect_uri: string
  readonly scopes: readonly string[]
  /** Those the user may choose from. */
  readonly workspaces: readonly { readonly id: string; readonly name: string }[]
}

const CODE_SECONDS = 10 * MINUTE

/** `undefined` for what was decided, has expired, never was, or is more than the app may ask for by now. */
export async function consent({ storage, now }: Ports, userId: string, authorizationId: string): Promise<Consent | undefined> {
  if (!isUuid(authorizationId)) return undefined
  return storage.read(async (tx) => {
    const authorization = await tx.authorizations.get(authorizationId.toLowerCase())
    const app = authorization && (await stillAsking(tx, authorization, now()))
    if (!app) return undefined
    const { id, redirect_uri, scopes } = authorization
    const workspaces = (await membershipsOf(tx, userId)).map((each) => ({ id: each.id, name: each.name }))
    const program = isProgram(app) ? { metadata_url: app.metadata_url } : null
    return { authorization_id: id, app_name: app.name, program, redirect_uri, scopes, workspaces }
  })
}

/** The address with a code; `undefined` as for `consent`. @throws CrmError `not_found` */
export function approve(ports: Ports, userId: string, authorizationId: string, workspaceId: string): Promise<string | undefined> {
  const { newId, random, secrets, issuer } = ports
  return decided(ports, authorizationId, async (tx, { redirect_uri, scopes, audience, code_challenge, state }, app, at) => {
    const workspace = isUuid(workspaceId) ? workspaceId.toLowerCase() : undefined
    const member = workspace && (await tx.workspace(workspace).members.getForShare(userId))
    if (!workspace || !member || member.removed_at !== null) throw notFound('Workspace')
    const id = newId()
    const code = newHandle(CODE_PREFIX, [id], random)
    const kept: Code = {
      id,
      token_hash: secrets.hash(code),
      client_id: app.id,
      redirect_uri,
      scopes,
      audience,
      code_challenge,
      workspace_id: workspace,
      user_id: userId,
      grant_id: null,
      expires_at: later(at, CODE_SECONDS),
      created_at: at,
      updated_at: at,
    }
    await tx.codes.insert(kept)
    return redirectTo(redirect_uri, { code, state, issuer: issuerFor(app, issuer) })
  })
}

/** The address with `access_denied`; `undefined` as for `consent`. */
export function deny(ports: Ports, authorizationId: string): Promise<string | undefined> {
  return decided(ports, authorizationId, async (_, { redirect_uri, state }, app) =>
    redirectTo(redirect_uri, { error: 'access_denied', state, issuer: issuerFor(app, ports.issuer) }),
  )
}

/** Of several decisions at once only the first finds the authorization: its transaction erases it. */
async function decided<T>(
  { storage, now }: Ports,
  authorizationId: string,
  decide: (tx: Transaction, authorization: Authorization, app: App, at: Instant) => Promise<T>,
): Promise<T | undefined> {
  if (!isUuid(authorizationId)) return undefined
  return storage.transact(async (tx) => {
    const authorization = await tx.authorizations.getForUpdate(authorizationId.toLowerCase())
    const at = now()
    const app = authorization && (await stillAsking(tx, authorization, at))
    if (!app) return undefined
    const decision = await decide(tx, authorization, app, at)
    await tx.authorizations.erase(authorization.id)
    return decision
  })
}

/** The app, while it may have what the authorization asks for. */
async function stillAsking(tx: Transaction, authorization: Authorization, at: Instant): Promise<App | undefined> {
  if (authorization.expires_at <= at) return undefined
  const app = await tx.apps.get(authorization.client_id)
  if (!app?.active || !mayLeadTo(app, authorization.redirect_uri)) return undefined
  const open = scopesOpenTo(app)
  return authorization.scopes.every((scope) => open.includes(scope)) ? app : undefined
}
