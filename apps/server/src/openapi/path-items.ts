import type { DocumentedRoute, Route } from '../http/routes/route.ts'
import { errorResponses } from './error-responses.ts'
import { pathTemplate } from './names.ts'
import type { RequestBody, SuccessResponse } from './operation.ts'
import { operationParameters } from './parameters.ts'
import { headerReferences } from './response-headers.ts'

type Json = Readonly<Record<string, unknown>>

/**
 * Returns the operations by path and method.
 * @param components receives the responses they reference
 * @param hasOAuth whether the service grants tokens itself
 */
export function pathItems(
  routes: readonly DocumentedRoute[],
  components: Map<string, Json>,
  hasOAuth: boolean,
): Record<string, Json> {
  const byPath = Map.groupBy(routes, ({ path }) => pathTemplate(path))
  const items = Array.from(byPath, ([path, pathRoutes]) => {
    return [
      path,
      Object.fromEntries(
        pathRoutes.map((route) => [route.method.toLowerCase(), operationObject(route, components, hasOAuth)]),
      ),
    ] as const
  })
  return Object.fromEntries(items)
}

function operationObject(route: DocumentedRoute, components: Map<string, Json>, hasOAuth: boolean): Json {
  const { id, tag, summary, description, body, success, takesIdempotencyKey, hasEntityTag } = route.operation
  const { createdDescription, bytes } = route.operation
  const parameters = operationParameters(route)
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    security: securityOf(route.access, hasOAuth),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: requestBody(body) }),
    ...(bytes !== undefined && { requestBody: bytesBody(bytes) }),
    responses: {
      [success.status]: successResponse(success, [
        ...(takesIdempotencyKey ? ['Idempotent-Replayed'] : []),
        ...(hasEntityTag ? ['ETag'] : []),
      ]),
      ...(createdDescription !== undefined && {
        201: successResponse({ ...success, description: createdDescription }, []),
      }),
      ...(hasEntityTag && { 304: notModified(components) }),
      ...errorResponses(route, components),
    },
  }
}

/** Adds the response to `components`, and returns a reference. */
function notModified(components: Map<string, Json>): Json {
  const description = 'The record is as it was: the response has no body.'
  components.set('NotModified', { description, headers: headerReferences(['ETag']) })
  return { $ref: '#/components/responses/NotModified' }
}

/** Entries are alternatives. `bearer` stands for tokens issued outside OAuth, which are equally valid. */
function securityOf(access: Route['access'], hasOAuth: boolean): readonly Json[] {
  if (access === 'nobody') return []
  if (access === 'client') return [{ client: [] }, {}]
  if (!hasOAuth) return [{ bearer: [] }]
  const { scope, alternativeScope, otherScopes = [] } = access
  const scopeChoices = [scope, alternativeScope]
    .filter((each) => typeof each === 'string')
    .map((each) => [each, ...otherScopes])
  return [
    ...(scopeChoices.length > 0 ? scopeChoices : [[]]).map((scopes) => ({ oauth2: scopes })),
    { bearer: [] },
  ]
}

function requestBody({ name, type = 'application/json', optional }: RequestBody): Json {
  return { required: !optional, content: { [type]: { schema: { $ref: `#/components/schemas/${name}` } } } }
}

function bytesBody(description: string): Json {
  return { description, required: true, content: { 'application/octet-stream': { schema: {} } } }
}

function successResponse(
  { description, response, types, headers = {} }: SuccessResponse,
  sharedHeaders: readonly string[],
): Json {
  const extraHeaders = Object.entries(headers).map(([name, text]) => [
    name,
    { description: text, required: true, schema: { type: 'string' } },
  ])
  const schema = response
    ? { 'application/json': { schema: { $ref: `#/components/schemas/${response.name}` } } }
    : undefined
  const content = types ? Object.fromEntries(types.map((type) => [type, { schema: {} }])) : schema
  return {
    description,
    headers: { ...headerReferences(sharedHeaders), ...Object.fromEntries(extraHeaders) },
    ...(content && { content }),
  }
}
