import { type Crm, CrmError } from '@sales-crm/core'
import { Hono, type HonoRequest } from 'hono'
import type { AppEnv } from '../http/app-env.ts'
import { basePathOf } from '../http/base-path.ts'
import { handleErrors } from '../http/middleware/handle-errors.ts'
import { redirect } from '../http/page-response.ts'
import type { ErrorFormat } from '../http/response.ts'
import { parseQueryParameters, readForm } from '../http/urlencoded-form.ts'
import { usesBasicAuth } from './basic-auth.ts'
import type { EndpointLimits } from './endpoint-limits.ts'
import { metadataResponse, NO_CACHE_HEADERS } from './metadata-response.ts'
import { readOAuthJson } from './oauth-body.ts'
import { oauthErrorOrPage, oauthErrorResponse } from './oauth-error-response.ts'
import { publicClientServerMetadata, toolsResourceMetadata } from './server-metadata.ts'

/**
 * The endpoints of the issuer `{base_url}/mcp`, for public clients. Errors have the format of RFC 6749.
 */
export function publicClientRoutes(
  { oauth }: Pick<Crm, 'oauth'>,
  issuer: string,
  { byAddress, byEndpoint, byRegistration }: EndpointLimits,
): Hono<AppEnv> {
  const basePath = basePathOf(issuer)
  const { publicClients } = oauth

  const authorization = new Hono<AppEnv>()
    .onError(handleErrors(oauthErrorOrPage(basePath)))
    .get('/authorize', byEndpoint, async (c) => {
      const id = await publicClients.beginAuthorization(parseQueryParameters(c.req.url))
      return redirect(`${basePath}/oauth/consent?request=${id}`)
    })

  const tokens = new Hono<AppEnv>()
    .onError(handleErrors((error, c) => oauthErrorResponse(error, c)))
    .post('/token', byEndpoint, async (c) => {
      rejectBasicAuth(c.req)
      return c.json(await publicClients.token(await readForm(c.get('body'))), 200, NO_CACHE_HEADERS)
    })
    .post('/revoke', byEndpoint, async (c) => {
      rejectBasicAuth(c.req)
      await publicClients.revoke(await readForm(c.get('body')))
      return c.body(null, 200, NO_CACHE_HEADERS)
    })

  const registration = new Hono<AppEnv>()
    .onError(handleErrors(formatRegistrationError))
    .post('/register', byRegistration, async (c) =>
      c.json(await publicClients.register(await readOAuthJson(c.get('body'))), 201, NO_CACHE_HEADERS),
    )

  const routes = new Hono<AppEnv>()
    .route('/mcp', authorization)
    .route('/mcp', tokens)
    .route('/mcp', registration)
  for (const path of serverMetadataPaths(basePath))
    routes.get(path, byAddress, () => metadataResponse(publicClientServerMetadata(issuer)))
  for (const path of new Set(['', basePath]))
    routes.get(`/.well-known/oauth-protected-resource${path}/mcp`, byAddress, () =>
      metadataResponse(toolsResourceMetadata(issuer)),
    )
  return routes
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
    'A program has no secret: it sends its client_id in the form, and no HTTP Basic.',
  )
}

const formatRegistrationError: ErrorFormat = (error, c) => {
  const isMetadata = error.code === 'invalid_request' && error.rfcCode === undefined
  return oauthErrorResponse(error, c, isMetadata ? 'invalid_client_metadata' : undefined)
}
