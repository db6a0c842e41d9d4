import { isDeepStrictEqual } from 'node:util'
import { querySchema } from '@sales-crm/core/declarations'
import type { DocumentedRoute } from '../http/routes/route.ts'
import { inputSchema } from './json-schema.ts'
import { pathParameterNames } from './names.ts'
import type { Operation, Param } from './operation.ts'
import { describeParameter } from './parameter-descriptions.ts'

type Json = Readonly<Record<string, unknown>>

const ID: Param = {
  description: 'Id of the record.',
  isId: true,
  example: '01a1fc31-2860-78c5-98aa-1e202d361899',
}
/** Parameters that all lists share. */
const PAGING = ['page', 'per_page', 'order']

const SHARED: Readonly<Record<string, Json>> = Object.fromEntries(
  queryParameters('', querySchema(['created_at'], {})).filter(([name]) => PAGING.includes(name)),
)

/** Returns the parameters that operations reference. */
export function sharedParameters(): Readonly<Record<string, Json>> {
  return {
    ...SHARED,
    'Idempotency-Key': IDEMPOTENCY_KEY,
    'If-Match': IF_MATCH,
    'If-None-Match': IF_NONE_MATCH,
  }
}

const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'A new value for each record to create or change. A request with the same key and body within 24 hours ' +
    'writes nothing and returns the first response.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
  example: 'import-2026-03-01-row-17',
}

const ETAG_EXAMPLE = '"5f2c1b9a0d3e4f67-a81c2d3e4f5b6a79"'

const IF_MATCH: Json = {
  name: 'If-Match',
  in: 'header',
  description:
    'The `ETag` of the record as it was read. Nothing is written if the record itself has changed since; what it only ' +
    'shows, such as the name of its company, may have.',
  schema: { type: 'string' },
  example: ETAG_EXAMPLE,
}
const IF_NONE_MATCH: Json = {
  name: 'If-None-Match',
  in: 'header',
  description:
    'The `ETag` of an earlier response. The response is a 304 without a body if it would be the same.',
  schema: { type: 'string' },
  example: ETAG_EXAMPLE,
}

export function operationParameters({ path, operation }: DocumentedRoute): readonly Json[] {
  const { id, query, params, takesIdempotencyKey, hasEntityTag, isConditional } = operation
  const queryParams = query ? queryParameters(id, query) : []
  return [
    ...pathParameterNames(path).map((name) => pathParameter(name, params?.[name] ?? ID)),
    ...queryParams.map(([name, parameter]) =>
      isDeepStrictEqual(parameter, SHARED[name]) ? parameterReference(name) : parameter,
    ),
    ...(takesIdempotencyKey ? [parameterReference('Idempotency-Key')] : []),
    ...(isConditional ? [parameterReference('If-Match')] : []),
    ...(hasEntityTag ? [parameterReference('If-None-Match')] : []),
  ]
}

function parameterReference(name: string): Json {
  return { $ref: `#/components/parameters/${name}` }
}

function pathParameter(name: string, { description, isId, example }: Param): Json {
  return {
    name,
    in: 'path',
    required: true,
    description,
    schema: { type: 'string', ...(isId && { format: 'uuid' }) },
    example,
  }
}

/** @throws Error for a parameter without a description */
function queryParameters(
  operation: string,
  query: NonNullable<Operation['query']>,
): readonly (readonly [string, Json])[] {
  const { properties = {}, required = [] } = inputSchema(query)
  return Object.entries(properties).map(([name, schema]) => {
    const description = describeParameter(operation, name)
    return [
      name,
      { name, in: 'query', ...(required.includes(name) && { required: true }), description, schema },
    ]
  })
}
