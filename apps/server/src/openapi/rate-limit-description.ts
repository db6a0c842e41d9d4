import type { LimitedBy } from './documented-route.ts'

/** Default rate limits of the methods. Operators can change them. */
const CALLS_PER_MINUTE: Readonly<Record<string, number>> = { GET: 1000, POST: 200, PATCH: 200, DELETE: 100 }

const BODY_MEMORY_NOTE = ', or a large body for which those of other calls leave no room'
const METHODS_WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PATCH'])

/** Describes a 429 response. */
export function rateLimitDescription(limitedBy: LimitedBy, method: string): string {
  const retryNote = 'Wait for the seconds in `Retry-After`. An operator may set another number.'
  if (limitedBy === 'OAUTH')
    return `More than 20 calls of this endpoint from one address in a minute${BODY_MEMORY_NOTE}. ${retryNote}`
  if (limitedBy === 'REGISTER') {
    return (
      'More than 10 calls of this endpoint from one address in an hour, too many for the e-mail ' +
      `address${BODY_MEMORY_NOTE}. ${retryNote}`
    )
  }
  if (limitedBy === 'address')
    return `More than ${CALLS_PER_MINUTE['GET']} GETs from one address in a minute. ${retryNote}`
  const bodyNote = METHODS_WITH_BODY.has(method) ? BODY_MEMORY_NOTE : ''
  const limit = CALLS_PER_MINUTE[method]
  return `More than ${limit} calls with ${method} by the app in a minute${bodyNote}. ${retryNote}`
}
