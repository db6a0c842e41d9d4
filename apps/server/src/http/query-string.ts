import { CrmError, validationError } from '@sales-crm/core'

/** The parameters of a URL. A repeated parameter becomes an array, which no operation accepts. */
export type Query = Readonly<Record<string, string | readonly string[]>>

export function readQuery(url: string): Query {
  const query: Record<string, string | string[]> = Object.create(null)
  const start = url.indexOf('?')
  if (start === -1) return query
  for (const [name, value] of new URLSearchParams(url.slice(start))) {
    appendValue(query, name, value)
  }
  return query
}

/** Adds a value; a repeated name collects its values in an array. */
export function appendValue(values: Record<string, string | string[]>, name: string, value: string): void {
  const before = values[name]
  if (before === undefined) values[name] = value
  else if (typeof before === 'string') values[name] = [before, value]
  else before.push(value)
}

/**
 * Runs an operation on a query and reports each repeated parameter as such.
 * @throws CrmError `validation_error`
 */
export async function withQuery<T>(query: Query, operation: (query: Query) => Promise<T>): Promise<T> {
  const repeated = Object.entries(query).filter(([, value]) => typeof value !== 'string')
  if (repeated.length === 0) return operation(query)
  const fields = repeated.map(([name]) => [name, 'Must be sent only once.'] as const)
  const others = await operation(query).then(() => ({}), fieldErrorsOf)
  throw validationError(Object.fromEntries([...Object.entries(others), ...fields]))
}

/**
 * For operations without query parameters. Errors that `check` finds in the body are reported together with
 * them.
 * @throws CrmError
 */
export function rejectQueryParameters(url: string, check: () => unknown = () => {}): void {
  const names = Object.keys(readQuery(url))
  if (names.length === 0) return
  const fields = names.map((name) => [name, 'Unknown parameter.'] as const)
  throw validationError(Object.fromEntries([...Object.entries(fieldErrorsFrom(check)), ...fields]))
}

function fieldErrorsFrom(check: () => unknown): object {
  try {
    check()
    return {}
  } catch (error) {
    return fieldErrorsOf(error)
  }
}

function fieldErrorsOf(error: unknown): object {
  if (error instanceof CrmError && error.code === 'validation_error') return error.fields ?? {}
  throw error
}
