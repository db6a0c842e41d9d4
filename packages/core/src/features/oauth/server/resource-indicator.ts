import { invalidRequest } from '../../../kernel/errors.ts'
import type { Audience } from '../../../schema/grant.ts'
import { getAudienceUrl } from '../tokens/access-token-claims.ts'

/**
 * What a `resource` parameter asks for (RFC 8707). Left out it is all there is to have; what is for the whole interface may be asked for
 * `/mcp` alone.
 * @param widest all there is to have
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
