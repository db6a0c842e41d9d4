import { badRequest, type CrmError } from '@sales-crm/core'
import { countTokens, findRepeatedName } from './json-tokens.ts'
import { invalidJsonError, MAX_BODY_BYTES, type RequestBody } from './request-body.ts'

const MAX_DEPTH = 64
/**
 * Maximum number of JSON values in a body: more than any operation uses, and few enough to validate at once.
 */
const MAX_VALUES = 20_000
/** Maximum number of names in one object, each of which validation visits several times. */
const MAX_NAMES = 1000
export const JSON_MEDIA_TYPE = /^application\/(?:[a-z0-9!#$&^_.+-]+\+)?json$/i

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a JSON object of up to `limit` bytes.
 * @throws CrmError `bad_request`, `rate_limit_exceeded`
 */
export async function readJson(
  body: RequestBody,
  limit = MAX_BODY_BYTES,
  maxValues = MAX_VALUES,
): Promise<object> {
  return assertJsonObject(await readJsonValue(body, limit, maxValues))
}

/**
 * Reads an object like `readJson`; an empty body is an empty object.
 * @throws CrmError `bad_request`, `rate_limit_exceeded`
 */
export async function readOptionalJson(body: RequestBody): Promise<object> {
  const bytes = await body.read(MAX_BODY_BYTES)
  if (bytes.length === 0) return {}
  assertJsonMediaType(body)
  return assertJsonObject(parseJson(bytes, MAX_VALUES))
}

/**
 * Reads any JSON value, with the limits of `readJson`.
 * @throws CrmError `bad_request`, `rate_limit_exceeded`
 */
export async function readJsonValue(
  body: RequestBody,
  limit = MAX_BODY_BYTES,
  maxValues = MAX_VALUES,
): Promise<unknown> {
  assertJsonMediaType(body)
  return parseJson(await body.read(limit), maxValues)
}

/** The message is the contract's; the fields say what it means for this request. */
function assertJsonMediaType(body: RequestBody): void {
  if (body.contentEncoding !== 'identity')
    throw invalidJsonError({ 'Content-Encoding': 'Must be absent: a compressed body is not supported.' })
  if (!body.hasMediaType(JSON_MEDIA_TYPE))
    throw invalidJsonError({ 'Content-Type': 'Must be application/json, in UTF-8.' })
}

function assertJsonObject(value: unknown): object {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw badRequest('Request body must be a JSON object.')
  return value
}

function parseJson(bytes: Uint8Array, maxValues: number): unknown {
  const { values, names } = countTokens(bytes, maxValues)
  if (values > maxValues) throw tooManyValuesError()
  const value = decodeJson(bytes)
  const distinctNames = countNames(value, MAX_DEPTH)
  if (distinctNames === undefined) throw badRequest('Request body is nested too deeply.')
  const repeatedName = distinctNames < names ? findRepeatedName(bytes) : undefined
  if (repeatedName !== undefined) throw invalidJsonError({ [repeatedName]: 'Must be sent only once.' })
  return value
}

function tooManyValuesError(): CrmError {
  return badRequest('Request body holds too many values.')
}

function decodeJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    throw invalidJsonError()
  }
}

/**
 * The number of names in all objects; `undefined` for a value with more levels.
 * @throws CrmError `bad_request` for an object with too many
 */
function countNames(value: unknown, levels: number): number | undefined {
  if (typeof value !== 'object' || value === null) return 0
  if (levels === 0) return undefined
  const children = Object.values(value)
  if (children.length > MAX_NAMES && !Array.isArray(value)) throw tooManyValuesError()
  let names = Array.isArray(value) ? 0 : children.length
  for (const child of children) {
    const childNames = countNames(child, levels - 1)
    if (childNames === undefined) return undefined
    names += childNames
  }
  return names
}
