import { renderLayout } from './layout.ts'
import { type Html, html, sanitizeName } from './markup.ts'
import type { PageContext } from './page-context.ts'
import { statusMessage } from './status-message.ts'

interface ErrorPageOptions {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly requestId: string
  readonly fields?: Readonly<Record<string, string>> | undefined
}

/**
 * Explains a rejected request of an app: in the user's language, and in the API's terms for its developers.
 */
export function errorPage(ctx: PageContext, options: ErrorPageOptions): Html {
  const words = ctx.texts.errors
  const { title, text } = statusMessage(ctx.texts, options.status) ?? words.requestRefused
  return renderLayout(
    ctx,
    { title },
    html`<h1>${title}</h1>
<p class="lead">${text}</p>
<h2>${words.details}</h2>
<dl class="facts small">
<dt>${words.code}</dt><dd><code>${options.code}</code></dd>
<dt>${words.message}</dt><dd lang="en">${sanitizeName(options.message)}</dd>
${fieldErrorList(ctx, options)}
<dt>${words.requestId}</dt><dd><code class="whole">${options.requestId}</code></dd>
</dl>`,
  )
}

function fieldErrorList({ texts }: PageContext, { fields = {} }: ErrorPageOptions): Html | undefined {
  const items = Object.entries(fields).map(
    ([name, rule]) => html`<li><code>${sanitizeName(name)}</code>: ${sanitizeName(rule)}</li>`,
  )
  if (items.length === 0) return undefined
  return html`<dt>${texts.errors.fields}</dt>
<dd><ul lang="en">${items}</ul></dd>`
}
