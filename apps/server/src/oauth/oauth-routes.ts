import type { Crm, RequestOrigin } from '@sales-crm/core'
import { type Context, Hono } from 'hono'
import { acceptsHtml } from '../http/accept-header.ts'
import type { AppEnv } from '../http/app-env.ts'
import { basePathOf } from '../http/base-path.ts'
import { handleErrors } from '../http/middleware/handle-errors.ts'
import { redirect } from '../http/page-response.ts'
import { type ErrorFormat, errorResponse } from '../http/response.ts'
import { parseQueryParameters, readForm } from '../http/urlencoded-form.ts'
import { errorPageResponse } from '../pages/error-page-response.ts'
import { negotiateLanguage } from '../pages/translations/accept-language.ts'
import { BASIC_CHALLENGE, parseBasicCredentials, usesBasicAuth } from './basic-auth.ts'
import type { EndpointLimits } from './endpoint-limits.ts'
import { metadataResponse, NO_CACHE_HEADERS } from './metadata-response.ts'
import { readFormOrJson, readOAuthJson } from './oauth-body.ts'
import { authorizationServerMetadata, protectedResourceMetadata } from './server-metadata.ts'

const REVOKE_PARAMETERS = ['token', 'token_type_hint', 'client_id', 'client_secret']

/** The endpoints of the authorization server for registered apps. None requires a bearer token. */
export function oauthRoutes(
  { oauth }: Pick<Crm, 'oauth'>,
  issuer: string,
  { byAddress, byEndpoint, byRegistration }: EndpointLimits,
): Hono<AppEnv> {
  const basePath = basePathOf(issuer)

  const authorization = new Hono<AppEnv>()
    .onError(handleErrors(errorOrPage(basePath)))
    .get('/authorize', byEndpoint, async (c) => {
      const id = await oauth.beginAuthorization(parseQueryParameters(c.req.url))
      return redirect(`${basePath}/oauth/consent?request=${id}`)
    })

  const tokens = new Hono<AppEnv>()
    .onError(handleErrors(formatClientError))
    .post('/token', byEndpoint, async (c) => {
      const parameters = await readForm(c.get('body'))
      const credentials = parseBasicCredentials(c.req.header('Authorization'))
      return c.json(await oauth.token(parameters, credentials), 200, NO_CACHE_HEADERS)
    })
    .post('/revoke', byEndpoint, async (c) => {
      const parameters = await readFormOrJson(c.get('body'), REVOKE_PARAMETERS)
      await oauth.revoke(parameters, parseBasicCredentials(c.req.header('Authorization')))
      return c.json({ data: { revoked: true } })
    })

  const registration = new Hono<AppEnv>()
    .post('/register-app', byRegistration, async (c) =>
      c.json({ data: await oauth.registerApp(await readOAuthJson(c.get('body')), originOf(c)) }, 201),
    )
    .post('/rotate-app', byRegistration, async (c) => {
      const data = await oauth.rotateApp(await readOAuthJson(c.get('body')), originOf(c))
      c.set('notice', `The secret of app ${data.client_id} was ended, from ${c.get('address')()}.`)
      return c.json({ data })
    })

  const routes = new Hono<AppEnv>()
    .route('/oauth', authorization)
    .route('/oauth', tokens)
    .route('/v1/auth', registration)
  // If the public URL has a path, most clients append it to the metadata path, but some request the
  // metadata at the root (RFC 8414 and 9728, section 3.1).
  for (const path of new Set(['', basePath]))
    routes
      .get(`/.well-known/oauth-authorization-server${path}`, byAddress, () =>
        metadataResponse(authorizationServerMetadata(issuer)),
      )
      .get(`/.well-known/oauth-protected-resource${path}`, byAddress, () =>
        metadataResponse(protectedResourceMetadata(issuer)),
      )
  return routes
}

function originOf(c: Context<AppEnv>): RequestOrigin {
  return {
    address: c.get('address')(),
    language: negotiateLanguage(c.req.header('Accept-Language')),
    isRateLimited: c.get('rateLimit') != null,
  }
}

function errorOrPage(basePath: string): ErrorFormat {
  return (error, c) =>
    acceptsHtml(c.req.header('Accept'))
      ? errorPageResponse(error, c, basePath)
      : errorResponse(error, c.get('requestId'))
}

/** Sends the challenge of the authentication scheme that the client used. */
const formatClientError: ErrorFormat = (error, c) =>
  errorResponse(
    error,
    c.get('requestId'),
    usesBasicAuth(c.req.header('Authorization')) ? BASIC_CHALLENGE : undefined,
  )
