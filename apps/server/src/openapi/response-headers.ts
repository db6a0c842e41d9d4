type Json = Readonly<Record<string, unknown>>

const nonNegativeInteger = { type: 'integer', minimum: 0 }

export const RESPONSE_HEADERS: Readonly<Record<string, Json>> = {
  'X-Request-ID': {
    description: 'Request id, a UUID. Include it in support requests.',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  },
  'X-RateLimit-Limit': {
    description: 'Maximum number of calls in the window. Absent if the limit is disabled.',
    schema: nonNegativeInteger,
  },
  'X-RateLimit-Remaining': { description: 'Remaining calls in the window.', schema: nonNegativeInteger },
  'X-RateLimit-Reset': {
    description: 'End of the window, in Unix seconds.',
    schema: nonNegativeInteger,
  },
  'Retry-After': {
    description: 'Seconds to wait before a retry.',
    required: true,
    schema: nonNegativeInteger,
  },
  'Idempotent-Replayed': {
    description:
      'Present if this is the response to an earlier request with the same `Idempotency-Key`; ' +
      'nothing was created now.',
    schema: { type: 'string', enum: ['true'] },
  },
  'X-Existing-Id': {
    description:
      'For a taken value: the ids of the records that hold it, at most ten, separated by commas. Absent without the ' +
      'scope to read them.',
    schema: { type: 'string' },
  },
  ETag: {
    description: 'Version of the record, for `If-Match`, with a hash of the response, for `If-None-Match`.',
    required: true,
    schema: { type: 'string' },
  },
  'WWW-Authenticate': {
    description: 'Authentication scheme, or the missing scope.',
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
