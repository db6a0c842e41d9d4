import { CrmError } from './errors.ts'
import type { RateLimitStatus } from './rate-limit.ts'

/** Returns a `rate_limit_exceeded` error that says when to try again. */
export function rateLimitExceeded(rateLimit: RateLimitStatus): CrmError {
  return new CrmError(
    'rate_limit_exceeded',
    `Rate limit exceeded. Try again in ${rateLimit.retryAfterSeconds} seconds.`,
    undefined,
    {
      rateLimit,
    },
  )
}

/**
 * Thrown when a caller's share of the service is used up. Of the contract's errors, `rate_limit_exceeded` is
 * the one that tells a client to retry later.
 */
export class RetryLaterError extends CrmError {
  readonly retryAfterSeconds: number

  /**
   * @param logMessage detail for the operator's log that the caller does not get
   * @param reason a sentence that the caller gets
   */
  constructor(retryAfterSeconds: number, logMessage: string, reason = 'Rate limit exceeded.') {
    const message = `${reason} Try again in ${retryAfterSeconds} seconds.`
    super('rate_limit_exceeded', message, undefined, { logMessage })
    this.retryAfterSeconds = retryAfterSeconds
  }
}
