import { badRequest, CrmError } from '@sales-crm/core'
import { withTimeout } from '../process/timeout.ts'
import { BodyBudget, type BodySender, type BodyShare, bodyShares } from './body-budget.ts'
import { RetryLaterError } from './errors.ts'

export const MAX_BODY_BYTES = 1_048_576
const MAX_DEPTH = 64
/**
 * Maximum number of JSON values in a body: more than any operation uses, and few enough to validate at once.
 */
const MAX_VALUES = 20_000
/** So much of a body costs about as much as its connection, so it is not counted. */
const TINY_BODY_BYTES = 16 * 1024
/** A call with a larger body takes its turn like a list. */
const SMALL_BODY_BYTES = 64 * 1024
/** A tiny body must arrive within this time, and a larger one at least at this rate in each interval. */
const [ARRIVAL_TIMEOUT_MS, MIN_BYTES_PER_SECOND, RATE_INTERVAL_MS] = [30_000, 16 * 1024, 5_000]
/** Memory is freed when requests finish, and a stalled body ends after one interval. */
const RETRY_AFTER_SECONDS = 5
export const JSON_MEDIA_TYPE = /^application\/(?:[a-z0-9!#$&^_.+-]+\+)?json$/i

/** One budget for the whole process, because its memory is shared. */
export const bodyBudget = new BodyBudget()

/** What reading a body requires of its request. */
export interface BodySource {
  sender(): BodySender
  /** Called before the body is read, for a client that waits for `100 Continue`. */
  onRead?(): void
}

const sources = new WeakMap<Request, BodySource>()
const receivedBodies = new WeakMap<Request, Uint8Array>()
const UNKNOWN_SOURCE: BodySource = { sender: () => ({ address: '' }) }

export function setBodySource(request: Request, source: BodySource): void {
  sources.set(request, source)
}

/** The rest of the body has not been read, so the connection cannot be reused. */
export class UnreadBodyError extends CrmError {}

export class BodyTooLargeError extends UnreadBodyError {
  constructor() {
    super('bad_request', 'Request body is too large.')
  }
}

/** The sender's share of the memory for bodies is used up. The rest of the body has not been read. */
export class BodyMemoryExhaustedError extends RetryLaterError {
  constructor() {
    super(RETRY_AFTER_SECONDS, 'The share of the memory for request bodies is used up.')
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
 * Receives the body of a call that takes turns, so that no turn waits for a sender. A later read returns it.
 * @returns true if the body is large
 * @throws CrmError `bad_request`, `rate_limit_exceeded`
 */
export async function receiveBody(
  request: Request,
  isQueued: boolean,
  limit = MAX_BODY_BYTES,
): Promise<boolean> {
  if (request.method === 'GET' || request.method === 'HEAD') return false
  const contentLength = contentLengthOf(request) ?? (request.headers.has('transfer-encoding') ? limit : 0)
  if (contentLength <= TINY_BODY_BYTES && !isQueued) return false
  const bytes = await readBytes(request, limit)
  receivedBodies.set(request, bytes)
  return bytes.length > SMALL_BODY_BYTES
}

/**
 * Reads a body of up to `limit` bytes, if the sender has memory left for it.
 * @throws CrmError `bad_request`, `rate_limit_exceeded`
 */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  const received = receivedBodies.get(request)
  if (received) return received
  const contentLength = contentLengthOf(request)
  if (contentLength !== undefined && contentLength > limit) throw new BodyTooLargeError()
  const source = sources.get(request) ?? UNKNOWN_SOURCE
  if (contentLength === undefined || contentLength > TINY_BODY_BYTES)
    return readCounted(request, source, contentLength ?? 0, limit)
  source.onRead?.()
  // HTTP enforces the declared length, so this read is bounded.
  const body = request.arrayBuffer().catch(throwInterrupted)
  return new Uint8Array(await withTimeout(body, ARRIVAL_TIMEOUT_MS, slowBodyError))
}

async function readCounted(
  request: Request,
  source: BodySource,
  contentLength: number,
  limit: number,
): Promise<Uint8Array> {
  const shares = bodyShares(source.sender())
  if (!bodyBudget.hasCapacity(Math.max(0, contentLength - TINY_BODY_BYTES), shares))
    throw new BodyMemoryExhaustedError()
  source.onRead?.()
  return request.body ? new BodyReader(request, shares).read(request.body, limit) : new Uint8Array()
}

function contentLengthOf({ headers }: Request): number | undefined {
  const header = headers.get('content-length') ?? ''
  return /^\d+$/.test(header) ? Number(header) : undefined
}

/** Reads a body in chunks. Memory is reserved as they arrive: a declared length reserves nothing. */
class BodyReader {
  readonly #request: Request
  readonly #shares: readonly BodyShare[]
  // One buffer: a list of one-byte chunks would take a hundred times the memory.
  #bytes = new Uint8Array()
  #size = 0

  constructor(request: Request, shares: readonly BodyShare[]) {
    this.#request = request
    this.#shares = shares
  }

  async read(body: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array> {
    const reader = body.getReader()
    const rate = this.#watchRate()
    try {
      for (;;) {
        const { done, value } = await Promise.race([reader.read().catch(throwInterrupted), rate.failure])
        if (done) return this.#bytes.subarray(0, this.#size)
        this.#append(value, limit)
      }
    } finally {
      rate.stop()
    }
  }

  /** Rejects `failure` once too few bytes arrive in an interval. */
  #watchRate() {
    const { promise, reject } = Promise.withResolvers<never>()
    promise.catch(() => {})
    let sizeBefore = 0
    const timer = setInterval(() => {
      if (this.#size - sizeBefore < (MIN_BYTES_PER_SECOND * RATE_INTERVAL_MS) / 1000) reject(slowBodyError())
      sizeBefore = this.#size
    }, RATE_INTERVAL_MS)
    return { failure: promise, stop: () => clearInterval(timer) }
  }

  /** @throws CrmError `bad_request`, `rate_limit_exceeded` */
  #append(chunk: Uint8Array, limit: number): void {
    const size = this.#size + chunk.byteLength
    if (size > limit) throw new BodyTooLargeError()
    const counted = Math.max(0, size - Math.max(this.#size, TINY_BODY_BYTES))
    if (!bodyBudget.reserve(this.#request, counted, this.#shares)) throw new BodyMemoryExhaustedError()
    if (size > this.#bytes.length) {
      const grown = Buffer.allocUnsafe(Math.max(size, 2 * this.#bytes.length))
      grown.set(this.#bytes)
      this.#bytes = grown
    }
    this.#bytes.set(chunk, this.#size)
    this.#size = size
  }
}

function slowBodyError(): CrmError {
  return new UnreadBodyError('bad_request', 'Request did not arrive in time.')
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
