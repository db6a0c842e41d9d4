import type { LimitedBy } from './documented-route.ts'

/** Calls in a minute, as they are unless an operator sets another number. */
const CALLS_PER_MINUTE: Readonly<Record<string, number>> = { GET: 1000, POST: 200, PATCH: 200, DELETE: 100 }

const BODY_MEMORY_NOTE = ', or a large body for which those of other calls leave no room'
const METHODS_WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PATCH'])

/** What a 429 says. */
export function rateLimitDescription(limitedBy: LimitedBy, method: string): string {
  const wait = 'Wait for the seconds in `Retry-After`. An operator may set another number.'
  if (limitedBy === 'OAUTH')
    return `More than 20 calls of this endpoint from one address in a minute${BODY_MEMORY_NOTE}. ${wait}`
  if (limitedBy === 'REGISTER') {
    return `More than 10 calls of this endpoint from one address in an hour, too many for the e-mail address${BODY_MEMORY_NOTE}. ${wait}`
  }
  if (limitedBy === 'address')
    return `More than ${CALLS_PER_MINUTE['GET']} GETs from one address in a minute. ${wait}`
  const more = METHODS_WITH_BODY.has(method) ? BODY_MEMORY_NOTE : ''
  return `More than ${CALLS_PER_MINUTE[method]} calls with ${method} by the app in a minute${more}. ${wait}`
}
