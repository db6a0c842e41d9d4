import type { EndpointWindow } from '../http/routes/route.ts'

/** Default rate limits of the methods. Operators can change them. */
const CALLS_PER_MINUTE: Readonly<Record<string, number>> = { GET: 1000, POST: 200, PATCH: 200, DELETE: 100 }

const BODY_MEMORY_NOTE = ', or no memory is left for a large body'
const METHODS_WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PATCH', 'PUT'])

/** Describes a 429 response. */
export function rateLimitDescription(window: 'app' | EndpointWindow, method: string): string {
  const retryNote = 'Wait for the number of seconds in `Retry-After`. Operators can change the limit.'
  if (window === 'OAUTH')
    return `More than 20 calls to this endpoint from one address per minute${BODY_MEMORY_NOTE}. ${retryNote}`
  if (window === 'REGISTER') {
    return (
      'More than 10 calls to this endpoint from one address per hour, too many calls for the e-mail ' +
      `address${BODY_MEMORY_NOTE}. ${retryNote}`
    )
  }
  if (window === 'address')
    return `More than ${CALLS_PER_MINUTE['GET']} GET calls from one address per minute. ${retryNote}`
  const bodyNote = METHODS_WITH_BODY.has(method) ? BODY_MEMORY_NOTE : ''
  const limit = CALLS_PER_MINUTE[method]
  return `More than ${limit} ${method} calls by the app per minute${bodyNote}. ${retryNote}`
}
