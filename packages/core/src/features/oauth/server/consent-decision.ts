import { findById } from '../../../engine/find-by-id.ts'
import { createOpaqueToken } from '../../../engine/opaque-token.ts'
import { notFound } from '../../../kernel/errors.ts'
import { isUuid } from '../../../kernel/field-schemas.ts'
import { addSeconds, type Instant, MINUTE } from '../../../kernel/instant.ts'
import type { Ports } from '../../../ports/index.ts'
import type { Transaction } from '../../../ports/storage.ts'
import type { App } from '../../../schema/app.ts'
import type { Authorization } from '../../../schema/authorization.ts'
import { type AuthorizationCode, CODE_PREFIX } from '../../../schema/authorization-code.ts'
import { listMemberships } from '../../accounts/memberships.ts'
import {
  getAllowedScopes,
  getClientIssuer,
  isPublicClient,
  isRedirectUriAllowed,
} from '../public-clients/public-client.ts'
import { buildRedirectUrl } from './authorization-response.ts'

/** The contents of the consent page, as `crm.oauth.consent` returns them. */
export interface Consent {
  /** The argument of `approve` and `deny`. */
  readonly authorization_id: string
  readonly app_name: string
  /** Details of a public client; null for a confidential app. */
  readonly publicClient: { readonly metadata_url: string | null } | null
  /** The address that gets the code. */
  readonly redirect_uri: string
  /** Approved or denied together. */
  readonly scopes: readonly string[]
  /** The workspaces the user may choose from. */
  readonly workspaces: readonly { readonly id: string; readonly name: string }[]
}

const CODE_SECONDS = 10 * MINUTE

/**
 * Returns the consent page of an authorization. Returns `undefined` if it does not exist, was decided, has
 * expired, or requests more than the app may have now.
 */
export async function loadConsent(
  { storage, now }: Ports,
  userId: string,
  authorizationId: string,
): Promise<Consent | undefined> {
  return storage.read(async (tx) => {
    const authorization = await findById(tx.authorizations, authorizationId)
    const app = authorization && (await findRequestingApp(tx, authorization, now()))
    if (!app) return undefined
    const { id, redirect_uri, scopes } = authorization
    const workspaces = (await listMemberships(tx, userId)).map((membership) => ({
      id: membership.id,
      name: membership.name,
    }))
    const publicClient = isPublicClient(app) ? { metadata_url: app.metadata_url } : null
    return { authorization_id: id, app_name: app.name, publicClient, redirect_uri, scopes, workspaces }
  })
}

/**
 * Creates an authorization code and returns the redirect URL, or `undefined` as `loadConsent` does.
 * @throws CrmError `not_found` if the user is not a member of the workspace
 */
export function approveConsent(
  ports: Ports,
  userId: string,
  authorizationId: string,
  workspaceId: string,
): Promise<string | undefined> {
  const { newId, random, secrets, issuer } = ports
  return decideOnce(
    ports,
    authorizationId,
    async (tx, { redirect_uri, scopes, audience, code_challenge, state }, app, at) => {
      const workspace = isUuid(workspaceId) ? workspaceId.toLowerCase() : undefined
      const member = workspace && (await tx.workspace(workspace).members.getForShare(userId))
      if (!workspace || !member || member.removed_at !== null) throw notFound('Workspace')
      const id = newId()
      const code = createOpaqueToken(CODE_PREFIX, [id], random)
      const authorizationCode: AuthorizationCode = {
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
        expires_at: addSeconds(at, CODE_SECONDS),
        created_at: at,
        updated_at: at,
      }
      await tx.authorization_codes.insert(authorizationCode)
      return buildRedirectUrl(redirect_uri, { code, state, issuer: getClientIssuer(app, issuer) })
    },
  )
}

/** Returns the redirect URL with `access_denied`, or `undefined` as `loadConsent` does. */
export function denyConsent(ports: Ports, authorizationId: string): Promise<string | undefined> {
  return decideOnce(ports, authorizationId, async (_, { redirect_uri, state }, app) =>
    buildRedirectUrl(redirect_uri, {
      error: 'access_denied',
      state,
      issuer: getClientIssuer(app, ports.issuer),
    }),
  )
}

/** Runs `decide` for the first of several concurrent decisions: its transaction deletes the authorization. */
async function decideOnce<T>(
  { storage, now }: Ports,
  authorizationId: string,
  decide: (tx: Transaction, authorization: Authorization, app: App, at: Instant) => Promise<T>,
): Promise<T | undefined> {
  return storage.transact(async (tx) => {
    const authorization = await findById(tx.authorizations, authorizationId, 'getForUpdate')
    const at = now()
    const app = authorization && (await findRequestingApp(tx, authorization, at))
    if (!app) return undefined
    const decision = await decide(tx, authorization, app, at)
    await tx.authorizations.hardDelete(authorization.id)
    return decision
  })
}

/**
 * Returns the app if the authorization is valid and the app may still have the redirect URI and the scopes.
 */
async function findRequestingApp(
  tx: Transaction,
  authorization: Authorization,
  at: Instant,
): Promise<App | undefined> {
  if (authorization.expires_at <= at) return undefined
  const app = await tx.apps.get(authorization.client_id)
  if (!app?.active || !isRedirectUriAllowed(app, authorization.redirect_uri)) return undefined
  const allowedScopes = getAllowedScopes(app, authorization.audience)
  return authorization.scopes.every((scope) => allowedScopes.includes(scope)) ? app : undefined
}
