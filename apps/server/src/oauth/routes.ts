import type { Crm, From } from '@sales-crm/core'
import type { HonoRequest } from 'hono'
import { created, ok, type Refused, type Reply, refusal } from '../answer.ts'
import { basePathOf } from '../base-path.ts'
import { queryParameters, readForm } from '../form.ts'
import type { EndpointLimit } from '../meters.ts'
import { AUTHORIZE, REGISTER_APP, RESOURCE_METADATA, REVOKE, ROTATE_APP, SERVER_METADATA, TOKEN } from '../openapi/oauth-operations.ts'
import type { Operation } from '../openapi/operation.ts'
import { redirect } from '../page-reply.ts'
import { refusedPage } from '../pages/refused.ts'
import { takesHtml } from '../takes.ts'
import { BASIC_CHALLENGE, basicCredentials, isBasic } from './basic.ts'
import { readFormOrJson, readOAuthJson } from './json-body.ts'
import { resourceMetadata, serverMetadata } from './metadata.ts'

export interface OAuthRoute {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** How calls are counted for their address; left out, as any GET. */
  readonly limit?: EndpointLimit
  readonly refused?: Refused
  handler(request: HonoRequest, from: From): Promise<Reply>
}

/** One that the OpenAPI document tells of. */
export interface ToldOAuthRoute extends OAuthRoute {
  /** Null for a second address of a route that the document tells of already. */
  readonly about: Operation | null
}

/** So that a proxy that knows HTTP/1.0 alone keeps no tokens either. */
export const UNKEPT = { Pragma: 'no-cache' }
const METADATA = { 'Cache-Control': 'public, max-age=3600' }
const REVOKE_PARAMETERS = ['token', 'token_type_hint', 'client_id', 'client_secret']

/** The endpoints of the authorization server for apps. None of them asks for a bearer token. */
export function oauthRoutes({ oauth }: Pick<Crm, 'oauth'>, issuer: string): readonly ToldOAuthRoute[] {
  const basePath = basePathOf(issuer)
  return [
    {
      method: 'GET',
      path: '/oauth/authorize',
      limit: 'OAUTH',
      about: AUTHORIZE,
      refused: (error, request, requestId) =>
        takesHtml(request.header('Accept')) ? refusedPage(error, request, requestId, basePath) : undefined,
      async handler({ url }) {
        const id = await oauth.begin(queryParameters(url))
        return redirect(`${basePath}/oauth/consent?request=${id}`)
      },
    },
    {
      method: 'POST',
      path: '/oauth/token',
      limit: 'OAUTH',
      about: TOKEN,
      refused: refusedClient,
      async handler(request) {
        const parameters = await readForm(request.raw)
        const body = await oauth.token(parameters, basicCredentials(request.header('Authorization')))
        return { status: 200, body, headers: UNKEPT }
      },
    },
    {
      method: 'POST',
      path: '/oauth/revoke',
      limit: 'OAUTH',
      about: REVOKE,
      refused: refusedClient,
      async handler(request) {
        const parameters = await readFormOrJson(request.raw, REVOKE_PARAMETERS)
        await oauth.revoke(parameters, basicCredentials(request.header('Authorization')))
        return ok({ data: { revoked: true } })
      },
    },
    {
      method: 'POST',
      path: '/v1/auth/register-app',
      limit: 'REGISTER',
      about: REGISTER_APP,
      handler: async ({ raw }, from) => created({ data: await oauth.registerApp(await readOAuthJson(raw), from) }),
    },
    {
      method: 'POST',
      path: '/v1/auth/rotate-app',
      limit: 'REGISTER',
      about: ROTATE_APP,
      async handler({ raw }, from) {
        const data = await oauth.rotateApp(await readOAuthJson(raw), from)
        return { ...ok({ data }), notice: `The secret of app ${data.client_id} was ended, from ${from.address}.` }
      },
    },
    // Where the public address has a path, clients look for them below it, and some at the root (RFC 8414 and 9728, section 3.1).
    ...[...new Set(['', basePath])].flatMap((path): ToldOAuthRoute[] => [
      {
        method: 'GET',
        path: `/.well-known/oauth-authorization-server${path}`,
        about: path === '' ? SERVER_METADATA : null,
        handler: async () => told(serverMetadata(issuer)),
      },
      {
        method: 'GET',
        path: `/.well-known/oauth-protected-resource${path}`,
        about: path === '' ? RESOURCE_METADATA : null,
        handler: async () => told(resourceMetadata(issuer)),
      },
    ]),
  ]
}

/** What anyone may know, and keep for an hour. */
export function told(metadata: object): Reply {
  return { status: 200, body: metadata, headers: METADATA }
}

/** A client is told to authenticate as it tried to. */
const refusedClient: Refused = (error, request, requestId) =>
  refusal(error, requestId, isBasic(request.header('Authorization')) ? BASIC_CHALLENGE : undefined)
