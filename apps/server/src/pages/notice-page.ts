import { renderLayout } from './layout.ts'
import { type Html, html, sanitizeName } from './markup.ts'
import type { PageContext } from './page-context.ts'

/** A path of ours, without the base path. */
export interface Link {
  readonly href: string
  readonly text: string
}

export interface Notice {
  readonly title: string
  readonly text: string
  /** Where to go from here. */
  readonly link?: Link | undefined
}

interface Failure {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly requestId: string
  readonly fields?: Readonly<Record<string, string>> | undefined
}

/** Where a way ends, well or not. */
export function noticePage(ctx: PageContext, { title, text, link }: Notice, details?: Html): Html {
  return renderLayout(
    ctx,
    { title },
    html`<h1>${title}</h1>
<p class="lead">${text}</p>
${details}
${link && html`<p class="actions"><a class="button main" href="${ctx.basePath}${link.href}">${link.text}</a></p>`}`,
  )
}

/** What went wrong on the way from an app: in the reader's words, and in those of the interface for whoever has to mend it. */
export function errorPage(ctx: PageContext, failure: Failure): Html {
  const words = ctx.texts.errors
  const { title, text } = messageFor(ctx, failure.status) ?? words.requestRefused
  return renderLayout(
    ctx,
    { title },
    html`<h1>${title}</h1>
<p class="lead">${text}</p>
<h2>${words.details}</h2>
<dl class="facts small">
<dt>${words.code}</dt><dd><code>${failure.code}</code></dd>
<dt>${words.message}</dt><dd lang="en">${sanitizeName(failure.message)}</dd>
${fieldErrorList(ctx, failure)}
<dt>${words.requestId}</dt><dd><code class="whole">${failure.requestId}</code></dd>
</dl>`,
  )
}

/** What went wrong on a page of ours. What was sent there and is none of the forms is as good as a form that is too old. */
export function failurePage(
  ctx: PageContext,
  { status, requestId }: Pick<Failure, 'status' | 'requestId'>,
): Html {
  const { errors, links, notices } = ctx.texts
  const { title, text } = messageFor(ctx, status) ?? notices.formStale
  const link = status === 403 || status === 404 ? { href: '/account', text: links.account } : undefined
  return noticePage(
    ctx,
    { title, text, link },
    html`<p class="fine">${errors.requestId}: <code>${requestId}</code></p>`,
  )
}

function messageFor(
  { texts }: PageContext,
  status: number,
): { readonly title: string; readonly text: string } | undefined {
  if (status === 403) return texts.notices.notAllowed
  if (status === 404) return texts.notices.notFound
  if (status === 429) return texts.errors.tooMany
  return status >= 500 ? texts.notices.somethingWrong : undefined
}

function fieldErrorList({ texts }: PageContext, { fields = {} }: Failure): Html | undefined {
  const errors = Object.entries(fields)
  if (errors.length === 0) return undefined
  return html`<dt>${texts.errors.fields}</dt>
<dd><ul lang="en">${errors.map(([name, rule]) => html`<li><code>${sanitizeName(name)}</code>: ${sanitizeName(rule)}</li>`)}</ul></dd>`
}
