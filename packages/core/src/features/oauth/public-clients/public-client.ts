import * as v from 'valibot'
import type { App } from '../../../schema/app.ts'
import type { Audience } from '../../../schema/grant.ts'
import { redirectUri } from '../server/redirect-uri.ts'

/**
 * Default scopes of a public client: every scope the tools at `/mcp` use. The consent page lists each of
 * them. A new scope is added here only if a tool uses it.
 */
export const DEFAULT_SCOPES: readonly string[] = [
  ...['people:read', 'people:write', 'companies:read', 'companies:write', 'deals:read', 'deals:write'],
  ...['tasks:read', 'tasks:write', 'activities:read', 'activities:write', 'products:read', 'products:write'],
  ...['tags:read', 'tags:write', 'lists:read', 'lists:write', 'custom_fields:read', 'custom_fields:write'],
  'members:read',
]

/** The scopes that a token for `/mcp` may have, and so all that a public client may request. */
export const MCP_SCOPES: readonly string[] = [...DEFAULT_SCOPES, 'webhooks:manage', 'webhooks:read']

/** Returns whether the app is a public client: no secret, a separate issuer, and tokens for `/mcp` only. */
export function isPublicClient({ kind }: Pick<App, 'kind'>): boolean {
  return kind !== 'confidential'
}

/** Returns the issuer identifier of the app: `iss` of its redirects (RFC 9207). */
export function getClientIssuer(app: Pick<App, 'kind'>, issuer: string): string {
  return isPublicClient(app) ? `${issuer}/mcp` : issuer
}

/**
 * Returns the scopes the app may request. A public client may request any of `/mcp`: it could register again
 * with more.
 */
export function getAllowedScopes(app: Pick<App, 'kind' | 'scopes'>, audience: Audience): readonly string[] {
  if (isPublicClient(app)) return MCP_SCOPES
  return audience === 'mcp' ? app.scopes.filter((scope) => MCP_SCOPES.includes(scope)) : app.scopes
}

/** Scopes of OpenID Connect, which clients request everywhere. They grant nothing here. */
const IDENTITY_SCOPES = ['offline_access', 'openid', 'email', 'profile']

/** The requested scopes of a public client; undefined if only scopes remain that grant nothing. */
export function dropIdentityScopes(scope: string | undefined): string | undefined {
  const scopes = scope?.split(' ').filter((name) => !IDENTITY_SCOPES.includes(name))
  return scopes && scopes.length > 0 ? scopes.join(' ') : undefined
}

const LOOPBACK = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(?=[/?]|$)/

/**
 * Returns whether a code may be sent to `uri`, which must equal a registered URI exactly. For a public client
 * the port of a loopback URI is ignored, because a native app listens on any free port (RFC 8252, section
 * 7.3).
 */
export function isRedirectUriAllowed(app: Pick<App, 'kind' | 'redirect_uris'>, uri: string): boolean {
  if (app.redirect_uris.includes(uri)) return true
  if (!isPublicClient(app) || !LOOPBACK.test(uri) || !v.is(redirectUri, uri)) return false
  return app.redirect_uris.some(
    (registered) => LOOPBACK.test(registered) && stripPort(registered) === stripPort(uri),
  )
}

function stripPort(uri: string): string {
  return uri.replace(LOOPBACK, '$1')
}
