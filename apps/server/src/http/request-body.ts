import { badRequest, CrmError, type FieldErrors } from '@sales-crm/core'
import { RetryLaterError } from '@sales-crm/core/ports'
import { withTimeout } from '../process/timeout.ts'
import { HostError } from './errors.ts'
import { BodyBudget, type BodySender, bodyShares } from './limits/body-budget.ts'

export const MAX_BODY_BYTES = 1_048_576
/** So much of a body costs about as much as its connection: it is not counted, and its call takes no turn. */
const TINY_BODY_BYTES = 16 * 1024
/** A tiny body must arrive within this time, and a larger one at least at this rate in each interval. */
const [ARRIVAL_TIMEOUT_MS, MIN_BYTES_PER_SECOND, RATE_INTERVAL_MS] = [30_000, 16 * 1024, 5_000]
const BODY_WAS_READ =
  'The body of this request was read before it reached the CRM. Mount the CRM before any body parser, or hand on the bytes in request.rawBody.'
/** Memory is freed when requests finish, and a stalled body ends after one interval. */
const RETRY_AFTER_SECONDS = 5

/** One budget for the whole process, because its memory is shared. */
export const bodyBudget = new BodyBudget()

/** What reading a body requires of its request. */
export interface BodySource {
  sender(): BodySender
  /** True if the application that embeds the service has read the body from the connection. */
  wasReadByHost?(): boolean
  /** Called before the body is read, for a client that waits for `100 Continue`. */
  onRead?(): void
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

/** The body of a request, read once, in the memory that its sender has left. */
export class RequestBody {
  readonly #request: Request
  readonly #source: BodySource
  #received: Uint8Array<ArrayBuffer> | undefined

  constructor(request: Request, source: BodySource) {
    this.#request = request
    this.#source = source
  }

  get contentEncoding(): string {
    return this.#request.headers.get('Content-Encoding')?.trim().toLowerCase() ?? 'identity'
  }

  /** True if the media type matches or is omitted, and the character set is UTF-8 or omitted. */
  hasMediaType(type: RegExp): boolean {
    const [mediaType = '', ...parameters] = (this.#request.headers.get('Content-Type') ?? '')
      .split(';')
      .map((part) => part.trim())
    const charsets = parameters
      .map((each) => /^charset\s*=\s*"?([^"]*)"?$/i.exec(each)?.[1])
      .filter((each) => each !== undefined)
    return (
      (mediaType === '' || type.test(mediaType)) && charsets.every((charset) => /^utf-?8$/i.test(charset))
    )
  }

  /**
   * Receives the body of a call that takes turns, so that no turn waits for a sender. The next read returns it.
   * @returns true if the body is large
   * @throws CrmError `bad_request`, `rate_limit_exceeded`
   */
  async receive(isLong: boolean, limit = MAX_BODY_BYTES): Promise<boolean> {
    if ((this.#contentLength() ?? limit) <= TINY_BODY_BYTES && !isLong) return false
    this.#received = await this.read(limit)
    return this.#received.length > TINY_BODY_BYTES
  }

  /**
   * Reads a body of up to `limit` bytes, if the sender has memory left for it.
   * @throws CrmError `bad_request`, `rate_limit_exceeded`
   * @throws HostError if the body has been read before
   */
  async read(limit: number): Promise<Uint8Array<ArrayBuffer>> {
    const received = this.#received
    this.#received = undefined
    if (received) return received
    if (this.#request.bodyUsed || this.#source.wasReadByHost?.() === true) throw new HostError(BODY_WAS_READ)
    const contentLength = this.#contentLength()
    if (contentLength !== undefined && contentLength > limit) throw new BodyTooLargeError()
    if (contentLength === undefined || contentLength > TINY_BODY_BYTES)
      return this.#readCounted(contentLength ?? 0, limit)
    this.#source.onRead?.()
    // HTTP enforces the declared length, so this read is bounded.
    const bytes = this.#request.arrayBuffer().catch(throwInterrupted)
    return new Uint8Array(await withTimeout(bytes, ARRIVAL_TIMEOUT_MS, slowBodyError))
  }

  /** Releases the memory. Idempotent. */
  release(): void {
    bodyBudget.release(this)
  }

  async #readCounted(contentLength: number, limit: number): Promise<Uint8Array<ArrayBuffer>> {
    const shares = bodyShares(this.#source.sender())
    if (!bodyBudget.hasCapacity(Math.max(0, contentLength - TINY_BODY_BYTES), shares))
      throw new BodyMemoryExhaustedError()
    this.#source.onRead?.()
    const { body } = this.#request
    const reserve = (bytes: number) => bodyBudget.reserve(this, bytes, shares)
    return body ? new BodyReader(reserve).read(body, limit) : new Uint8Array()
  }

  #contentLength(): number | undefined {
    const header = this.#request.headers.get('Content-Length') ?? ''
    return /^\d+$/.test(header) ? Number(header) : undefined
  }
}

/** Reads a body in chunks. Memory is reserved as they arrive: a declared length reserves nothing. */
class BodyReader {
  readonly #reserve: (bytes: number) => boolean
  // One buffer: a list of one-byte chunks would take a hundred times the memory.
  #bytes = new Uint8Array()
  #size = 0
  #isOver = false

  /** @param reserve returns false if the sender has no memory left */
  constructor(reserve: (bytes: number) => boolean) {
    this.#reserve = reserve
  }

  async read(body: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array<ArrayBuffer>> {
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
  async #readChunks(
    reader: ReadableStreamDefaultReader<Uint8Array>,
    limit: number,
  ): Promise<Uint8Array<ArrayBuffer>> {
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
    if (!this.#reserve(counted)) throw new BodyMemoryExhaustedError()
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
