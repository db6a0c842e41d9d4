import { badRequest, CrmError } from '@sales-crm/core'
import { createBodyBudget, SMALL_BODY_BYTES } from './body-budget.ts'

export const MAX_BODY_BYTES = 1_048_576
const MAX_DEPTH = 64
/** Of a body's values: more than any operation can take, and few enough to be looked at at once. */
const MAX_VALUES = 20_000
/** Room comes back as bodies are answered or given up, and none takes longer to come than half a minute. */
const RETRY_AFTER_SECONDS = 5
export const JSON_MEDIA_TYPE = /^application\/(?:[a-z0-9!#$&^_.+-]+\+)?json$/i

/** One for the whole process, as its memory is. */
export const bodyBudget = createBodyBudget()

/** The rest of the body is still on its way, so the connection cannot be used again. */
export class UnreadBodyError extends CrmError {}

export class BodyTooLargeError extends UnreadBodyError {
  constructor() {
    super('bad_request', 'Request body is too large.')
  }
}

/**
 * The process holds as many bytes of bodies as it may: of the contract's answers the one that says to wait
 * and to send it again.
 */
export class BodyMemoryExhaustedError extends UnreadBodyError {
  readonly retryAfterSeconds = RETRY_AFTER_SECONDS

  constructor() {
    const notice = 'The bodies of other calls hold all the memory that bodies may.'
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
 * The JSON object a caller sent, held in memory only up to `limit` bytes.
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
 * As `readJson`, for where nothing at all is an empty object.
 * @throws CrmError `bad_request`, `rate_limit_exceeded`
 */
export async function readOptionalJson(request: Request): Promise<object> {
  const bytes = await readBytes(request, MAX_BODY_BYTES)
  if (bytes.length === 0) return {}
  assertJsonMediaType(request)
  return assertJsonObject(parseJson(bytes, MAX_VALUES))
}

/**
 * As `readJson`, for where it need not be an object.
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

/** A media type left out is forgiven; a character set other than UTF-8 is not. */
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
 * What was sent, held in memory only up to `limit` bytes, and only where there is room for it beside the
 * bodies of others.
 * @throws CrmError `bad_request`, `rate_limit_exceeded`
 */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  const contentLength = contentLengthOf(request)
  if (contentLength !== undefined && contentLength > limit) throw new BodyTooLargeError()
  if (!bodyBudget.hasCapacity(contentLength ?? 0)) throw new BodyMemoryExhaustedError()
  if (contentLength === undefined || contentLength > SMALL_BODY_BYTES)
    return request.body ? readChunks(request, request.body, limit) : new Uint8Array()
  reserveBytes(request, contentLength)
  // HTTP holds a sender to the length it declared, so this is bounded too.
  return new Uint8Array(await request.arrayBuffer().catch(throwInterrupted))
}

function contentLengthOf({ headers }: Request): number | undefined {
  const header = headers.get('content-length') ?? ''
  return /^\d+$/.test(header) ? Number(header) : undefined
}

/**
 * Of a large body only what has come is counted: whoever announces much and sends nothing keeps no room from
 * others.
 */
async function readChunks(
  request: Request,
  body: ReadableStream<Uint8Array>,
  limit: number,
): Promise<Uint8Array> {
  const reader = body.getReader()
  // Pieces of one byte each, kept as they come, would be a hundred times as large.
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

/** The caller broke off, or what it sent is no HTTP. Nobody reads the answer. */
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
/** Commas and what opens a list or an object: each begins a value. */
const VALUE_OPENERS = new Set([0x2c, 0x5b, 0x7b])

/** Counts by the marks of the text alone: to parse what is to be refused would be the harm itself. */
function hasMoreValues(bytes: Uint8Array, maxValues: number): boolean {
  let values = 1
  for (let at = 0; at < bytes.length && values <= maxValues; at += 1) {
    const byte = bytes[at]!
    if (byte === QUOTE) at = findStringEnd(bytes, at)
    else if (VALUE_OPENERS.has(byte)) values += 1
  }
  return values > maxValues
}

/** Where the string that begins at `start` ends: at the first quote that is not escaped. */
function findStringEnd(bytes: Uint8Array, start: number): number {
  for (let at = bytes.indexOf(QUOTE, start + 1); at !== -1; at = bytes.indexOf(QUOTE, at + 1)) {
    let slashes = 0
    while (bytes[at - 1 - slashes] === BACKSLASH) slashes += 1
    if (slashes % 2 === 0) return at
  }
  return bytes.length
}
