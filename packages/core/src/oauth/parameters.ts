import { type FieldErrors, invalidRequest } from '../errors.ts'

/** Parameters as they came. One that was sent more than once is a list. */
export type Parameters = Readonly<Record<string, string | readonly string[]>>

/** The parameters known here, each sent at most once. An empty value is no value, and others are nobody's concern. */
export type Known<Name extends string> = { readonly [N in Name]: string | undefined }

/** @throws CrmError `invalid_request` for a known parameter that was sent more than once */
export function readKnown<const Name extends string>(parameters: Parameters, names: readonly Name[]): Known<Name> {
  const repeated = names.filter((name) => Object.hasOwn(parameters, name) && typeof parameters[name] !== 'string')
  if (repeated.length > 0) throw invalidRequest('A parameter was sent more than once.', eachOf(repeated, 'Must be sent only once.'))
  const values = names.map((name) => [name, Object.hasOwn(parameters, name) ? parameters[name] || undefined : undefined])
  return Object.fromEntries(values) as Known<Name>
}

/** @throws CrmError `invalid_request`, naming all that are missing */
export function needAll<Name extends string>(known: Known<Name>, names: readonly Name[]): void {
  const missing = names.filter((name) => known[name] === undefined)
  if (missing.length > 0) throw invalidRequest('A required parameter is missing.', eachOf(missing, 'Required.'))
}

function eachOf(names: readonly string[], rule: string): FieldErrors {
  return Object.fromEntries(names.map((name) => [name, rule]))
}

/** The scopes a `scope` parameter names, each once and in the order of `allowed`; `undefined` when one of them is not allowed. */
export function scopesWithin(scope: string, allowed: readonly string[]): readonly string[] | undefined {
  const asked = new Set(scope.split(' ').filter((each) => each !== ''))
  const found = [...new Set(allowed)].filter((each) => asked.has(each))
  return found.length > 0 && found.length === asked.size ? found : undefined
}
