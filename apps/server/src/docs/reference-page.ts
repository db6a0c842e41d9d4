import { renderLayout } from '../pages/layout.ts'
import { type Html, html } from '../pages/markup.ts'
import { type DocsContext, renderDocsLayout } from './docs-layout.ts'
import { OAUTH_REDIRECT_PATH } from './docs-paths.ts'
import {
  OAUTH_REDIRECT_SCRIPT,
  REFERENCE_SCRIPT,
  REFERENCE_STYLE,
  SWAGGER_UI,
  SWAGGER_UI_STYLE,
} from './static-files.ts'

export function referencePage(ctx: DocsContext): Html {
  const { baseUrl, basePath } = ctx
  const head = html`
<link rel="stylesheet" href="${basePath}${SWAGGER_UI_STYLE.path}">
<link rel="stylesheet" href="${basePath}${REFERENCE_STYLE.path}">
<script defer src="${basePath}${SWAGGER_UI.path}"></script>
<script type="module" src="${basePath}${REFERENCE_SCRIPT.path}"></script>`
  return renderDocsLayout(
    ctx,
    { title: 'API reference', path: '/docs', width: 'full', head },
    html`<p class="lead">New here? <a href="${basePath}/docs/start">Getting started</a> leads to a token in a few minutes. Paste one under “Authorize”, and
every operation below can be tried against this service, with real data. It is forgotten when the page closes. An app of
yours can also be let in from there, if <code>${baseUrl}${OAUTH_REDIRECT_PATH}</code> is among its redirect URIs.</p>
<p class="caution" id="elsewhere" hidden>Calls go to <a href="${baseUrl}/docs">${baseUrl}</a>: they can be tried from there alone.</p>
<noscript><p class="caution">The reference is drawn by a script. Without one, <a href="${basePath}/openapi.json">openapi.json</a> says all of it.</p></noscript>
<div id="reference" data-document="${basePath}/openapi.json" data-back="${basePath}${OAUTH_REDIRECT_PATH}" data-home="${baseUrl}"></div>`,
  )
}

/** Passes the authorization code to the reference, which opened this window, and closes the window. */
export function oauthRedirectPage(ctx: DocsContext): Html {
  const head = html`<script defer src="${ctx.basePath}${OAUTH_REDIRECT_SCRIPT.path}"></script>`
  return renderLayout(
    ctx,
    { title: 'Back to the reference', head },
    html`<h1>Back to the reference</h1>
<p class="lead">This window closes by itself. If it is still here, close it, and authorize once more.</p>`,
  )
}
