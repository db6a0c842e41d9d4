import type { Reply } from '../answer.ts'
import { type PageMore, page } from '../page-reply.ts'
import type { Html } from '../pages/markup.ts'
import { docsContext } from './docs-page.ts'
import { BACK_PATH, type DocsPath } from './paths.ts'
import { backPage, referencePage } from './reference-page.ts'
import { startPage } from './start-page.ts'

/** What the reference does: it runs scripts of ours, calls us, and has its icons in its style sheet. */
const REFERENCE = "script-src 'self'; connect-src 'self'; img-src 'self' data:"
const COMING_BACK = "script-src 'self'; img-src 'self'"

/** The pages of the documentation, which are the same for everybody. */
export function docsPages(issuer: string, basePath: string): Readonly<Record<DocsPath, Reply>> {
  const ctx = docsContext(issuer, basePath)
  return {
    '/docs': shown(referencePage(ctx), { sources: REFERENCE }),
    [BACK_PATH]: shown(backPage(ctx), { sources: COMING_BACK }),
    '/docs/start': shown(startPage(ctx)),
  }
}

function shown(html: Html, more: PageMore = {}): Reply {
  return page(200, html, { ...more, headers: { 'Content-Language': 'en' } })
}
