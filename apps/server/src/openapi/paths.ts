import { errorResponses } from './error-responses.ts'
import { headersWith } from './headers.ts'
import type { Body, Success } from './operation.ts'
import { parametersOf } from './parameters.ts'
import { type Access, type ToldRoute, templateOf } from './told-route.ts'

type Json = Readonly<Record<string, unknown>>

/** The operations by path and method. @param components gets the responses that they refer to */
export function pathItems(routes: readonly ToldRoute[], components: Map<string, Json>): Record<string, Json> {
  const byPath = Map.groupBy(routes, ({ path }) => templateOf(path))
  const items = Array.from(byPath, ([path, own]) => {
    return [path, Object.fromEntries(own.map((route) => [route.method.toLowerCase(), operation(route, components)]))] as const
  })
  return Object.fromEntries(items)
}

function operation(route: ToldRoute, components: Map<string, Json>): Json {
  const { id, tag, summary, description, body, success, takesIdempotencyKey } = route.about
  const parameters = parametersOf(route)
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    security: securityOf(route.access),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: requestBody(body) }),
    responses: {
      [success.status]: succeeded(success, takesIdempotencyKey ? ['Idempotent-Replayed'] : []),
      ...errorResponses(route, components),
    },
  }
}

/** Each entry is a way in of its own. A token that was got elsewhere is as good as one by OAuth. */
function securityOf(access: Access): readonly Json[] {
  if (access === 'nobody') return []
  if (access === 'client') return [{ client: [] }, {}]
  const { scope, orScope } = access
  const ways = [scope, orScope].filter((each) => typeof each === 'string').map((each) => [each])
  return [...(ways.length > 0 ? ways : [[]]).map((scopes) => ({ oauth2: scopes })), { bearer: [] }]
}

function requestBody({ name, type = 'application/json', optional }: Body): Json {
  return { required: !optional, content: { [type]: { schema: { $ref: `#/components/schemas/${name}` } } } }
}

function succeeded({ description, answer, type, headers = {} }: Success, shared: readonly string[]): Json {
  const own = Object.entries(headers).map(([name, text]) => [name, { description: text, required: true, schema: { type: 'string' } }])
  const schema = answer ? { 'application/json': { schema: { $ref: `#/components/schemas/${answer.name}` } } } : undefined
  const content = type === undefined ? schema : { [type]: { schema: {} } }
  return { description, headers: { ...headersWith(shared), ...Object.fromEntries(own) }, ...(content && { content }) }
}
