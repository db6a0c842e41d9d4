import { type Crm, CrmError } from '@sales-crm/core'
import type { HonoRequest } from 'hono'
import { created, type Refused } from '../answer.ts'
import { basePathOf } from '../base-path.ts'
import { queryParameters, readForm } from '../form.ts'
import { redirect } from '../page-reply.ts'
import { isBasic } from './basic.ts'
import { readOAuthJson } from './json-body.ts'
import { programServerMetadata, toolsMetadata } from './metadata.ts'
import { rfcRefusal, rfcRefusalOrPage } from './rfc-refusal.ts'
import { type OAuthRoute, told, UNKEPT } from './routes.ts'

/** The issuer `{base_url}/mcp`, for programs that nobody registers by hand. Its errors have the shape of RFC 6749. */
export function programRoutes({ oauth }: Pick<Crm, 'oauth'>, issuer: string): readonly OAuthRoute[] {
  const basePath = basePathOf(issuer)
  const { programs } = oauth
  const metadata = [...new Set(['', basePath])].map((path) => `/.well-known/oauth-authorization-server${path}/mcp`)
  const resources = [...new Set(['', basePath])].map((path) => `/.well-known/oauth-protected-resource${path}/mcp`)
  // Where a proxy passes on what is below the public address alone, clients find it at the last of the places they look at.
  const below = ['/mcp/.well-known/oauth-authorization-server', '/mcp/.well-known/openid-configuration']
  return [
    {
      method: 'GET',
      path: '/mcp/authorize',
      limit: 'OAUTH',
      refused: (error, request, requestId) => rfcRefusalOrPage(error, request, requestId, basePath),
      handler: async ({ url }) => redirect(`${basePath}/oauth/consent?request=${await programs.begin(queryParameters(url))}`),
    },
    {
      method: 'POST',
      path: '/mcp/token',
      limit: 'OAUTH',
      refused: rfcRefusal,
      async handler(request) {
        refuseBasic(request)
        return { status: 200, body: await programs.token(await readForm(request.raw)), headers: UNKEPT }
      },
    },
    {
      method: 'POST',
      path: '/mcp/revoke',
      limit: 'OAUTH',
      refused: rfcRefusal,
      async handler(request) {
        refuseBasic(request)
        await programs.revoke(await readForm(request.raw))
        return { status: 200, headers: UNKEPT }
      },
    },
    {
      method: 'POST',
      path: '/mcp/register',
      limit: 'REGISTER',
      refused: refusedRegistration,
      handler: async ({ raw }) => created(await programs.register(await readOAuthJson(raw)), UNKEPT),
    },
    ...[...metadata, ...below].map(
      (path): OAuthRoute => ({ method: 'GET', path, handler: async () => told(programServerMetadata(issuer)) }),
    ),
    ...resources.map((path): OAuthRoute => ({ method: 'GET', path, handler: async () => told(toolsMetadata(issuer)) })),
  ]
}

/** @throws CrmError `invalid_client` */
function refuseBasic(request: HonoRequest): void {
  if (!isBasic(request.header('Authorization'))) return
  throw new CrmError('invalid_client', 'A program has no secret: it sends its client_id in the form, and no HTTP Basic.')
}

const refusedRegistration: Refused = (error, request, requestId) => {
  const isMetadata = error.code === 'invalid_request' && error.rfcCode === undefined
  return rfcRefusal(error, request, requestId, isMetadata ? 'invalid_client_metadata' : undefined)
}
