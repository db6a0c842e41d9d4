import type { Crm, RequestOrigin } from '@sales-crm/core'
import type { Context } from 'hono'
import { acceptsHtml } from '../http/accept-header.ts'
import type { AppEnv } from '../http/app-env.ts'
import { basePathOf } from '../http/base-path.ts'
import { redirect } from '../http/page-response.ts'
import { type ErrorFormat, errorResponse } from '../http/response.ts'
import type { OpenRoute } from '../http/routes/route.ts'
import { parseQueryParameters, readForm } from '../http/urlencoded-form.ts'
import * as operations from '../openapi/oauth-operations.ts'
import { errorPageResponse } from '../pages/error-page-response.ts'
import { negotiateLanguage } from '../pages/translations/accept-language.ts'
import { BASIC_CHALLENGE, parseBasicCredentials, usesBasicAuth } from './basic-auth.ts'
import { metadataResponse, NO_CACHE_HEADERS } from './metadata-response.ts'
import { readFormOrJson, readOAuthJson } from './oauth-body.ts'
import { authorizationServerMetadata, protectedResourceMetadata } from './server-metadata.ts'

const REVOKE_PARAMETERS = ['token', 'token_type_hint', 'client_id', 'client_secret']

/** The endpoints of the authorization server for registered apps. None requires a bearer token. */
export function oauthRoutes({ oauth }: Pick<Crm, 'oauth'>, issuer: string): readonly OpenRoute[] {
  return [...authorizationRoutes(oauth, issuer), ...registrationRoutes(oauth), ...metadataRoutes(issuer)]
}

function authorizationRoutes(oauth: Crm['oauth'], issuer: string): readonly OpenRoute[] {
  const basePath = basePathOf(issuer)
  return [
    {
      ...{ method: 'GET', path: '/oauth/authorize', access: 'nobody', limitedBy: 'OAUTH' },
      ...{ operation: operations.AUTHORIZE, formatError: errorOrPage(basePath) },
      async handle(c) {
        const id = await oauth.beginAuthorization(parseQueryParameters(c.req.url))
        return redirect(`${basePath}/oauth/consent?request=${id}`)
      },
    },
    {
      ...{ method: 'POST', path: '/oauth/token', access: 'client', limitedBy: 'OAUTH' },
      ...{ operation: operations.TOKEN, formatError: formatClientError },
      async handle(c) {
        const parameters = await readForm(c.get('body'))
        const credentials = parseBasicCredentials(c.req.header('Authorization'))
        return c.json(await oauth.token(parameters, credentials), 200, NO_CACHE_HEADERS)
      },
    },
    {
      ...{ method: 'POST', path: '/oauth/revoke', access: 'client', limitedBy: 'OAUTH' },
      ...{ operation: operations.REVOKE, formatError: formatClientError },
      async handle(c) {
        const parameters = await readFormOrJson(c.get('body'), REVOKE_PARAMETERS)
        await oauth.revoke(parameters, parseBasicCredentials(c.req.header('Authorization')))
        return c.json({ data: { revoked: true } })
      },
    },
  ]
}

function registrationRoutes(oauth: Crm['oauth']): readonly OpenRoute[] {
  return [
    {
      ...{ method: 'POST', path: '/v1/auth/register-app', access: 'nobody', limitedBy: 'REGISTER' },
      operation: operations.REGISTER_APP,
      handle: async (c) =>
        c.json({ data: await oauth.registerApp(await readOAuthJson(c.get('body')), originOf(c)) }, 201),
    },
    {
      ...{ method: 'POST', path: '/v1/auth/rotate-app', access: 'nobody', limitedBy: 'REGISTER' },
      operation: operations.ROTATE_APP,
      async handle(c) {
        const data = await oauth.rotateApp(await readOAuthJson(c.get('body')), originOf(c))
        c.set('logMessage', `The secret of app ${data.client_id} was ended, from ${c.get('address')()}.`)
        return c.json({ data })
      },
    },
  ]
}

/**
 * If the public URL has a path, most clients append it to the metadata path, but some request the metadata at the root
 * (RFC 8414 and 9728, section 3.1).
 */
function metadataRoutes(issuer: string): readonly OpenRoute[] {
  const server: Pick<OpenRoute, 'operation' | 'handle'> = {
    operation: operations.SERVER_METADATA,
    handle: () => metadataResponse(authorizationServerMetadata(issuer)),
  }
  const resource: Pick<OpenRoute, 'operation' | 'handle'> = {
    operation: operations.RESOURCE_METADATA,
    handle: () => metadataResponse(protectedResourceMetadata(issuer)),
  }
  const basePath = basePathOf(issuer)
  const open = { method: 'GET', access: 'nobody', limitedBy: 'address' } as const
  return [
    { ...open, ...server, path: '/.well-known/oauth-authorization-server' },
    { ...open, ...resource, path: '/.well-known/oauth-protected-resource' },
    ...(basePath === ''
      ? []
      : [
          { ...open, handle: server.handle, path: `/.well-known/oauth-authorization-server${basePath}` },
          { ...open, handle: resource.handle, path: `/.well-known/oauth-protected-resource${basePath}` },
        ]),
  ]
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
