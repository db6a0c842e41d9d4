import { page } from '../pages/layout.ts'
import { type Html, html } from '../pages/markup.ts'
import type { PageContext } from '../pages/page.ts'
import { en } from '../pages/texts/en.ts'
import { DOCS_STYLE } from './files.ts'

/** What pages of the documentation are made with: they are in English alone, and have no forms. */
export type DocsContext = PageContext & { readonly baseUrl: string }

interface Frame {
  readonly title: string
  readonly path: '/docs' | '/docs/start'
  readonly room: 'full' | 'wide'
  /** Beside what every page loads. */
  readonly head?: Html
}

export function docsContext(baseUrl: string, basePath: string): DocsContext {
  return { texts: en, basePath, csrf: '', baseUrl }
}

export function docsPage(ctx: DocsContext, { title, path, room, head }: Frame, body: Html): Html {
  const { basePath } = ctx
  const link = (to: string, text: string) =>
    html`<li><a href="${basePath}${to}"${to === path && html` aria-current="page"`}>${text}</a></li>`
  return page(
    ctx,
    { title, room, head: html`<link rel="stylesheet" href="${basePath}${DOCS_STYLE.path}">${head}` },
    html`<nav class="docs" aria-label="Documentation">
<ul>
${link('/docs/start', 'Getting started')}
${link('/docs', 'API reference')}
${link('/openapi.json', 'openapi.json')}
</ul>
</nav>
<h1>${title}</h1>
${body}`,
  )
}
