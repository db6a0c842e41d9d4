import { type Crm, CrmError } from '@sales-crm/core'
import type { HonoRequest } from 'hono'
import { basePathOf } from '../http/base-path.ts'
import { redirect } from '../http/page-response.ts'
import { createdResponse, type Rejection } from '../http/response.ts'
import { parseQueryParameters, readForm } from '../http/urlencoded-form.ts'
import { usesBasicAuth } from './basic-auth.ts'
import { readOAuthJson } from './oauth-body.ts'
import { oauthErrorResponse, oauthErrorResponseOrPage } from './oauth-error-response.ts'
import { metadataResponse, NO_CACHE_HEADERS, type OAuthRoute } from './oauth-routes.ts'
import { publicClientServerMetadata, toolsResourceMetadata } from './server-metadata.ts'

/** The issuer `{base_url}/mcp`, for programs that nobody registers by hand. Its errors have the shape of RFC 6749. */
export function publicClientRoutes({ oauth }: Pick<Crm, 'oauth'>, issuer: string): readonly OAuthRoute[] {
  const basePath = basePathOf(issuer)
  const { publicClients: programs } = oauth
  const serverMetadataPaths = [...new Set(['', basePath])].map(
    (path) => `/.well-known/oauth-authorization-server${path}/mcp`,
  )
  const resourceMetadataPaths = [...new Set(['', basePath])].map(
    (path) => `/.well-known/oauth-protected-resource${path}/mcp`,
  )
  // Where a proxy passes on what is below the public address alone, clients find it at the last of the places they look at.
  const fallbackPaths = [
    '/mcp/.well-known/oauth-authorization-server',
    '/mcp/.well-known/openid-configuration',
  ]
  return [
    {
      method: 'GET',
      path: '/mcp/authorize',
      limit: 'OAUTH',
      reject: (error, request, requestId) => oauthErrorResponseOrPage(error, request, requestId, basePath),
      handler: async ({ url }) =>
        redirect(
          `${basePath}/oauth/consent?request=${await programs.beginAuthorization(parseQueryParameters(url))}`,
        ),
    },
    {
      method: 'POST',
      path: '/mcp/token',
      limit: 'OAUTH',
      reject: oauthErrorResponse,
      async handler(request) {
        rejectBasicAuth(request)
        return {
          status: 200,
          body: await programs.token(await readForm(request.raw)),
          headers: NO_CACHE_HEADERS,
        }
      },
    },
    {
      method: 'POST',
      path: '/mcp/revoke',
      limit: 'OAUTH',
      reject: oauthErrorResponse,
      async handler(request) {
        rejectBasicAuth(request)
        await programs.revoke(await readForm(request.raw))
        return { status: 200, headers: NO_CACHE_HEADERS }
      },
    },
    {
      method: 'POST',
      path: '/mcp/register',
      limit: 'REGISTER',
      reject: rejectRegistration,
      handler: async ({ raw }) =>
        createdResponse(await programs.register(await readOAuthJson(raw)), NO_CACHE_HEADERS),
    },
    ...[...serverMetadataPaths, ...fallbackPaths].map(
      (path): OAuthRoute => ({
        method: 'GET',
        path,
        handler: async () => metadataResponse(publicClientServerMetadata(issuer)),
      }),
    ),
    ...resourceMetadataPaths.map(
      (path): OAuthRoute => ({
        method: 'GET',
        path,
        handler: async () => metadataResponse(toolsResourceMetadata(issuer)),
      }),
    ),
  ]
}

/** @throws CrmError `invalid_client` */
function rejectBasicAuth(request: HonoRequest): void {
  if (!usesBasicAuth(request.header('Authorization'))) return
  throw new CrmError(
    'invalid_client',
    'A program has no secret: it sends its client_id in the form, and no HTTP Basic.',
  )
}

const rejectRegistration: Rejection = (error, request, requestId) => {
  const isMetadata = error.code === 'invalid_request' && error.rfcCode === undefined
  return oauthErrorResponse(error, request, requestId, isMetadata ? 'invalid_client_metadata' : undefined)
}
