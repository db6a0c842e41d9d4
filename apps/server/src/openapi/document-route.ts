import type { PageRoute } from '../pages/page-routes.ts'

/** `GET /openapi.json`. */
export function documentRoutes(): readonly PageRoute[] {
  return []
}
