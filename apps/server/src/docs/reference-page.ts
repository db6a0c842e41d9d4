import { page } from '../pages/layout.ts'
import { type Html, html } from '../pages/markup.ts'
import { type DocsContext, docsPage } from './docs-page.ts'
import { COME_BACK, REFERENCE_START, REFERENCE_STYLE, SWAGGER_UI, SWAGGER_UI_STYLE } from './files.ts'
import { BACK_PATH } from './paths.ts'

export function referencePage(ctx: DocsContext): Html {
  const { baseUrl, basePath } = ctx
  const head = html`
<link rel="stylesheet" href="${basePath}${SWAGGER_UI_STYLE.path}">
<link rel="stylesheet" href="${basePath}${REFERENCE_STYLE.path}">
<script defer src="${basePath}${SWAGGER_UI.path}"></script>
<script type="module" src="${basePath}${REFERENCE_START.path}"></script>`
  return docsPage(
    ctx,
    { title: 'API reference', path: '/docs', room: 'full', head },
    html`<p class="lead">New here? <a href="${basePath}/docs/start">Getting started</a> leads to a token in a few minutes. Paste one under “Authorize”, and
every operation below can be tried against this service, with real data. It is forgotten when the page closes. An app of
yours can also be let in from there, if <code>${baseUrl}${BACK_PATH}</code> is among its redirect URIs.</p>
<p class="caution" id="elsewhere" hidden>Calls go to <a href="${baseUrl}/docs">${baseUrl}</a>: they can be tried from there alone.</p>
<noscript><p class="caution">The reference is drawn by a script. Without one, <a href="${basePath}/openapi.json">openapi.json</a> says all of it.</p></noscript>
<div id="reference" data-document="${basePath}/openapi.json" data-back="${basePath}${BACK_PATH}" data-home="${baseUrl}"></div>`,
  )
}

/** Hands the code to the reference, which opened this page, and closes. */
export function backPage(ctx: DocsContext): Html {
  const head = html`<script defer src="${ctx.basePath}${COME_BACK.path}"></script>`
  return page(
    ctx,
    { title: 'Back to the reference', head },
    html`<h1>Back to the reference</h1>
<p class="lead">This window closes by itself. If it is still here, close it, and authorize once more.</p>`,
  )
}
