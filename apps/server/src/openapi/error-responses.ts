import { CrmError, insufficientScope, tooMany } from '@sales-crm/core'
import { STATUS, unexpected } from '../errors.ts'
import { BODY_ERRORS, NO_FIELDS, PAGING, UNKNOWN_PARAMETER } from './body-errors.ts'
import { headersWith } from './headers.ts'
import { countedText } from './limits.ts'
import { isByToken, pascal, type ToldRoute } from './told-route.ts'

type Json = Readonly<Record<string, unknown>>

const REQUEST_ID = '01a1fbc7-26f9-7ffd-981a-9c20b5f3f7fe'
const SCHEMA = { $ref: '#/components/schemas/Error' }

const BAD_TOKEN = [
  new CrmError('unauthorized', 'Missing or invalid Authorization header.'),
  new CrmError('unauthorized', 'Invalid or malformed token.'),
  new CrmError('unauthorized', 'Token is missing required claims.'),
  new CrmError('token_expired', 'Access token expired. Refresh using the refresh token.'),
]
const USED_UP = tooMany({ limit: 200, used: 201, resets: 1_772_366_460, wait: 60 })

const IF_SCOPE = { description: 'Which scope is missing, where it is a scope.', schema: { type: 'string' } }

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'What was sent is malformed, or lacks something.',
  409: 'It conflicts with what is there: `fields` says what.',
  422: 'A field or parameter is wrong: `fields` says which, and the rule.',
  500: 'Something broke on our side. Try again a few times, with growing pauses.',
}

/** What a route can be refused with: by status, inline or as a reference to a response that `components` gets. */
export function errorResponses(route: ToldRoute, components: Map<string, Json>): Record<string, Json> {
  const byStatus = Object.groupBy(errorsOf(route), ({ code }) => STATUS[code])
  const responses = Object.entries(byStatus).map(([status, errors = []]) => [status, placed(Number(status), errors, route, components)])
  if (route.about.mayBeUnready) responses.push(['503', response('It is about to stop, or has no database.', [unexpected()], route)])
  return Object.fromEntries(responses)
}

/** The examples of all errors, by the name that responses refer to them by. */
export function errorExamples(routes: readonly ToldRoute[]): Record<string, Json> {
  const errors = routes.flatMap((route) => [...errorsOf(route), ...(route.about.mayBeUnready ? [unexpected()] : [])])
  return Object.fromEntries(errors.map((error) => [exampleName(error), exampleOf(error)]))
}

function errorsOf({ about, access, counted }: ToldRoute): readonly CrmError[] {
  const byToken = isByToken(access)
  return [
    ...(byToken ? BAD_TOKEN : []),
    ...(byToken && access.scope !== null ? [insufficientScope(access.scope)] : []),
    ...about.errors,
    ...(byToken ? [UNKNOWN_PARAMETER] : []),
    ...(counted ? [USED_UP] : []),
    ...(about.isFixed ? [] : [unexpected()]),
  ]
}

function placed(status: number, errors: readonly CrmError[], route: ToldRoute, components: Map<string, Json>): Json {
  const built = response(descriptionOf(status, errors, route), errors, route)
  const name = nameOf(status, errors, route)
  if (name === undefined) return built
  const before = components.get(name)
  if (before && JSON.stringify(before) !== JSON.stringify(built)) throw new Error(`There are two responses called ${name}.`)
  components.set(name, built)
  return { $ref: `#/components/responses/${name}` }
}

function response(description: string, errors: readonly CrmError[], { about }: ToldRoute): Json {
  const examples = Object.fromEntries(errors.map((error) => [exampleName(error), { $ref: `#/components/examples/${exampleName(error)}` }]))
  const page = about.refusesWithPages && { 'text/html': { schema: { type: 'string' } } }
  return { description, headers: headersOf(errors), content: { 'application/json': { schema: SCHEMA, examples }, ...page } }
}

function headersOf(errors: readonly CrmError[]): Json {
  const challenging = errors.filter(({ code }) => STATUS[code] === 401 || code === 'insufficient_scope')
  const isSure = challenging.length === errors.length
  return {
    ...headersWith([...(isSure ? ['WWW-Authenticate'] : []), ...(errors.includes(USED_UP) ? ['Retry-After'] : [])]),
    ...(challenging.length > 0 && !isSure && { 'WWW-Authenticate': IF_SCOPE }),
  }
}

/** What many routes share has a name; what one has alone is written where it is. */
function nameOf(status: number, errors: readonly CrmError[], { method, access, counted, about }: ToldRoute): string | undefined {
  if (about.refusesWithPages) return undefined
  const isExactly = (...those: readonly CrmError[]) => those.length === errors.length && those.every((each) => errors.includes(each))
  if (status === 401) return isByToken(access) ? 'Unauthorized' : undefined
  if (status === 403) return errors.length === 1 ? `Needs${pascal(errors[0]!.scope ?? '')}` : undefined
  if (status === 404) return errors.map(({ message }) => pascal(message)).join('Or')
  if (status === 429) return `TooMany${pascal(counted === 'app' ? method.toLowerCase() : (counted ?? '').toLowerCase())}Calls`
  if (status === 500) return errors.length === 1 ? 'InternalError' : undefined
  if (isExactly(...BODY_ERRORS)) return 'BadBody'
  if (isExactly(...BODY_ERRORS, NO_FIELDS)) return 'BadChanges'
  if (isExactly(UNKNOWN_PARAMETER)) return 'UnknownParameter'
  return isExactly(PAGING, UNKNOWN_PARAMETER) ? 'BadParameters' : undefined
}

function descriptionOf(status: number, errors: readonly CrmError[], { method, access, counted }: ToldRoute): string {
  if (status === 401) {
    return isByToken(access) ? 'The token is missing, invalid or expired.' : 'The app is unknown, or its credentials are wrong.'
  }
  if (status === 403) return forbiddenText(errors)
  if (status === 404) return errors.map(({ message }) => message).join(' ')
  if (status === 429) return countedText(counted, method)
  return DESCRIPTIONS[status] ?? ''
}

function forbiddenText(errors: readonly CrmError[]): string {
  const scopes = errors.flatMap(({ scope }) => (scope === undefined ? [] : [`\`${scope}\``]))
  const lacking = `The token lacks the scope ${scopes.join(' or ')}`
  return errors.some(({ code }) => code === 'forbidden') ? `${lacking}, or the role of its member does not allow it.` : `${lacking}.`
}

/** Errors with one message differ in what `fields` names. */
function exampleName({ message, fields }: CrmError): string {
  return [message, ...Object.keys(fields ?? {}).slice(0, 2)].map(slug).join('-')
}

function exampleOf({ code, message, fields }: CrmError): Json {
  return { summary: message, value: { error: { code, message, request_id: REQUEST_ID, ...(fields && { fields }) } } }
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '')
}
