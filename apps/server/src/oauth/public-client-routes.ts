import { type Crm, CrmError } from '@sales-crm/core'
import type { HonoRequest } from 'hono'
import { basePathOf } from '../http/base-path.ts'
import { redirect } from '../http/page-response.ts'
import type { ErrorFormat } from '../http/response.ts'
import type { OpenRoute } from '../http/routes/route.ts'
import { parseQueryParameters, readForm } from '../http/urlencoded-form.ts'
import { usesBasicAuth } from './basic-auth.ts'
import { metadataResponse, NO_CACHE_HEADERS } from './metadata-response.ts'
import { readOAuthJson } from './oauth-body.ts'
import { oauthErrorOrPage, oauthErrorResponse } from './oauth-error-response.ts'
import { publicClientServerMetadata, toolsResourceMetadata } from './server-metadata.ts'

/**
 * The endpoints of the issuer `{base_url}/mcp`, for public clients. Errors have the format of RFC 6749. Clients find
 * them by their metadata: the OpenAPI document, which describes the API, leaves them out.
 */
export function publicClientRoutes({ oauth }: Pick<Crm, 'oauth'>, issuer: string): readonly OpenRoute[] {
  const basePath = basePathOf(issuer)
  const { publicClients } = oauth
  const metadata = { method: 'GET', access: 'nobody', limitedBy: 'address' } as const
  return [
    {
      ...{ method: 'GET', path: '/mcp/authorize', access: 'nobody', limitedBy: 'OAUTH' },
      formatError: oauthErrorOrPage(basePath),
      async handle(c) {
        const id = await publicClients.beginAuthorization(parseQueryParameters(c.req.url))
        return redirect(`${basePath}/oauth/consent?request=${id}`)
      },
    },
    {
      ...{ method: 'POST', path: '/mcp/token', access: 'nobody', limitedBy: 'OAUTH' },
      formatError: (error, c) => oauthErrorResponse(error, c),
      async handle(c) {
        rejectBasicAuth(c.req)
        return c.json(await publicClients.token(await readForm(c.get('body'))), 200, NO_CACHE_HEADERS)
      },
    },
    {
      ...{ method: 'POST', path: '/mcp/revoke', access: 'nobody', limitedBy: 'OAUTH' },
      formatError: (error, c) => oauthErrorResponse(error, c),
      async handle(c) {
        rejectBasicAuth(c.req)
        await publicClients.revoke(await readForm(c.get('body')))
        return c.body(null, 200, NO_CACHE_HEADERS)
      },
    },
    {
      ...{ method: 'POST', path: '/mcp/register', access: 'nobody', limitedBy: 'REGISTER' },
      formatError: formatRegistrationError,
      handle: async (c) =>
        c.json(await publicClients.register(await readOAuthJson(c.get('body'))), 201, NO_CACHE_HEADERS),
    },
    ...serverMetadataPaths(basePath).map((path) => ({
      ...metadata,
      path,
      handle: () => metadataResponse(publicClientServerMetadata(issuer)),
    })),
    ...[...new Set(['', basePath])].map((path) => ({
      ...metadata,
      path: `/.well-known/oauth-protected-resource${path}/mcp`,
      handle: () => metadataResponse(toolsResourceMetadata(issuer)),
    })),
  ]
}

/**
 * Behind a proxy that forwards only paths below the public URL, clients find the metadata at the last two,
 * which they try last.
 */
function serverMetadataPaths(basePath: string): readonly string[] {
  return [
    ...[...new Set(['', basePath])].map((path) => `/.well-known/oauth-authorization-server${path}/mcp`),
    '/mcp/.well-known/oauth-authorization-server',
    '/mcp/.well-known/openid-configuration',
  ]
}

/** @throws CrmError `invalid_client` */
function rejectBasicAuth(request: HonoRequest): void {
  if (!usesBasicAuth(request.header('Authorization'))) return
  throw new CrmError(
    'invalid_client',
    'A public client has no secret: it sends its client_id in the form, and no HTTP Basic.',
  )
}

const formatRegistrationError: ErrorFormat = (error, c) => {
  const isMetadata = error.code === 'invalid_request' && error.rfcCode === undefined
  return oauthErrorResponse(error, c, isMetadata ? 'invalid_client_metadata' : undefined)
}
