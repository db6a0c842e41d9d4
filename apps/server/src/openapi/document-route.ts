import type { Crm } from '@sales-crm/core'
import { servePrecompressed } from '../http/precompressed.ts'
import type { PageRoute } from '../pages/page-routes.ts'
import { readVersion } from '../process/version.ts'

const HEADERS = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'public, max-age=300' }

/** Serves `GET /openapi.json`. The document is built for the first request, which keeps the start fast. */
export function documentRoutes(crm: Crm, issuer: string): readonly PageRoute[] {
  const handler = servePrecompressed(async () => {
    const { openapiDocument } = await import('./document.ts')
    return { status: 200, raw: JSON.stringify(openapiDocument(crm, issuer, readVersion())), headers: HEADERS }
  })
  return [{ method: 'GET', path: '/openapi.json', handler, reject: () => undefined }]
}
