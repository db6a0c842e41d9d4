import { basePathOf } from '../base-path.ts'
import { type PageMore, page } from '../page-reply.ts'
import type { Html } from '../pages/markup.ts'
import type { PageRoute } from '../pages/page-routes.ts'
import { failedPage } from '../pages/refused.ts'
import { docsContext } from './docs-page.ts'
import { FILES } from './files.ts'
import { BACK_PATH, backPage, referencePage } from './reference-page.ts'
import { startPage } from './start-page.ts'

/** What the reference does: it runs scripts of ours, calls us, and has its icons in its style sheet. */
const REFERENCE = "script-src 'self'; connect-src 'self'; img-src 'self' data:"
const COMING_BACK = "script-src 'self'; img-src 'self'"

/** `GET /docs` and what it is shown with. The pages are the same for everybody, and are put together once. */
export function docsRoutes(issuer: string): readonly PageRoute[] {
  const basePath = basePathOf(issuer)
  const ctx = docsContext(issuer, basePath)
  return [
    route('/docs', shown(referencePage(ctx), { sources: REFERENCE })),
    route(BACK_PATH, shown(backPage(ctx), { sources: COMING_BACK })),
    route('/docs/start', shown(startPage(ctx))),
    ...FILES.map(({ path, reply }) => route(path, reply)),
  ]

  function route(path: string, handler: PageRoute['handler']): PageRoute {
    return { method: 'GET', path, handler, refused: (error, request, requestId) => failedPage(error, request, requestId, basePath) }
  }
}

function shown(html: Html, more: PageMore = {}): PageRoute['handler'] {
  const reply = page(200, html, { ...more, headers: { 'Content-Language': 'en' } })
  return async () => reply
}
