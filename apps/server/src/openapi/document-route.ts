import type { Crm } from '@sales-crm/core'
import { packed } from '../packed.ts'
import type { PageRoute } from '../pages/page-routes.ts'
import { versionHere } from '../version.ts'

const HEADERS = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'public, max-age=300' }

/** `GET /openapi.json`, made when it is first asked for, so that no start waits for it. */
export function documentRoutes(crm: Crm, issuer: string): readonly PageRoute[] {
  const handler = packed(async () => {
    const { openapiDocument } = await import('./document.ts')
    return { status: 200, raw: JSON.stringify(openapiDocument(crm, issuer, versionHere())), headers: HEADERS }
  })
  return [{ method: 'GET', path: '/openapi.json', handler, refused: () => undefined }]
}
