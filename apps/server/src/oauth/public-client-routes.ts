import { type Crm, CrmError } from '@sales-crm/core'
import type { HonoRequest } from 'hono'
import { basePathOf } from '../http/base-path.ts'
import { redirect } from '../http/page-response.ts'
import { createdResponse, type Rejection } from '../http/response.ts'
import { parseQueryParameters, readForm } from '../http/urlencoded-form.ts'
import { usesBasicAuth } from './basic-auth.ts'
import { readOAuthJson } from './oauth-body.ts'
import { oauthErrorResponse, oauthErrorResponseOrPage } from './oauth-error-response.ts'
import { metadataResponse, NO_CACHE_HEADERS, type OAuthRoute } from './oauth-route.ts'
import { publicClientServerMetadata, toolsResourceMetadata } from './server-metadata.ts'

/**
 * Returns the endpoints of the issuer `{base_url}/mcp`, for public clients. Errors have the format of RFC
 * 6749.
 */
export function publicClientRoutes({ oauth }: Pick<Crm, 'oauth'>, issuer: string): readonly OAuthRoute[] {
  const basePath = basePathOf(issuer)
  const { publicClients } = oauth
  const serverMetadataPaths = [...new Set(['', basePath])].map(
    (path) => `/.well-known/oauth-authorization-server${path}/mcp`,
  )
  const resourceMetadataPaths = [...new Set(['', basePath])].map(
    (path) => `/.well-known/oauth-protected-resource${path}/mcp`,
  )
  // Behind a proxy that forwards only paths below the public URL, clients find the metadata at these paths,
  // which they try last.
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
      async handler({ url }) {
        const id = await publicClients.beginAuthorization(parseQueryParameters(url))
        return redirect(`${basePath}/oauth/consent?request=${id}`)
      },
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
          body: await publicClients.token(await readForm(request.raw)),
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
        await publicClients.revoke(await readForm(request.raw))
        return { status: 200, headers: NO_CACHE_HEADERS }
      },
    },
    {
      method: 'POST',
      path: '/mcp/register',
      limit: 'REGISTER',
      reject: rejectRegistration,
      handler: async ({ raw }) =>
        createdResponse(await publicClients.register(await readOAuthJson(raw)), NO_CACHE_HEADERS),
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
