import type { ErrorResponse } from './api-types.ts'
import { CrmApiError } from './errors.ts'

const EXCERPT_LENGTH = 200

/**
 * Returns the JSON of a success, or undefined for an empty 204.
 * @param secrets texts that must not appear in an error: a proxy's page may repeat the request
 * @param nowMs milliseconds since 1970
 * @throws CrmApiError for any other response
 */
export function readResponse(
  response: Response,
  text: string,
  secrets: readonly string[],
  nowMs: number,
): unknown {
  const { status } = response
  if (status === 204) return undefined
  const safeText = secrets.reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text)
  const details = {
    status,
    requestId: response.headers.get('X-Request-ID') ?? undefined,
    retryAfterSeconds: parseRetryAfter(response.headers.get('Retry-After'), nowMs),
    existingIds: response.headers.get('X-Existing-Id')?.split(', '),
  }
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400))
    throw new CrmApiError(describeRedirect(response), details)
  const json = parseJson(response.ok ? text : safeText)
  if (response.ok && json !== undefined) return json
  if (!response.ok && isErrorResponse(json)) {
    const { message, request_id: requestId = details.requestId, ...rest } = json.error
    throw new CrmApiError(message, { ...details, ...rest, requestId })
  }
  const excerpt = safeText.trim().slice(0, EXCERPT_LENGTH)
  throw new CrmApiError(
    `Status ${status}, but not a response of the service: ${excerpt || 'no text'}`,
    details,
  )
}

/** Names the target's origin alone: its path and query may repeat the request. */
function describeRedirect({ status, headers, url }: Response): string {
  const location = headers.get('Location')
  const base = url || undefined
  const target = location && URL.canParse(location, base) ? ` to ${new URL(location, base).origin}` : ''
  return `Redirect${target} (status ${status}) not followed: url must be that of the service.`
}

/** The service sends seconds. Proxies may send a date. */
function parseRetryAfter(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined
  if (/^\d+$/.test(header)) return Number(header)
  const seconds = Math.ceil((Date.parse(header) - nowMs) / 1000)
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isErrorResponse(json: unknown): json is ErrorResponse {
  const { error } = (json ?? {}) as { error?: { code?: unknown; message?: unknown } | null }
  return typeof error?.code === 'string' && typeof error.message === 'string'
}
