import type { Html } from '../pages/markup.ts'
import type { ResponseHeaders } from './response.ts'

export interface PageResponseOptions {
  /** In addition to `PAGE_HEADERS`. */
  readonly headers?: ResponseHeaders
  /** One `Set-Cookie` header each. */
  readonly cookies?: readonly string[]
  /**
   * Leaves out `form-action`, which browsers apply to every redirect after a form as well: an app may send its users
   * on to any address, also one of a scheme of its own.
   */
  readonly mayLeave?: true
  /**
   * Replaces the `img-src` directive, for pages that load more than a style sheet and the service's images.
   */
  readonly sources?: string
  /** Allows the inline styles that have this nonce, besides the service's style sheets. */
  readonly styleNonce?: string
}

/** Pages are not framed, not indexed, and do not send their URL to other sites. */
const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'X-Robots-Tag': 'noindex',
}

export function pageResponse(status: number, html: Html, options: PageResponseOptions): Response {
  const { headers, cookies } = options
  const policy = { 'Content-Security-Policy': contentSecurityPolicy(options) }
  const response = new Response(String(html), { status, headers: { ...PAGE_HEADERS, ...policy, ...headers } })
  return withCookies(response, cookies)
}

/** A 303: the browser follows it with a GET, regardless of its own method. */
export function redirect(location: string, cookies?: readonly string[]): Response {
  const headers = {
    Location: location,
    'Content-Length': '0',
    'Referrer-Policy': PAGE_HEADERS['Referrer-Policy'],
  }
  return withCookies(new Response(null, { status: 303, headers }), cookies)
}

function withCookies(response: Response, cookies: readonly string[] = []): Response {
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie)
  return response
}

/** Scripts are blocked unless `sources` allows them. */
function contentSecurityPolicy({
  mayLeave,
  sources = "img-src 'self'",
  styleNonce,
}: PageResponseOptions): string {
  const styles = styleNonce === undefined ? "'self'" : `'self' 'nonce-${styleNonce}'`
  const targets = mayLeave ? '' : "form-action 'self'; "
  return `default-src 'none'; style-src ${styles}; ${sources}; ${targets}base-uri 'none'; frame-ancestors 'none'`
}
