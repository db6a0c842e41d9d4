import { type FieldErrors, invalidRequest } from '../../../kernel/errors.ts'

/** Parameters as received. A repeated parameter is a list. */
export type Parameters = Readonly<Record<string, string | readonly string[]>>

/** The parameters an endpoint supports, each sent at most once. An empty value counts as absent. */
export type KnownParameters<Name extends string> = { readonly [N in Name]: string | undefined }

/** Returns the named parameters and ignores others. @throws CrmError `invalid_request` for a repeated one */
export function readParameters<const Name extends string>(
  parameters: Parameters,
  names: readonly Name[],
): KnownParameters<Name> {
  const repeated = names.filter(
    (name) => Object.hasOwn(parameters, name) && typeof parameters[name] !== 'string',
  )
  if (repeated.length > 0)
    throw invalidRequest(
      'A parameter was sent more than once.',
      errorsFor(repeated, 'Must be sent only once.'),
    )
  const values = names.map((name) => [
    name,
    Object.hasOwn(parameters, name) ? parameters[name] || undefined : undefined,
  ])
  return Object.fromEntries(values) as KnownParameters<Name>
}

/** @throws CrmError `invalid_request` with a field error for each missing parameter */
export function requireParameters<Name extends string>(
  parameters: KnownParameters<Name>,
  names: readonly Name[],
): void {
  const missing = names.filter((name) => parameters[name] === undefined)
  if (missing.length > 0)
    throw invalidRequest('A required parameter is missing.', errorsFor(missing, 'Required.'))
}

function errorsFor(names: readonly string[], rule: string): FieldErrors {
  return Object.fromEntries(names.map((name) => [name, rule]))
}

/**
 * Parses a `scope` parameter. Returns the scopes without duplicates, in the order of `allowed`, or
 * `undefined` if it is blank or contains a scope that is not allowed.
 */
export function parseScopes(scope: string, allowed: readonly string[]): readonly string[] | undefined {
  const requested = new Set(scope.split(' ').filter((name) => name !== ''))
  const scopes = [...new Set(allowed)].filter((name) => requested.has(name))
  return scopes.length > 0 && scopes.length === requested.size ? scopes : undefined
}
