import type { Meter } from '@sales-crm/core'
import type { Headers, Reply } from './answer.ts'
import type { Html } from './pages/markup.ts'

export interface PageMore {
  /** Beside those every page carries. */
  readonly headers?: Headers
  readonly cookies?: readonly string[]
  /** What a form of the page may lead to besides us, as a source of the policy: browsers hold redirects after it to that too. */
  readonly formAction?: string
  /** Where its parts come from, as directives of the policy, where there are more than a style sheet and pictures of ours. */
  readonly sources?: string
  /** As in a `Reply`. */
  readonly meter?: Meter | undefined
}

/** Nothing of a page is framed, is found by search engines or tells other sites its address. */
const GUARDED = {
  'Content-Type': 'text/html; charset=utf-8',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'X-Robots-Tag': 'noindex',
}

export function page(status: Reply['status'], html: Html, more: PageMore = {}): Reply {
  const { headers, cookies = [], formAction, sources, meter } = more
  const policy = { 'Content-Security-Policy': policyWith(formAction, sources) }
  return { status, raw: String(html), headers: { ...GUARDED, ...policy, ...headers }, cookies, meter }
}

/** Sends a browser on with a GET, whatever it came with. */
export function redirect(location: string, cookies: readonly string[] = []): Reply {
  const headers = { Location: location, 'Content-Length': '0', 'Referrer-Policy': GUARDED['Referrer-Policy'] }
  return { status: 303, headers, cookies }
}

/** Nothing of a page runs, unless `sources` say so. */
function policyWith(formAction: string | undefined, sources = "img-src 'self'"): string {
  const targets = ["'self'", ...(formAction === undefined ? [] : [formAction])].join(' ')
  return `default-src 'none'; style-src 'self'; ${sources}; form-action ${targets}; base-uri 'none'; frame-ancestors 'none'`
}
