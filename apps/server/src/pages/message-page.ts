import { renderLayout } from './layout.ts'
import { type Html, html } from './markup.ts'
import type { PageContext } from './page-context.ts'

export interface Link {
  /** Path of the service, without the base path. */
  readonly href: string
  readonly text: string
}

export interface Message {
  readonly title: string
  readonly text: string
  /** Next step for the user. */
  readonly link?: Link | undefined
}

/** Renders the last page of a flow, for success and failure alike. */
export function messagePage(ctx: PageContext, { title, text, link }: Message, details?: Html): Html {
  const button = link && html`<a class="button main" href="${ctx.basePath}${link.href}">${link.text}</a>`
  return renderLayout(
    ctx,
    { title },
    html`<h1>${title}</h1>
<p class="lead">${text}</p>
${details}
${button && html`<p class="actions">${button}</p>`}`,
  )
}
