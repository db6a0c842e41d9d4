import type { Counted } from './told-route.ts'

/** Calls in a minute, as they are unless an operator sets another number. */
const A_MINUTE: Readonly<Record<string, number>> = { GET: 1000, POST: 200, PATCH: 200, DELETE: 100 }

const CROWDED = ', or a large body for which those of other calls leave no room'
const WITH_BODIES: ReadonlySet<string> = new Set(['POST', 'PATCH'])

/** What a 429 says. */
export function countedText(counted: Counted, method: string): string {
  const wait = 'Wait for the seconds in `Retry-After`. An operator may set another number.'
  if (counted === 'OAUTH') return `More than 20 calls of this endpoint from one address in a minute${CROWDED}. ${wait}`
  if (counted === 'REGISTER') {
    return `More than 10 calls of this endpoint from one address in an hour, too many for the e-mail address${CROWDED}. ${wait}`
  }
  if (counted === 'address') return `More than ${A_MINUTE['GET']} GETs from one address in a minute. ${wait}`
  const more = WITH_BODIES.has(method) ? CROWDED : ''
  return `More than ${A_MINUTE[method]} calls with ${method} by the app in a minute${more}. ${wait}`
}
