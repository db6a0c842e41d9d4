import { servePrecompressed } from '../http/precompressed.ts'
import type { OpenRoute, Route } from '../http/routes/route.ts'
import { readManifest } from '../process/manifest.ts'
import { GET_DOCUMENT } from './service-operations.ts'

const HEADERS = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'public, max-age=300' }

/**
 * Serves `GET /openapi.json`. The document is built for the first request, which keeps the start fast.
 * @param listRoutes returns all routes of the service; called after they were added
 */
export function documentRoute(
  issuer: string,
  hasTools: boolean,
  listRoutes: () => readonly Route[],
): OpenRoute {
  const serveDocument = servePrecompressed(async () => {
    const { openapiDocument } = await import('./document.ts')
    const { version } = readManifest()
    const text = JSON.stringify(openapiDocument(listRoutes(), { issuer, version, hasTools }))
    return { body: new TextEncoder().encode(text), headers: HEADERS }
  })
  return {
    ...{ method: 'GET', path: '/openapi.json', access: 'nobody', limitedBy: 'address', turn: 'documents' },
    ...{ operation: GET_DOCUMENT, handle: serveDocument },
  }
}
