import { invalidRequest } from '../../../kernel/errors.ts'
import type { App } from '../../../schema/app.ts'
import type { Audience } from '../../../schema/grant.ts'
import { isPublicClient } from '../public-clients/public-client.ts'
import { getAudienceUrl } from '../tokens/access-token-claims.ts'

/**
 * Returns the audience that a `resource` parameter requests (RFC 8707): `widest` if it is absent. `interface`
 * can be narrowed to `mcp`.
 * @param widest the widest audience allowed
 * @throws CrmError `invalid_request`
 */
export function resolveAudience(
  resource: string | undefined,
  issuer: string,
  widest: Audience,
  app: Pick<App, 'kind'>,
): Audience {
  if (resource === undefined) return widest
  const allowed: readonly Audience[] = widest === 'interface' ? ['interface', 'mcp'] : ['mcp']
  const url = resource.replace(/\/$/, '')
  const audience = allowed.find((candidate) => url === getAudienceUrl(candidate, issuer))
  if (audience) return audience
  // Some public clients send the origin of `/mcp`, the only audience they get tokens for.
  if (isPublicClient(app) && (url === issuer || url === originOf(issuer))) return 'mcp'
  const rule = `Must be ${allowed.map((candidate) => getAudienceUrl(candidate, issuer)).join(' or ')}.`
  throw invalidRequest(
    'The resource is none that tokens are given for here.',
    { resource: rule },
    'invalid_target',
  )
}

function originOf(issuer: string): string {
  return /^https?:\/\/[^/]+/.exec(issuer)?.[0] ?? issuer
}
