import { invalidRequest } from '../errors.ts'
import { type Audience, audienceUrl } from './access-token.ts'

/**
 * What a `resource` parameter asks for (RFC 8707). Left out it is all there is to have; what is for the whole interface may be asked for
 * `/mcp` alone.
 * @param widest all there is to have
 * @throws CrmError `invalid_request`
 */
export function audienceAsked(resource: string | undefined, issuer: string, widest: Audience): Audience {
  if (resource === undefined) return widest
  const open: readonly Audience[] = widest === 'interface' ? ['interface', 'mcp'] : ['mcp']
  const asked = open.find((each) => resource === audienceUrl(each, issuer) || (each === 'interface' && resource === `${issuer}/`))
  if (asked) return asked
  const rule = `Must be ${open.map((each) => audienceUrl(each, issuer)).join(' or ')}.`
  throw invalidRequest('The resource is none that tokens are given for here.', { resource: rule }, 'invalid_target')
}
