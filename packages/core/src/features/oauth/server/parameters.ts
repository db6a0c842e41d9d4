import { type FieldErrors, invalidRequest } from '../../../kernel/errors.ts'

/** Parameters as they came. One that was sent more than once is a list. */
export type Parameters = Readonly<Record<string, string | readonly string[]>>

/** The parameters known here, each sent at most once. An empty value is no value, and others are nobody's concern. */
export type KnownParameters<Name extends string> = { readonly [N in Name]: string | undefined }

/** @throws CrmError `invalid_request` for a known parameter that was sent more than once */
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

/** @throws CrmError `invalid_request`, naming all that are missing */
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

/** The scopes a `scope` parameter names, each once and in the order of `allowed`; `undefined` when one of them is not allowed. */
export function parseScopes(scope: string, allowed: readonly string[]): readonly string[] | undefined {
  const requested = new Set(scope.split(' ').filter((each) => each !== ''))
  const scopes = [...new Set(allowed)].filter((each) => requested.has(each))
  return scopes.length > 0 && scopes.length === requested.size ? scopes : undefined
}
