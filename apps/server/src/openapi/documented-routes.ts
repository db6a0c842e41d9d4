import type { Crm } from '@sales-crm/core'
import { apiRoutes } from '../http/routes/api-routes.ts'
import { FILE_PATH } from '../http/routes/file-route.ts'
import type { Route } from '../http/routes/route.ts'
import type { DocumentedOAuthRoute } from '../oauth/oauth-route.ts'
import { oauthRoutes } from '../oauth/oauth-routes.ts'
import type { DocumentedRoute, LimitedBy } from './documented-route.ts'
import type { Operation } from './operation.ts'
import { GET_DOCUMENT, GET_FILE, GET_HEALTH, GET_READINESS } from './service-operations.ts'

const CLIENT_AUTHENTICATED_PATHS: ReadonlySet<string> = new Set(['/oauth/token', '/oauth/revoke'])

/** Returns all documented routes, in the order of the document. */
export function documentedRoutes(crm: Crm, issuer: string): readonly DocumentedRoute[] {
  return [
    ...apiRoutes(crm).map(fromApiRoute),
    ...oauthRoutes(crm, issuer).flatMap(fromOAuthRoute),
    serviceRoute(FILE_PATH, GET_FILE, 'address'),
    serviceRoute('/openapi.json', GET_DOCUMENT, 'address'),
    serviceRoute('/healthz', GET_HEALTH, null),
    serviceRoute('/readyz', GET_READINESS, null),
  ]
}

function fromApiRoute({ method, path, operation, scope, alternativeScope }: Route): DocumentedRoute {
  return { method, path, operation, access: { scope, alternativeScope }, limitedBy: 'app' }
}

function fromOAuthRoute({
  method,
  path,
  operation,
  limit,
}: DocumentedOAuthRoute): readonly DocumentedRoute[] {
  if (operation === null) return []
  return [
    {
      method,
      path,
      operation,
      access: CLIENT_AUTHENTICATED_PATHS.has(path) ? 'client' : 'nobody',
      limitedBy: limit ?? 'address',
    },
  ]
}

function serviceRoute(path: string, operation: Operation, limitedBy: LimitedBy): DocumentedRoute {
  return { method: 'GET', path, operation, access: 'nobody', limitedBy }
}
