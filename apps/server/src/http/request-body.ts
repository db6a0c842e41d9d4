import { badRequest, CrmError, type FieldErrors } from '@sales-crm/core'
import { withTimeout } from '../process/timeout.ts'
import { BodyBudget, type BodySender, type BodyShare, bodyShares } from './body-budget.ts'
import { RetryLaterError } from './errors.ts'

export const MAX_BODY_BYTES = 1_048_576
/** So much of a body costs about as much as its connection: it is not counted, and its call takes no turn. */
const TINY_BODY_BYTES = 16 * 1024
/** A tiny body must arrive within this time, and a larger one at least at this rate in each interval. */
const [ARRIVAL_TIMEOUT_MS, MIN_BYTES_PER_SECOND, RATE_INTERVAL_MS] = [30_000, 16 * 1024, 5_000]
/** Memory is freed when requests finish, and a stalled body ends after one interval. */
const RETRY_AFTER_SECONDS = 5

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
  if (request.method !== 'POST' && request.method !== 'PATCH') return false
  const contentLength = contentLengthOf(request) ?? limit
  if (contentLength <= TINY_BODY_BYTES && !isQueued) return false
  const bytes = await readBytes(request, limit)
  receivedBodies.set(request, bytes)
  return bytes.length > TINY_BODY_BYTES
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
  #isOver = false

  constructor(request: Request, shares: readonly BodyShare[]) {
    this.#request = request
    this.#shares = shares
  }

  async read(body: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array> {
    const { promise: tooSlow, reject } = Promise.withResolvers<never>()
    let sizeBefore = 0
    const timer = setInterval(() => {
      if (this.#size - sizeBefore < (MIN_BYTES_PER_SECOND * RATE_INTERVAL_MS) / 1000) reject(slowBodyError())
      sizeBefore = this.#size
    }, RATE_INTERVAL_MS)
    try {
      return await Promise.race([this.#readChunks(body.getReader(), limit), tooSlow])
    } finally {
      clearInterval(timer)
      this.#isOver = true
    }
  }

  /** Stops after a refusal: the bytes of the request are then released. */
  async #readChunks(reader: ReadableStreamDefaultReader<Uint8Array>, limit: number): Promise<Uint8Array> {
    for (;;) {
      const { done, value } = await reader.read().catch(throwInterrupted)
      if (done || this.#isOver) return this.#bytes.subarray(0, this.#size)
      this.#append(value, limit)
    }
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

export function invalidJsonError(fields?: FieldErrors): CrmError {
  return badRequest('Request body must be valid JSON.', fields)
}

/** The client aborted, or sent invalid HTTP. It does not receive this error. */
function throwInterrupted(): never {
  throw invalidJsonError()
}
