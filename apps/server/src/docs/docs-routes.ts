import { basePathOf } from '../base-path.ts'
import type { PageRoute } from '../pages/page-routes.ts'
import { failedPage } from '../pages/refused.ts'
import { FILES } from './files.ts'
import { DOCS_PATHS } from './paths.ts'

/** `GET /docs` and what it is shown with. The pages are put together once, when one is first asked for, so that no start waits for them. */
export function docsRoutes(issuer: string): readonly PageRoute[] {
  const basePath = basePathOf(issuer)
  let made: ReturnType<typeof makePages> | undefined
  return [
    ...DOCS_PATHS.map((path) => route(path, async () => (await pages())[path])),
    ...FILES.map(({ path, reply }) => route(path, reply)),
  ]

  function pages() {
    made ??= makePages()
    return made
  }

  async function makePages() {
    const { docsPages } = await import('./pages.ts')
    return docsPages(issuer, basePath)
  }

  function route(path: string, handler: PageRoute['handler']): PageRoute {
    return { method: 'GET', path, handler, refused: (error, request, requestId) => failedPage(error, request, requestId, basePath) }
  }
}
