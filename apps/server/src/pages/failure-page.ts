import { type Html, html } from './markup.ts'
import { messagePage } from './message-page.ts'
import type { PageContext } from './page-context.ts'
import { statusMessage } from './status-message.ts'

interface FailurePageOptions {
  readonly status: number
  readonly requestId: string
}

/**
 * Explains a failed page request. An invalid request without a message of its own is shown as an outdated
 * form.
 */
export function failurePage(ctx: PageContext, { status, requestId }: FailurePageOptions): Html {
  const { errors, links, messages } = ctx.texts
  const { title, text } = statusMessage(ctx.texts, status) ?? messages.formStale
  const link = status === 403 || status === 404 ? { href: '/account', text: links.account } : undefined
  return messagePage(
    ctx,
    { title, text, link },
    html`<p class="fine">${errors.requestId}: <code>${requestId}</code></p>`,
  )
}
