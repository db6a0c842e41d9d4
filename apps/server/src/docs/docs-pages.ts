import { type PageResponseOptions, pageResponse } from '../http/page-response.ts'
import type { Html } from '../pages/markup.ts'
import { createDocsContext, type DocsSite } from './docs-layout.ts'
import { type DocsPath, OAUTH_REDIRECT_PATH } from './docs-paths.ts'
import { gettingStartedPage } from './getting-started-page.ts'
import { oauthRedirectPage, referencePage } from './reference-page.ts'

/**
 * Content security policy of the reference: own scripts, calls to the service, and icons inside the style
 * sheet.
 */
const REFERENCE_SOURCES = "script-src 'self'; connect-src 'self'; img-src 'self' data:"
const OAUTH_REDIRECT_SOURCES = "script-src 'self'; img-src 'self'"

/** Renders the documentation pages, which are equal for all readers. Each function makes a response. */
export function docsPages(site: DocsSite): Readonly<Record<DocsPath, () => Response>> {
  const ctx = createDocsContext(site)
  return {
    '/docs': docsResponse(referencePage(ctx), { sources: REFERENCE_SOURCES }),
    [OAUTH_REDIRECT_PATH]: docsResponse(oauthRedirectPage(ctx), { sources: OAUTH_REDIRECT_SOURCES }),
    '/docs/start': docsResponse(gettingStartedPage(ctx)),
  }
}

function docsResponse(html: Html, options: PageResponseOptions = {}): () => Response {
  return () => pageResponse(200, html, { ...options, headers: { 'Content-Language': 'en' } })
}
