import type { Crm } from '@sales-crm/core'
import { acceptsHtml } from '../http/accept-header.ts'
import { basePathOf } from '../http/base-path.ts'
import { redirect } from '../http/page-response.ts'
import { createdResponse, errorResponse, okResponse, type Rejection } from '../http/response.ts'
import { parseQueryParameters, readForm } from '../http/urlencoded-form.ts'
import {
  AUTHORIZE,
  REGISTER_APP,
  RESOURCE_METADATA,
  REVOKE,
  ROTATE_APP,
  SERVER_METADATA,
  TOKEN,
} from '../openapi/oauth-operations.ts'
import { errorPageResponse } from '../pages/error-page-response.ts'
import { BASIC_CHALLENGE, parseBasicCredentials, usesBasicAuth } from './basic-auth.ts'
import { readFormOrJson, readOAuthJson } from './oauth-body.ts'
import { type DocumentedOAuthRoute, metadataResponse, NO_CACHE_HEADERS } from './oauth-route.ts'
import { authorizationServerMetadata, protectedResourceMetadata } from './server-metadata.ts'

const REVOKE_PARAMETERS = ['token', 'token_type_hint', 'client_id', 'client_secret']

/** Returns the endpoints of the authorization server for registered apps. None requires a bearer token. */
export function oauthRoutes({ oauth }: Pick<Crm, 'oauth'>, issuer: string): readonly DocumentedOAuthRoute[] {
  const basePath = basePathOf(issuer)
  return [
    {
      method: 'GET',
      path: '/oauth/authorize',
      limit: 'OAUTH',
      operation: AUTHORIZE,
      reject: (error, request, requestId) =>
        acceptsHtml(request.header('Accept'))
          ? errorPageResponse(error, request, requestId, basePath)
          : undefined,
      async handler({ url }) {
        const id = await oauth.beginAuthorization(parseQueryParameters(url))
        return redirect(`${basePath}/oauth/consent?request=${id}`)
      },
    },
    {
      method: 'POST',
      path: '/oauth/token',
      limit: 'OAUTH',
      operation: TOKEN,
      reject: rejectClient,
      async handler(request) {
        const parameters = await readForm(request.raw)
        const body = await oauth.token(parameters, parseBasicCredentials(request.header('Authorization')))
        return { status: 200, body, headers: NO_CACHE_HEADERS }
      },
    },
    {
      method: 'POST',
      path: '/oauth/revoke',
      limit: 'OAUTH',
      operation: REVOKE,
      reject: rejectClient,
      async handler(request) {
        const parameters = await readFormOrJson(request.raw, REVOKE_PARAMETERS)
        await oauth.revoke(parameters, parseBasicCredentials(request.header('Authorization')))
        return okResponse({ data: { revoked: true } })
      },
    },
    {
      method: 'POST',
      path: '/v1/auth/register-app',
      limit: 'REGISTER',
      operation: REGISTER_APP,
      handler: async ({ raw }, from) =>
        createdResponse({ data: await oauth.registerApp(await readOAuthJson(raw), from) }),
    },
    {
      method: 'POST',
      path: '/v1/auth/rotate-app',
      limit: 'REGISTER',
      operation: ROTATE_APP,
      async handler({ raw }, from) {
        const data = await oauth.rotateApp(await readOAuthJson(raw), from)
        return {
          ...okResponse({ data }),
          notice: `The secret of app ${data.client_id} was ended, from ${from.address}.`,
        }
      },
    },
    // If the public URL has a path, most clients append it to the metadata path, but some request the
    // metadata at the root (RFC 8414 and 9728, section 3.1).
    ...[...new Set(['', basePath])].flatMap((path): DocumentedOAuthRoute[] => [
      {
        method: 'GET',
        path: `/.well-known/oauth-authorization-server${path}`,
        operation: path === '' ? SERVER_METADATA : null,
        handler: async () => metadataResponse(authorizationServerMetadata(issuer)),
      },
      {
        method: 'GET',
        path: `/.well-known/oauth-protected-resource${path}`,
        operation: path === '' ? RESOURCE_METADATA : null,
        handler: async () => metadataResponse(protectedResourceMetadata(issuer)),
      },
    ]),
  ]
}

/** Sends the challenge of the authentication scheme that the client used. */
const rejectClient: Rejection = (error, request, requestId) =>
  errorResponse(
    error,
    requestId,
    usesBasicAuth(request.header('Authorization')) ? BASIC_CHALLENGE : undefined,
  )
