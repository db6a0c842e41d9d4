import { page } from './layout.ts'
import { type Html, html, shown } from './markup.ts'
import type { PageContext } from './page.ts'

interface Ending {
  readonly title: string
  readonly text: string
  /** Where to go from here; a path of ours, without the base path. */
  readonly link?: { readonly href: string; readonly text: string } | undefined
}

interface Failure {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly requestId: string
  readonly fields?: Readonly<Record<string, string>> | undefined
}

/** Where a way ends, well or not. */
export function noticePage(ctx: PageContext, { title, text, link }: Ending): Html {
  return page(
    ctx,
    { title },
    html`<h1>${title}</h1>
<p class="lead">${text}</p>
${link && html`<p class="actions"><a class="button main" href="${ctx.basePath}${link.href}">${link.text}</a></p>`}`,
  )
}

/** What went wrong: in the reader's words, and in those of the interface for whoever has to mend it. */
export function errorPage(ctx: PageContext, failure: Failure): Html {
  const words = ctx.texts.errors
  const { title, text } = saidOf(ctx, failure.status)
  return page(
    ctx,
    { title },
    html`<h1>${title}</h1>
<p class="lead">${text}</p>
<h2>${words.details}</h2>
<dl class="facts small">
<dt>${words.code}</dt><dd><code>${failure.code}</code></dd>
<dt>${words.message}</dt><dd lang="en">${shown(failure.message)}</dd>
${fieldsOf(ctx, failure)}
<dt>${words.requestId}</dt><dd><code class="whole">${failure.requestId}</code></dd>
</dl>`,
  )
}

function saidOf({ texts }: PageContext, status: number): { readonly title: string; readonly text: string } {
  if (status === 403) return texts.notices.notAllowed
  if (status === 404) return texts.notices.notFound
  if (status === 429) return texts.errors.tooMany
  return status >= 500 ? texts.notices.somethingWrong : texts.errors.requestRefused
}

function fieldsOf({ texts }: PageContext, { fields = {} }: Failure): Html | undefined {
  const faults = Object.entries(fields)
  if (faults.length === 0) return undefined
  return html`<dt>${texts.errors.fields}</dt>
<dd><ul lang="en">${faults.map(([name, rule]) => html`<li><code>${shown(name)}</code>: ${shown(rule)}</li>`)}</ul></dd>`
}
