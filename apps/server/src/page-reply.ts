import type { Headers, Reply } from './answer.ts'

export interface PageMore {
  /** Beside those every page carries. */
  readonly headers?: Headers
  readonly cookies?: readonly string[]
  /** An origin besides ours that a form of the page may lead to: browsers hold redirects after it to that too. */
  readonly formAction?: string
}

/** Nothing of a page runs, is framed, is found by search engines, stays on a disk or tells other sites its address. */
const GUARDED = {
  'Content-Type': 'text/html; charset=utf-8',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'X-Robots-Tag': 'noindex',
}

/** A page: what `html` of `hono/html` gives, a whole document. */
export async function page(status: Reply['status'], html: string | Promise<string>, more: PageMore = {}): Promise<Reply> {
  const { headers, cookies = [], formAction } = more
  const policy = { 'Content-Security-Policy': policyWith(formAction) }
  return { status, bytes: String(await html), headers: { ...GUARDED, ...policy, ...headers }, cookies }
}

/** Sends a browser on with a GET, whatever it came with. */
export function redirect(location: string, { headers, cookies = [] }: Omit<PageMore, 'formAction'> = {}): Reply {
  const own = { Location: location, 'Content-Length': '0', 'Referrer-Policy': GUARDED['Referrer-Policy'] }
  return { status: 303, headers: { ...own, ...headers }, cookies }
}

function policyWith(formAction: string | undefined): string {
  const targets = ["'self'", ...(formAction === undefined ? [] : [formAction])].join(' ')
  return `default-src 'none'; style-src 'self'; img-src 'self'; form-action ${targets}; base-uri 'none'; frame-ancestors 'none'`
}
