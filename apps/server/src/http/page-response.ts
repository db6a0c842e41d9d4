import type { RateLimitStatus } from '@sales-crm/core'
import type { Html } from '../pages/markup.ts'
import type { HttpResponse, ResponseHeaders } from './response.ts'

export interface PageResponseOptions {
  /** Beside those every page carries. */
  readonly headers?: ResponseHeaders
  readonly cookies?: readonly string[]
  /**
   * What a form of the page may lead to besides us, as a source of the policy: browsers hold redirects after
   * it to that too.
   */
  readonly formAction?: string
  /**
   * Where its parts come from, as directives of the policy, where there are more than a style sheet and
   * pictures of ours.
   */
  readonly sources?: string
  /** As in a `Reply`. */
  readonly rateLimit?: RateLimitStatus | undefined
}

/** Nothing of a page is framed, is found by search engines or tells other sites its address. */
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

/** Sends a browser on with a GET, whatever it came with. */
export function redirect(location: string, cookies: readonly string[] = []): HttpResponse {
  const headers = {
    Location: location,
    'Content-Length': '0',
    'Referrer-Policy': PAGE_HEADERS['Referrer-Policy'],
  }
  return { status: 303, headers, cookies }
}

/** Nothing of a page runs, unless `sources` say so. */
function contentSecurityPolicy(formAction: string | undefined, sources = "img-src 'self'"): string {
  const targets = ["'self'", ...(formAction === undefined ? [] : [formAction])].join(' ')
  return `default-src 'none'; style-src 'self'; ${sources}; form-action ${targets}; base-uri 'none'; frame-ancestors 'none'`
}
