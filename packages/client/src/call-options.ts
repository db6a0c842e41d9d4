import { checkInteger, checkNames } from './check.ts'
import { MAX_TIMEOUT_MS } from './client-options.ts'

/** The options of every call. */
export interface CallOptions {
  /** Aborts the call, and the waiting between its attempts. The call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds for each attempt, from 1 to 2147483647. Default: that of the client. */
  readonly timeoutMs?: number | undefined
  /**
   * Milliseconds for which the call is tried while the service cannot be reached, from 0 to 2147483647. Default: that of
   * the client for its kind of call.
   */
  readonly maxOutageMs?: number | undefined
  /** True to finish the call also if the page is closed (`keepalive` of `fetch`). Default: false. */
  readonly keepalive?: boolean | undefined
}

/** The options of calls that accept an idempotency key. */
export interface KeyedCallOptions extends CallOptions {
  /**
   * 1 to 255 visible ASCII characters. Calls with the same key within 24 hours write once. Default: a
   * random key for this call and its retries.
   */
  readonly idempotencyKey?: string | undefined
}

const NAMES = ['signal', 'timeoutMs', 'maxOutageMs', 'keepalive']

/** @throws TypeError naming the option and its rule */
export function checkCallOptions(options: KeyedCallOptions, acceptsKey = false): void {
  checkNames(options, acceptsKey ? [...NAMES, 'idempotencyKey'] : NAMES)
  const { signal, timeoutMs, maxOutageMs, idempotencyKey } = options
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw new TypeError('signal must be an AbortSignal.')
  checkInteger('timeoutMs', timeoutMs, 1, MAX_TIMEOUT_MS)
  checkInteger('maxOutageMs', maxOutageMs, 0, MAX_TIMEOUT_MS)
  if (idempotencyKey !== undefined && !/^[\x21-\x7e]{1,255}$/.test(idempotencyKey))
    throw new TypeError('idempotencyKey must be 1 to 255 visible ASCII characters.')
}
