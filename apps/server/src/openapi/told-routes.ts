import type { Crm } from '@sales-crm/core'
import { FILE_PATH } from '../file-route.ts'
import { oauthRoutes, type ToldOAuthRoute } from '../oauth/routes.ts'
import { apiRoutes, type Route } from '../routes.ts'
import type { Operation } from './operation.ts'
import { GET_DOCUMENT, GET_FILE, GET_HEALTH, GET_READINESS } from './service-operations.ts'
import type { Counted, ToldRoute } from './told-route.ts'

/** Clients authenticate there. */
const BY_CLIENTS: ReadonlySet<string> = new Set(['/oauth/token', '/oauth/revoke'])

/** Every route that the document tells of, in the order of the document. */
export function toldRoutes(crm: Crm, issuer: string): readonly ToldRoute[] {
  return [
    ...apiRoutes(crm).map(byToken),
    ...oauthRoutes(crm, issuer).flatMap(openly),
    get(FILE_PATH, GET_FILE, 'address'),
    get('/openapi.json', GET_DOCUMENT, 'address'),
    get('/healthz', GET_HEALTH, null),
    get('/readyz', GET_READINESS, null),
  ]
}

function byToken({ method, path, about, scope, orScope }: Route): ToldRoute {
  return { method, path, about, access: { scope, orScope }, counted: 'app' }
}

function openly({ method, path, about, limit }: ToldOAuthRoute): readonly ToldRoute[] {
  if (about === null) return []
  return [{ method, path, about, access: BY_CLIENTS.has(path) ? 'client' : 'nobody', counted: limit ?? 'address' }]
}

function get(path: string, about: Operation, counted: Counted): ToldRoute {
  return { method: 'GET', path, about, access: 'nobody', counted }
}
