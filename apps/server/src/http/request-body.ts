import { badRequest, CrmError } from '@sales-crm/core'
import { createBodyBudget, SMALL_BODY_BYTES } from './body-budget.ts'

export const MAX_BODY_BYTES = 1_048_576
const MAX_DEPTH = 64
/**
 * Maximum number of JSON values in a body: more than any operation uses, and few enough to validate at once.
 */
const MAX_VALUES = 20_000
/** Memory is freed when requests finish, and no body takes longer than 30 seconds to arrive. */
const RETRY_AFTER_SECONDS = 5
export const JSON_MEDIA_TYPE = /^application\/(?:[a-z0-9!#$&^_.+-]+\+)?json$/i

/** One budget for the whole process, because its memory is shared. */
export const bodyBudget = createBodyBudget()

/** The rest of the body has not been read, so the connection cannot be reused. */
export class UnreadBodyError extends CrmError {}

export class BodyTooLargeError extends UnreadBodyError {
  constructor() {
    super('bad_request', 'Request body is too large.')
  }
}

/**
 * Thrown when the process buffers as many body bytes as it may. Of the contract's errors,
 * `rate_limit_exceeded` is the one that tells a client to retry later.
 */
export class BodyMemoryExhaustedError extends UnreadBodyError {
  readonly retryAfterSeconds = RETRY_AFTER_SECONDS

  constructor() {
    const notice = 'The memory for request bodies is exhausted.'
    super(
      'rate_limit_exceeded',
      `Rate limit exceeded. Try again in ${RETRY_AFTER_SECONDS} seconds.`,
      undefined,
      { notice },
    )
  }
}

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

function invalidJsonError(): CrmError {
  return badRequest('Request body must be valid JSON.')
}

/** True if the body's media type matches or is omitted, and its character set is UTF-8 or omitted. */
export function hasMediaType(request: Request, type: RegExp): boolean {
  const [mediaType = '', ...parameters] = (request.headers.get('content-type') ?? '')
    .split(';')
    .map((part) => part.trim())
  const charsets = parameters
    .map((each) => /^charset\s*=\s*"?([^"]*)"?$/i.exec(each)?.[1])
    .filter((each) => each !== undefined)
  return (mediaType === '' || type.test(mediaType)) && charsets.every((charset) => /^utf-?8$/i.test(charset))
}

/**
 * Reads a body of up to `limit` bytes, if the process has memory left for it.
 * @throws CrmError `bad_request`, `rate_limit_exceeded`
 */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  const contentLength = contentLengthOf(request)
  if (contentLength !== undefined && contentLength > limit) throw new BodyTooLargeError()
  if (!bodyBudget.hasCapacity(contentLength ?? 0)) throw new BodyMemoryExhaustedError()
  if (contentLength === undefined || contentLength > SMALL_BODY_BYTES)
    return request.body ? readChunks(request, request.body, limit) : new Uint8Array()
  reserveBytes(request, contentLength)
  // HTTP enforces the declared length, so this read is bounded.
  return new Uint8Array(await request.arrayBuffer().catch(throwInterrupted))
}

function contentLengthOf({ headers }: Request): number | undefined {
  const header = headers.get('content-length') ?? ''
  return /^\d+$/.test(header) ? Number(header) : undefined
}

/**
 * Reserves memory for a large body as its chunks arrive: a client that declares a large body and sends
 * nothing reserves nothing.
 */
async function readChunks(
  request: Request,
  body: ReadableStream<Uint8Array>,
  limit: number,
): Promise<Uint8Array> {
  const reader = body.getReader()
  // A list of one-byte chunks would take a hundred times the memory.
  let bytes = new Uint8Array()
  let size = 0
  for (;;) {
    const { done, value } = await reader.read().catch(throwInterrupted)
    if (done) return bytes.subarray(0, size)
    if (size + value.byteLength > limit) throw new BodyTooLargeError()
    reserveBytes(request, value.byteLength)
    if (size + value.byteLength > bytes.length) bytes = growBuffer(bytes, size + value.byteLength)
    bytes.set(value, size)
    size += value.byteLength
  }
}

function growBuffer(bytes: Uint8Array, minLength: number): Uint8Array<ArrayBuffer> {
  const grown = Buffer.allocUnsafe(Math.max(minLength, 2 * bytes.length))
  grown.set(bytes)
  return grown
}

/** @throws CrmError `rate_limit_exceeded` */
function reserveBytes(request: Request, bytes: number): void {
  if (!bodyBudget.reserve(request, bytes)) throw new BodyMemoryExhaustedError()
}

/** The client aborted, or sent invalid HTTP. It does not receive this error. */
function throwInterrupted(): never {
  throw invalidJsonError()
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
