import { CrmError, insufficientScope, preconditionFailed, rateLimitExceeded } from '@sales-crm/core'
import { STATUS, unexpectedError } from '../http/errors.ts'
import { type DocumentedRoute, isApiRoute, windowOf } from '../http/routes/route.ts'
import { BODY_ERRORS, INVALID_PAGING, NO_FIELDS, UNKNOWN_PARAMETER } from './body-errors.ts'
import { toPascalCase } from './names.ts'
import { rateLimitDescription } from './rate-limit-description.ts'
import { headerReferences } from './response-headers.ts'

type Json = Readonly<Record<string, unknown>>

const REQUEST_ID = '01a1fbc7-26f9-7ffd-981a-9c20b5f3f7fe'
const SCHEMA = { $ref: '#/components/schemas/Error' }

const TOKEN_ERRORS = [
  new CrmError('unauthorized', 'Missing or invalid Authorization header.'),
  new CrmError('unauthorized', 'Invalid or malformed token.'),
  new CrmError('unauthorized', 'Token is missing required claims.'),
  new CrmError('token_expired', 'Access token expired. Refresh using the refresh token.'),
]
const RATE_LIMIT_ERROR = rateLimitExceeded({
  limit: 200,
  used: 201,
  resetsAt: 1_772_366_460,
  retryAfterSeconds: 60,
})

const SCOPE_CHALLENGE = {
  description: 'The missing scope, if a scope is missing.',
  schema: { type: 'string' },
}

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'The request is malformed or incomplete.',
  409: 'The request conflicts with existing data: see `fields`.',
  412: 'The record has another version than those in `If-Match`. Nothing was written.',
  422: 'A field or parameter is invalid: `fields` contains each one with the rule it breaks.',
  500: 'Internal error. Retry a few times with increasing delays.',
}

/**
 * Returns a route's error responses by status: inline, or as references to responses added to `components`.
 */
export function errorResponses(route: DocumentedRoute, components: Map<string, Json>): Record<string, Json> {
  const byStatus = Object.groupBy(errorsOf(route), ({ code }) => STATUS[code])
  const responses = Object.entries(byStatus).map(([status, errors = []]) => [
    status,
    responseOrReference(Number(status), errors, route, components),
  ])
  if (route.operation.mayBeUnready)
    responses.push([
      '503',
      buildResponse('The service is stopping, or the database is unavailable.', [unexpectedError()], route),
    ])
  return Object.fromEntries(responses)
}

/** Returns examples of all errors, by the name that responses use in references. */
export function errorExamples(routes: readonly DocumentedRoute[]): Record<string, Json> {
  const errors = routes.flatMap((route) => [
    ...errorsOf(route),
    ...(route.operation.mayBeUnready ? [unexpectedError()] : []),
  ])
  return Object.fromEntries(errors.map((error) => [exampleName(error), exampleOf(error)]))
}

function errorsOf(route: DocumentedRoute): readonly CrmError[] {
  const { operation } = route
  const byToken = isApiRoute(route)
  return [
    ...(byToken ? TOKEN_ERRORS : []),
    ...(byToken && route.access.scope !== null ? [insufficientScope(route.access.scope)] : []),
    ...operation.errors,
    ...(operation.isConditional ? [preconditionFailed()] : []),
    ...(byToken ? [UNKNOWN_PARAMETER] : []),
    ...(windowOf(route) ? [RATE_LIMIT_ERROR] : []),
    ...(operation.isFixed ? [] : [unexpectedError()]),
  ]
}

function responseOrReference(
  status: number,
  errors: readonly CrmError[],
  route: DocumentedRoute,
  components: Map<string, Json>,
): Json {
  const inline = buildResponse(descriptionOf(status, errors, route), errors, route)
  const name = componentName(status, errors, route)
  if (name === undefined) return inline
  const existingResponse = components.get(name)
  if (existingResponse && JSON.stringify(existingResponse) !== JSON.stringify(inline))
    throw new Error(`There are two responses called ${name}.`)
  components.set(name, inline)
  return { $ref: `#/components/responses/${name}` }
}

function buildResponse(
  description: string,
  errors: readonly CrmError[],
  { operation }: DocumentedRoute,
): Json {
  const examples = Object.fromEntries(
    errors.map((error) => [exampleName(error), { $ref: `#/components/examples/${exampleName(error)}` }]),
  )
  const page = operation.refusesWithPages && { 'text/html': { schema: { type: 'string' } } }
  return {
    description,
    headers: headersOf(errors),
    content: { 'application/json': { schema: SCHEMA, examples }, ...page },
  }
}

function headersOf(errors: readonly CrmError[]): Json {
  const challenges = errors.filter(({ code }) => STATUS[code] === 401 || code === 'insufficient_scope')
  const isAlwaysSent = challenges.length === errors.length
  return {
    ...headerReferences([
      ...(isAlwaysSent ? ['WWW-Authenticate'] : []),
      ...(errors.includes(RATE_LIMIT_ERROR) ? ['Retry-After'] : []),
      ...(errors.some(({ code }) => code === 'conflict') ? ['X-Existing-Id'] : []),
    ]),
    ...(challenges.length > 0 && !isAlwaysSent && { 'WWW-Authenticate': SCOPE_CHALLENGE }),
  }
}

/**
 * Returns the name of a response that several routes share; `undefined` for one that belongs to a single
 * route.
 */
function componentName(
  status: number,
  errors: readonly CrmError[],
  route: DocumentedRoute,
): string | undefined {
  if (route.operation.refusesWithPages) return undefined
  const isExactly = (...expected: readonly CrmError[]) =>
    expected.length === errors.length && expected.every((each) => errors.includes(each))
  if (status === 401) return isApiRoute(route) ? 'Unauthorized' : undefined
  if (status === 403) return errors.length === 1 ? `Needs${toPascalCase(errors[0]!.scope ?? '')}` : undefined
  if (status === 404) return errors.map(({ message }) => toPascalCase(message)).join('Or')
  if (status === 412) return 'PreconditionFailed'
  if (status === 429) {
    const window = windowOf(route)
    const limitName = window === 'app' ? route.method : (window ?? '')
    return `TooMany${toPascalCase(limitName.toLowerCase())}Calls`
  }
  if (status === 500) return errors.length === 1 ? 'InternalError' : undefined
  if (isExactly(...BODY_ERRORS)) return 'BadBody'
  if (isExactly(...BODY_ERRORS, NO_FIELDS)) return 'BadChanges'
  if (isExactly(UNKNOWN_PARAMETER)) return 'UnknownParameter'
  return isExactly(INVALID_PAGING, UNKNOWN_PARAMETER) ? 'BadParameters' : undefined
}

function descriptionOf(status: number, errors: readonly CrmError[], route: DocumentedRoute): string {
  if (status === 401) {
    return isApiRoute(route)
      ? 'The token is missing, invalid or expired.'
      : 'The app is unknown, or its credentials are invalid.'
  }
  if (status === 403) return forbiddenText(errors, route)
  if (status === 404) return errors.map(({ message }) => message).join(' ')
  if (status === 409 && errors.every(({ fields }) => !fields))
    return 'The workspace does not allow it for now: see `message`.'
  if (status === 429) return rateLimitDescription(windowOf(route) ?? 'app', route.method)
  return DESCRIPTIONS[status] ?? ''
}

function forbiddenText(errors: readonly CrmError[], route: DocumentedRoute): string {
  const scopes = errors.flatMap(({ scope }) => (scope === undefined ? [] : [`\`${scope}\``]))
  const others = isApiRoute(route) && route.access.otherScopes ? ' or another one that is required' : ''
  const scopeText = `The token lacks the scope ${scopes.join(' or ')}${others}`
  return errors.some(({ code }) => code === 'forbidden')
    ? `${scopeText}, or the role of its member does not allow it.`
    : `${scopeText}.`
}

/** Includes the first two field names, because errors with the same message differ in their fields. */
function exampleName({ message, fields }: CrmError): string {
  return [message, ...Object.keys(fields ?? {}).slice(0, 2)].map(slug).join('-')
}

function exampleOf({ code, message, fields }: CrmError): Json {
  return {
    summary: message,
    value: { error: { code, message, request_id: REQUEST_ID, ...(fields && { fields }) } },
  }
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '')
}
