import * as v from 'valibot'
import { SCOPES } from '../../../kernel/actor.ts'
import type { App } from '../../../schema/app.ts'
import { redirectUri } from '../server/redirect-uri.ts'

/**
 * What a program asks for that says nothing of scopes: all that the tools at `/mcp` make use of, since who is asked sees each of them.
 * The others are for webhooks, which no tool makes.
 */
export const DEFAULT_SCOPES: readonly string[] = SCOPES.filter((scope) => !scope.startsWith('webhooks:'))

/** Whether nobody registered it by hand: it has no secret, an issuer of its own, and its tokens are for `/mcp` alone. */
export function isPublicClient({ kind }: Pick<App, 'kind'>): boolean {
  return kind !== 'confidential'
}

/** Who answers the app, as the app knows it: `iss` of its redirects. */
export function getClientIssuer(app: Pick<App, 'kind'>, issuer: string): string {
  return isPublicClient(app) ? `${issuer}/mcp` : issuer
}

/** What the app may ask for. A program may ask for anything: to register with more would cost it nothing. */
export function getAllowedScopes(app: Pick<App, 'kind' | 'scopes'>): readonly string[] {
  return isPublicClient(app) ? SCOPES : app.scopes
}

const LOOPBACK = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(?=[/?]|$)/

/**
 * Whether a code may be sent there: to a registered address, to the letter. A program on somebody's machine listens on whatever port is
 * free, so that the port of its loopback addresses does not count (RFC 8252, section 7.3).
 */
export function isRedirectUriAllowed(app: Pick<App, 'kind' | 'redirect_uris'>, uri: string): boolean {
  if (app.redirect_uris.includes(uri)) return true
  if (!isPublicClient(app) || !LOOPBACK.test(uri) || !v.is(redirectUri, uri)) return false
  return app.redirect_uris.some((each) => LOOPBACK.test(each) && stripPort(each) === stripPort(uri))
}

function stripPort(uri: string): string {
  return uri.replace(LOOPBACK, '$1')
}
