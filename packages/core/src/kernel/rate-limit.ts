/** At most `limit` calls in a window that opens with the first of them. */
export interface RateLimit {
  /** The caller and what is counted: `app:<client_id>:GET`. */
  readonly key: string
  /** Maximum number of calls in a window. */
  readonly limit: number
  /** Length of the window. */
  readonly seconds: number
}

/** The state of a limit after a counted call, as the `X-RateLimit-*` and `Retry-After` headers report it. */
export interface RateLimitStatus {
  /** Maximum number of calls in the window. */
  readonly limit: number
  /** Calls counted in this window, the present one included. More than `limit` means refused. */
  readonly used: number
  /** Unix seconds at which the window closes, rounded up. */
  readonly resetsAt: number
  /** Whole seconds until the window closes, rounded up, at least 1. */
  readonly retryAfterSeconds: number
}

/**
 * Builds the status after a counted call, for an `AccessGate`.
 * @param used calls counted in the window, the present one included
 * @param closesAt Unix milliseconds at which the window closes
 * @param remaining milliseconds until then, by the clock that counts
 */
export function toRateLimitStatus(
  { limit }: RateLimit,
  used: number,
  closesAt: number,
  remaining: number,
): RateLimitStatus {
  return {
    limit,
    used,
    resetsAt: Math.ceil(closesAt / 1000),
    retryAfterSeconds: Math.max(1, Math.ceil(remaining / 1000)),
  }
}

/** True if the counted call exceeds its limit and must be rejected. False without a limit. */
export function isOverLimit(rateLimit: RateLimitStatus | undefined): rateLimit is RateLimitStatus {
  return rateLimit !== undefined && rateLimit.used > rateLimit.limit
}
