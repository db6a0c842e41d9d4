import { type PageResponseOptions, pageResponse } from '../http/page-response.ts'
import type { HttpResponse } from '../http/response.ts'
import type { Html } from '../pages/markup.ts'
import { createDocsContext } from './docs-layout.ts'
import { type DocsPath, OAUTH_REDIRECT_PATH } from './docs-paths.ts'
import { gettingStartedPage } from './getting-started-page.ts'
import { oauthRedirectPage, referencePage } from './reference-page.ts'

/** What the reference does: it runs scripts of ours, calls us, and has its icons in its style sheet. */
const REFERENCE_SOURCES = "script-src 'self'; connect-src 'self'; img-src 'self' data:"
const OAUTH_REDIRECT_SOURCES = "script-src 'self'; img-src 'self'"

/** The pages of the documentation, which are the same for everybody. */
export function docsPages(issuer: string, basePath: string): Readonly<Record<DocsPath, HttpResponse>> {
  const ctx = createDocsContext(issuer, basePath)
  return {
    '/docs': docsResponse(referencePage(ctx), { sources: REFERENCE_SOURCES }),
    [OAUTH_REDIRECT_PATH]: docsResponse(oauthRedirectPage(ctx), { sources: OAUTH_REDIRECT_SOURCES }),
    '/docs/start': docsResponse(gettingStartedPage(ctx)),
  }
}

function docsResponse(html: Html, options: PageResponseOptions = {}): HttpResponse {
  return pageResponse(200, html, { ...options, headers: { 'Content-Language': 'en' } })
}
