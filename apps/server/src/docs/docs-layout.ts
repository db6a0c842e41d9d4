import { renderLayout } from '../pages/layout.ts'
import { type Html, html } from '../pages/markup.ts'
import type { PageContext } from '../pages/page-context.ts'
import { en } from '../pages/translations/en.ts'
import { DOCS_STYLE } from './static-files.ts'

export interface DocsSite {
  /** Public URL of the service. */
  readonly issuer: string
  readonly basePath: string
  /** Whether the service grants tokens to apps. */
  readonly hasOAuth: boolean
}

/** Context of documentation pages, which are in English only and have no forms. */
export type DocsContext = PageContext & { readonly baseUrl: string; readonly hasOAuth: boolean }

interface DocsLayoutOptions {
  readonly title: string
  readonly path: '/docs' | '/docs/start'
  readonly width: 'full' | 'wide'
  /** Elements besides those of all documentation pages. */
  readonly head?: Html
}

export function createDocsContext({ issuer, basePath, hasOAuth }: DocsSite): DocsContext {
  return { texts: en, basePath, csrf: '', baseUrl: issuer, hasOAuth }
}

export function renderDocsLayout(
  ctx: DocsContext,
  { title, path, width, head }: DocsLayoutOptions,
  body: Html,
): Html {
  const { basePath, hasOAuth } = ctx
  const link = (target: string, text: string) =>
    html`<li><a href="${basePath}${target}"${target === path && html` aria-current="page"`}>${text}</a></li>`
  return renderLayout(
    ctx,
    { title, width, head: html`<link rel="stylesheet" href="${basePath}${DOCS_STYLE.path}">${head}` },
    html`<nav class="docs" aria-label="Documentation">
<ul>
${hasOAuth && link('/docs/start', 'Getting started')}
${link('/docs', 'API reference')}
${link('/openapi.json', 'openapi.json')}
</ul>
</nav>
<h1>${title}</h1>
${body}`,
  )
}
