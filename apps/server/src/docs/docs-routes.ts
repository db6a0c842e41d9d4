import { Hono } from 'hono'
import type { AppEnv, Middleware } from '../http/app-env.ts'
import { basePathOf } from '../http/base-path.ts'
import { handleErrors } from '../http/middleware/handle-errors.ts'
import { formatFailure } from '../pages/error-page-response.ts'
import { type DocsPath, OAUTH_DOCS_PATHS } from './docs-paths.ts'
import { STATIC_FILES } from './static-files.ts'

/**
 * The documentation pages and their assets. The pages are rendered once, for the first request, which keeps
 * the start fast.
 */
export function docsRoutes(
  issuer: string,
  hasOAuth: boolean,
  limit: Middleware,
  takeTurn: Middleware,
): Hono<AppEnv> {
  const basePath = basePathOf(issuer)
  const paths: readonly DocsPath[] = ['/docs', ...(hasOAuth ? OAUTH_DOCS_PATHS : [])]
  let loadedPages: ReturnType<typeof loadPages> | undefined
  const routes = new Hono<AppEnv>().onError(handleErrors(formatFailure(basePath)))
  for (const path of paths)
    routes.get(path, limit, takeTurn, async () => {
      loadedPages ??= loadPages()
      return (await loadedPages)[path]()
    })
  for (const { path, serve } of STATIC_FILES) routes.get(path, limit, takeTurn, serve)
  return routes

  async function loadPages() {
    const { docsPages } = await import('./docs-pages.ts')
    return docsPages({ issuer, basePath, hasOAuth })
  }
}
