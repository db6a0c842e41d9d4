import { badRequest } from '@sales-crm/core'
import { hasMediaType, invalidJsonError, MAX_BODY_BYTES, readBytes } from './request-body.ts'

const MAX_DEPTH = 64
/**
 * Maximum number of JSON values in a body: more than any operation uses, and few enough to validate at once.
 */
const MAX_VALUES = 20_000
export const JSON_MEDIA_TYPE = /^application\/(?:[a-z0-9!#$&^_.+-]+\+)?json$/i

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a JSON object of up to `limit` bytes.
 * @throws CrmError `bad_request`, `rate_limit_exceeded`
 */
export async function readJson(
  request: Request,
  limit = MAX_BODY_BYTES,
  maxValues = MAX_VALUES,
): Promise<object> {
  return assertJsonObject(await readJsonValue(request, limit, maxValues))
}

/**
 * Reads an object like `readJson`; an empty body is an empty object.
 * @throws CrmError `bad_request`, `rate_limit_exceeded`
 */
export async function readOptionalJson(request: Request): Promise<object> {
  const bytes = await readBytes(request, MAX_BODY_BYTES)
  if (bytes.length === 0) return {}
  assertJsonMediaType(request)
  return assertJsonObject(parseJson(bytes, MAX_VALUES))
}

/**
 * Reads any JSON value, with the limits of `readJson`.
 * @throws CrmError `bad_request`, `rate_limit_exceeded`
 */
export async function readJsonValue(
  request: Request,
  limit = MAX_BODY_BYTES,
  maxValues = MAX_VALUES,
): Promise<unknown> {
  assertJsonMediaType(request)
  return parseJson(await readBytes(request, limit), maxValues)
}

function assertJsonMediaType(request: Request): void {
  if (!hasMediaType(request, JSON_MEDIA_TYPE)) throw invalidJsonError()
}

function assertJsonObject(value: unknown): object {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw badRequest('Request body must be a JSON object.')
  return value
}

function parseJson(bytes: Uint8Array, maxValues: number): unknown {
  if (hasMoreValues(bytes, maxValues)) throw badRequest('Request body holds too many values.')
  const value = decodeJson(bytes)
  if (isDeeper(value, MAX_DEPTH)) throw badRequest('Request body is nested too deeply.')
  return value
}

function decodeJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    throw invalidJsonError()
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  for (const each of Object.values(value)) if (isDeeper(each, levels - 1)) return true
  return false
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c]
/** A comma, `[` or `{`: each is followed by a value. */
const VALUE_OPENERS = new Set([0x2c, 0x5b, 0x7b])

/** Counts values without parsing: parsing an oversized body is the cost to avoid. */
function hasMoreValues(bytes: Uint8Array, maxValues: number): boolean {
  let values = 1
  for (let at = 0; at < bytes.length && values <= maxValues; at += 1) {
    const byte = bytes[at]!
    if (byte === QUOTE) at = findStringEnd(bytes, at)
    else if (VALUE_OPENERS.has(byte)) values += 1
  }
  return values > maxValues
}

/** The index of the string's closing quote: the first unescaped one. */
function findStringEnd(bytes: Uint8Array, start: number): number {
  for (let at = bytes.indexOf(QUOTE, start + 1); at !== -1; at = bytes.indexOf(QUOTE, at + 1)) {
    let slashes = 0
    while (bytes[at - 1 - slashes] === BACKSLASH) slashes += 1
    if (slashes % 2 === 0) return at
  }
  return bytes.length
}
