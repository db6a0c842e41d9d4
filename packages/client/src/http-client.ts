import type { AccessTokens } from './access-tokens.ts'
import { checkToken } from './check.ts'
import type { ClientSettings } from './client-options.ts'
import { CrmApiError, CrmConnectionError } from './errors.ts'
import { hasType, type ReadBody, readLines, readText } from './lines.ts'
import { readResponse } from './response.ts'
import { hasUnknownOutcome, isAlreadyDeleted, isRetryable, retryDelayMs } from './retry.ts'
import { type Runtime, rejectOnAbort } from './runtime.ts'
import { startTimeout } from './timeout.ts'

/** A call of the service, with all its attempts. */
export interface HttpCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Relative to the URL of the client, with encoded segments. */
  readonly path: string
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | URLSearchParams | Blob | Uint8Array<ArrayBuffer> | undefined
  /** True if executing the call twice has the effect of executing it once. */
  readonly isRepeatable: boolean
  /** Texts of the request, other than the token, that must not appear in an error. */
  readonly secrets?: readonly string[]
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number | undefined
  readonly maxOutageMs?: number | undefined
  readonly keepalive?: boolean | undefined
}

/** Reads a response within its timeout. */
type ReadResponse<T> = (response: Response, secrets: readonly string[]) => Promise<T>

type HttpSettings = Omit<ClientSettings, 'auth'>

/** Between two attempts while the service cannot be reached. */
const [MIN_OUTAGE_DELAY_MS, MAX_OUTAGE_DELAY_MS] = [500, 5_000]

/** Sends calls, retries them, and reads the responses. */
export class HttpClient {
  readonly #settings: HttpSettings
  readonly #runtime: Runtime

  constructor(settings: HttpSettings, runtime: Runtime) {
    this.#settings = settings
    this.#runtime = runtime
  }

  /**
   * Returns the JSON of the response, or undefined for a 204.
   * @throws CrmApiError, CrmConnectionError, or the signal's reason
   */
  send(call: HttpCall, tokens?: AccessTokens): Promise<unknown> {
    return this.#repeat(call, tokens, this.#readJson)
  }

  /**
   * Returns the JSON of each line of the response. The timeout is that of its beginning, and then that of each part.
   * @throws CrmApiError, CrmConnectionError, or the signal's reason
   */
  sendForLines(call: HttpCall, tokens?: AccessTokens): AsyncGenerator<unknown, void, undefined> {
    return this.#stream(call, tokens, 'application/x-ndjson', readLines)
  }

  /** Returns the text of a CSV response in parts, as `sendForLines` does lines. */
  sendForText(call: HttpCall, tokens?: AccessTokens): AsyncGenerator<string, void, undefined> {
    return this.#stream(call, tokens, 'text/csv', readText)
  }

  /** Returns the bytes of a response of this type. @throws CrmApiError, CrmConnectionError, or the signal's reason */
  async sendForBytes(call: HttpCall, tokens: AccessTokens | undefined, type: string) {
    const bytes = await this.#repeat(call, tokens, async (received, secrets) => {
      if (hasType(received, type)) return new Uint8Array(await received.arrayBuffer())
      await this.#readJson(received, secrets)
      throw new CrmApiError(`The response to ${call.path} is not ${type}.`, received)
    })
    return bytes ?? new Uint8Array()
  }

  async *#stream<T>(
    call: HttpCall,
    tokens: AccessTokens | undefined,
    type: string,
    readBody: ReadBody<T>,
  ): AsyncGenerator<T, void, undefined> {
    const { signal, timeoutMs = this.#settings.timeoutMs } = call
    const response = await this.#repeat(call, tokens, async (received, secrets) => {
      if (hasType(received, type)) return received
      await this.#readJson(received, secrets)
      throw new CrmApiError(`The response to ${call.path} is no export of the service.`, received)
    })
    if (!response) return
    try {
      yield* readBody(response, timeoutMs, signal)
    } catch (cause) {
      signal?.throwIfAborted()
      throw this.#connectionError(call, cause)
    }
  }

  readonly #readJson: ReadResponse<unknown> = async (response, secrets) =>
    readResponse(response, await response.text(), secrets, this.#runtime.now())

  async #repeat<T>(
    call: HttpCall,
    tokens: AccessTokens | undefined,
    read: ReadResponse<T>,
  ): Promise<T | undefined> {
    const { signal } = call
    const { now, random, sleep } = this.#runtime
    let retries = 0
    let wasRenewed = false
    let mayBeExecuted = false
    let unreachableSinceMs: number | undefined
    for (;;) {
      signal?.throwIfAborted()
      let token: string | undefined
      try {
        token = tokens && (await rejectOnAbort(tokens.get(), signal))
        return await this.#attempt(call, token, read)
      } catch (error) {
        signal?.throwIfAborted()
        if (tokens && token !== undefined && !wasRenewed && isUnauthorized(error)) {
          wasRenewed = true
          if (await rejectOnAbort(tokens.renew(token), signal)) continue
        }
        if (mayBeExecuted && isAlreadyDeleted(error, call)) return undefined
        unreachableSinceMs = error instanceof CrmConnectionError ? (unreachableSinceMs ?? now()) : undefined
        const remainingMs = this.#remainingOutageMs(call, unreachableSinceMs)
        const isLast = retries >= this.#settings.maxRetries
        if (!isRetryable(error, call) || (isLast && remainingMs <= 0)) throw error
        mayBeExecuted ||= hasUnknownOutcome(error)
        const delayMs = retryDelayMs(error, retries, random())
        await sleep(isLast ? Math.min(outageDelay(delayMs), remainingMs) : delayMs, signal)
        retries += 1
      }
    }
  }

  #remainingOutageMs({ method, maxOutageMs }: HttpCall, sinceMs: number | undefined): number {
    if (sinceMs === undefined) return 0
    const { maxOutageMs: forReads, maxWriteOutageMs: forWrites } = this.#settings
    return sinceMs + (maxOutageMs ?? (method === 'GET' ? forReads : forWrites)) - this.#runtime.now()
  }

  async #attempt<T>(call: HttpCall, token: string | undefined, read: ReadResponse<T>): Promise<T> {
    const { method, path, query = '', headers, body, signal, keepalive } = call
    const { url, fetch } = this.#settings
    if (token !== undefined) checkToken('The result of token', token)
    const timeout = startTimeout(call.timeoutMs ?? this.#settings.timeoutMs, signal)
    const secrets = [...(call.secrets ?? []), ...(token !== undefined ? [token] : [])]
    try {
      const response = await fetch(`${url}${path}${query}`, {
        method,
        headers: { ...headers, ...(token !== undefined && { Authorization: `Bearer ${token}` }) },
        ...(body !== undefined && { body }),
        ...(keepalive && { keepalive }),
        // Following a redirect could send the token elsewhere.
        redirect: 'manual',
        signal: timeout.signal,
      })
      return await read(response, secrets)
    } catch (cause) {
      throw cause instanceof CrmApiError ? cause : this.#connectionError(call, cause)
    } finally {
      timeout.stop()
    }
  }

  #connectionError({ method, path }: HttpCall, cause: unknown): CrmConnectionError {
    const { url } = this.#settings
    return new CrmConnectionError(`No complete response to ${method} ${url}${path}: ${reasonOf(cause)}`, {
      cause,
    })
  }
}

function outageDelay(delayMs: number): number {
  return Math.max(MIN_OUTAGE_DELAY_MS, Math.min(delayMs, MAX_OUTAGE_DELAY_MS))
}

function isUnauthorized(error: unknown): boolean {
  return error instanceof CrmApiError && error.status === 401
}

/** Node's `fetch` says why only in the cause of its error. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error && error.cause.message
    ? `${error.message} (${error.cause.message})`
    : error.message
}
