import { CrmError, validationError } from '@sales-crm/core'

/** The parameters of a URL. A repeated parameter becomes an array, which no operation accepts. */
export type Query = Readonly<Record<string, string | readonly string[]>>

/** More than any operation has. */
const MAX_PARAMETERS = 100

export const ENCODING_RULE = 'Must be percent-encoded UTF-8.'

/**
 * Reads the parameters of a URL. A name or value that is not percent-encoded UTF-8 is kept as it is.
 * @throws CrmError `validation_error` for too many
 */
export function readQuery(url: string): Query {
  const query: Record<string, string | string[]> = Object.create(null)
  assertFewParameters(url)
  for (const { name, value } of splitPairs(queryText(url)))
    appendValue(query, decodeFormValue(name) ?? name, decodeFormValue(value) ?? value)
  return query
}

/** Checked before the parameters are decoded. @throws CrmError `validation_error` */
function assertFewParameters(url: string): void {
  let count = 1
  for (let at = url.indexOf('&'); at !== -1 && count <= MAX_PARAMETERS; at = url.indexOf('&', at + 1))
    count += 1
  if (count > MAX_PARAMETERS)
    throw validationError({ query: `Must have at most ${MAX_PARAMETERS} parameters.` })
}

/** The text after the question mark of a URL. */
export function queryText(url: string): string {
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start + 1)
}

interface EncodedPair {
  readonly name: string
  readonly value: string
}

/** Splits form-urlencoded text into pairs, without decoding them. */
export function splitPairs(text: string): readonly EncodedPair[] {
  return text
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(pair) ?? []
      return { name, value }
    })
}

/** `undefined` if the text is not percent-encoded UTF-8. */
export function decodeFormValue(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

/** Adds a value; a repeated name collects its values in an array. */
export function appendValue(values: Record<string, string | string[]>, name: string, value: string): void {
  const before = values[name]
  if (before === undefined) values[name] = value
  else if (typeof before === 'string') values[name] = [before, value]
  else before.push(value)
}

/**
 * Runs an operation on the query of a URL, and reports each repeated or malformed parameter as such.
 * @throws CrmError `validation_error`
 */
export async function withQuery<T>(url: string, operation: (query: Query) => Promise<T>): Promise<T> {
  const query = readQuery(url)
  const errors = [...repetitionErrors(query), ...encodingErrors(url)]
  if (errors.length === 0) return operation(query)
  const others = await operation(query).then(() => ({}), fieldErrorsOf)
  throw validationError(Object.fromEntries([...Object.entries(others), ...errors]))
}

/**
 * For operations without query parameters. Errors that `check` finds in the body are reported together with
 * them.
 * @throws CrmError
 */
export function rejectQueryParameters(url: string, check: () => unknown = () => {}): void {
  const names = Object.keys(readQuery(url))
  if (names.length === 0) return
  const errors = [...names.map((name) => [name, 'Unknown parameter.'] as const), ...encodingErrors(url)]
  throw validationError(Object.fromEntries([...Object.entries(fieldErrorsFrom(check)), ...errors]))
}

type FieldError = readonly [name: string, rule: string]

function repetitionErrors(query: Query): readonly FieldError[] {
  return Object.entries(query)
    .filter(([, value]) => typeof value !== 'string')
    .map(([name]) => [name, 'Must be sent only once.'])
}

function encodingErrors(url: string): readonly FieldError[] {
  if (!url.includes('%')) return []
  return splitPairs(queryText(url)).flatMap(({ name, value }) => {
    const key = decodeFormValue(name)
    const isMalformed = key === undefined || decodeFormValue(value) === undefined
    return isMalformed ? [[key ?? name, ENCODING_RULE] as const] : []
  })
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
