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
  const { baseUrl, basePath, hasOAuth } = ctx
  const head = html`
<link rel="stylesheet" href="${basePath}${SWAGGER_UI_STYLE.path}">
<link rel="stylesheet" href="${basePath}${REFERENCE_STYLE.path}">
<script defer src="${basePath}${SWAGGER_UI.path}"></script>
<script type="module" src="${basePath}${REFERENCE_SCRIPT.path}"></script>`
  return renderDocsLayout(
    ctx,
    { title: 'API reference', path: '/docs', width: 'full', head },
    html`<p class="lead">${hasOAuth && html`<a href="${basePath}/docs/start">Getting started</a> shows how to get a token. `}Enter
a token under “Authorize” to try the operations below on this service, with real data. The token is discarded
when the page closes.${
      hasOAuth &&
      html` You can also authorize an app of yours here, if
<code>${baseUrl}${OAUTH_REDIRECT_PATH}</code> is one of its redirect URIs.`
    }</p>
<p class="caution" id="elsewhere" hidden>Operations can only be tried at
<a href="${baseUrl}/docs">${baseUrl}</a>, where the calls are sent.</p>
<noscript><p class="caution">The reference requires JavaScript. <a href="${basePath}/openapi.json">openapi.json</a> has the
same content.</p></noscript>
<div id="reference" data-document="${basePath}/openapi.json" data-back="${basePath}${OAUTH_REDIRECT_PATH}" data-home="${baseUrl}"></div>`,
  )
}

/** Passes the authorization code to the reference, which opened this window, and closes the window. */
export function oauthRedirectPage(ctx: DocsContext): Html {
  const head = html`<script defer src="${ctx.basePath}${OAUTH_REDIRECT_SCRIPT.path}"></script>`
  return renderLayout(
    ctx,
    { title: 'Back to the reference', head },
    html`<h1>Back to the reference</h1> <p class="lead">This window closes by itself. If it is still here,
close it, and authorize once more.</p>`,
  )
}
