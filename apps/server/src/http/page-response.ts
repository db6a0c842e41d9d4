import type { RateLimitStatus } from '@sales-crm/core'
import type { Html } from '../pages/markup.ts'
import type { HttpResponse, ResponseHeaders } from './response.ts'

export interface PageResponseOptions {
  /** In addition to `PAGE_HEADERS`. */
  readonly headers?: ResponseHeaders
  readonly cookies?: readonly string[]
  /**
   * An additional `form-action` source: browsers apply the policy to the redirect that follows a form post
   * too.
   */
  readonly formAction?: string
  /**
   * Replaces the `img-src` directive, for pages that load more than a style sheet and the service's images.
   */
  readonly sources?: string
  /** See `HttpResponse.rateLimit`. */
  readonly rateLimit?: RateLimitStatus | undefined
}

/** Pages are not framed, not indexed, and do not send their URL to other sites. */
const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'X-Robots-Tag': 'noindex',
}

export function pageResponse(
  status: HttpResponse['status'],
  html: Html,
  options: PageResponseOptions = {},
): HttpResponse {
  const { headers, cookies = [], formAction, sources, rateLimit } = options
  const policy = { 'Content-Security-Policy': contentSecurityPolicy(formAction, sources) }
  return {
    status,
    raw: String(html),
    headers: { ...PAGE_HEADERS, ...policy, ...headers },
    cookies,
    rateLimit,
  }
}

/** A 303: the browser follows it with a GET, regardless of its own method. */
export function redirect(location: string, cookies: readonly string[] = []): HttpResponse {
  const headers = {
    Location: location,
    'Content-Length': '0',
    'Referrer-Policy': PAGE_HEADERS['Referrer-Policy'],
  }
  return { status: 303, headers, cookies }
}

/** Scripts are blocked unless `sources` allows them. */
function contentSecurityPolicy(formAction: string | undefined, sources = "img-src 'self'"): string {
  const targets = ["'self'", ...(formAction === undefined ? [] : [formAction])].join(' ')
  return `default-src 'none'; style-src 'self'; ${sources}; form-action ${targets}; base-uri 'none'; frame-ancestors 'none'`
}
