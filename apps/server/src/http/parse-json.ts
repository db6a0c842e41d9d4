import { countTokens, findRepeatedName } from './json-tokens.ts'

const MAX_DEPTH = 64
/** Maximum number of names in one object, each of which validation visits several times. */
const MAX_NAMES = 1000
const TOO_MANY_VALUES = 'Request body holds too many values.'
const INVALID_JSON = 'Request body must be valid JSON.'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The value, or the message and the fields of a `bad_request`. Cloneable. */
export type ParsedJson =
  | { readonly value: unknown }
  | { readonly message: string; readonly fields?: Readonly<Record<string, string>> }

/** @param maxValues maximum number of JSON values */
export function parseJson({
  bytes,
  maxValues,
}: {
  readonly bytes: Uint8Array
  readonly maxValues: number
}): ParsedJson {
  const { values, names } = countTokens(bytes, maxValues)
  if (values > maxValues) return { message: TOO_MANY_VALUES }
  let value: unknown
  try {
    value = JSON.parse(utf8.decode(bytes))
  } catch {
    return { message: INVALID_JSON }
  }
  const distinctNames = countNames(value, MAX_DEPTH)
  if (distinctNames === 'too deep') return { message: 'Request body is nested too deeply.' }
  if (distinctNames === 'too many') return { message: TOO_MANY_VALUES }
  const repeatedName = distinctNames < names ? findRepeatedName(bytes) : undefined
  return repeatedName === undefined
    ? { value }
    : { message: INVALID_JSON, fields: { [repeatedName]: 'Must be sent only once.' } }
}

/** The number of names in all objects, unless a value has more levels or an object too many names. */
function countNames(value: unknown, levels: number): number | 'too deep' | 'too many' {
  if (typeof value !== 'object' || value === null) return 0
  if (levels === 0) return 'too deep'
  const children = Object.values(value)
  if (children.length > MAX_NAMES && !Array.isArray(value)) return 'too many'
  let names = Array.isArray(value) ? 0 : children.length
  for (const child of children) {
    const childNames = countNames(child, levels - 1)
    if (typeof childNames === 'string') return childNames
    names += childNames
  }
  return names
}
