type Json = Readonly<Record<string, unknown>>

const nonNegativeInteger = { type: 'integer', minimum: 0 }

export const RESPONSE_HEADERS: Readonly<Record<string, Json>> = {
  'X-Request-ID': {
    description: 'A UUID made by the service. Please quote it in reports.',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  },
  'X-RateLimit-Limit': {
    description: 'Calls in the window. Left out where the limit is switched off.',
    schema: nonNegativeInteger,
  },
  'X-RateLimit-Remaining': { description: 'Calls left in the window.', schema: nonNegativeInteger },
  'X-RateLimit-Reset': {
    description: 'When the window closes, in Unix seconds.',
    schema: nonNegativeInteger,
  },
  'Retry-After': {
    description: 'Seconds to wait before the call is made again.',
    required: true,
    schema: nonNegativeInteger,
  },
  'Idempotent-Replayed': {
    description:
      'There where an earlier request with this `Idempotency-Key` was answered this, ' +
      'and nothing was made now.',
    schema: { type: 'string', enum: ['true'] },
  },
  'WWW-Authenticate': {
    description: 'How to authenticate, or which scope is missing.',
    required: true,
    schema: { type: 'string' },
  },
}

const COMMON_HEADERS = ['X-Request-ID', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']

/** Returns references to the headers of every response and to `more`, by name. */
export function headerReferences(more: readonly string[]): Json {
  return Object.fromEntries(
    [...COMMON_HEADERS, ...more].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  )
}
