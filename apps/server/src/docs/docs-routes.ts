import { basePathOf } from '../http/base-path.ts'
import { failurePageResponse } from '../pages/error-page-response.ts'
import type { PageRoute } from '../pages/page-routes.ts'
import { DOCS_PATHS } from './docs-paths.ts'
import { STATIC_FILES } from './static-files.ts'

/**
 * Returns the routes of the documentation pages and their assets. The pages are rendered once, for the first
 * request, which keeps the start fast.
 */
export function docsRoutes(issuer: string): readonly PageRoute[] {
  const basePath = basePathOf(issuer)
  let loadedPages: ReturnType<typeof loadPages> | undefined
  return [
    ...DOCS_PATHS.map((path) => route(path, async () => (await loadPagesOnce())[path])),
    ...STATIC_FILES.map(({ path, handler }) => route(path, handler)),
  ]

  function loadPagesOnce() {
    loadedPages ??= loadPages()
    return loadedPages
  }

  async function loadPages() {
    const { docsPages } = await import('./docs-pages.ts')
    return docsPages(issuer, basePath)
  }

  function route(path: string, handler: PageRoute['handler']): PageRoute {
    return {
      method: 'GET',
      path,
      handler,
      reject: (error, request, requestId) => failurePageResponse(error, request, requestId, basePath),
    }
  }
}
