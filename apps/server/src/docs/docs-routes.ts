import type { PageRoute } from '../pages/page-routes.ts'

/** `GET /docs` and what it is shown with. */
export function docsRoutes(): readonly PageRoute[] {
  return []
}
