import { invalidRequest } from '../../../kernel/errors.ts'
import type { Audience } from '../../../schema/grant.ts'
import { getAudienceUrl } from '../tokens/access-token-claims.ts'

/**
 * Returns the audience that a `resource` parameter requests (RFC 8707): `widest` if it is absent. `interface`
 * can be narrowed to `mcp`.
 * @param widest the widest audience allowed
 * @throws CrmError `invalid_request`
 */
export function resolveAudience(resource: string | undefined, issuer: string, widest: Audience): Audience {
  if (resource === undefined) return widest
  const allowed: readonly Audience[] = widest === 'interface' ? ['interface', 'mcp'] : ['mcp']
  const audience = allowed.find(
    (candidate) =>
      resource === getAudienceUrl(candidate, issuer) ||
      (candidate === 'interface' && resource === `${issuer}/`),
  )
  if (audience) return audience
  const rule = `Must be ${allowed.map((candidate) => getAudienceUrl(candidate, issuer)).join(' or ')}.`
  throw invalidRequest(
    'The resource is none that tokens are given for here.',
    { resource: rule },
    'invalid_target',
  )
}
