import type { Crm } from '@sales-crm/core'
import { Hono } from 'hono'
import type { AppEnv, Middleware } from '../http/app-env.ts'
import { servePrecompressed } from '../http/precompressed.ts'
import { readManifest } from '../process/manifest.ts'

const HEADERS = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'public, max-age=300' }

/**
 * Serves `GET /openapi.json`. The document is built for the first request, which keeps the start fast.
 * @param serves whether the service has a route for a path; called after all routes were added
 */
export function documentRoute(
  crm: Crm,
  issuer: string,
  serves: (path: string) => boolean,
  limit: Middleware,
  takeTurn: Middleware,
): Hono<AppEnv> {
  const serveDocument = servePrecompressed(async () => {
    const { openapiDocument } = await import('./document.ts')
    const { version } = readManifest()
    const text = JSON.stringify(openapiDocument(crm, { issuer, version, serves }))
    return { body: new TextEncoder().encode(text), headers: HEADERS }
  })
  return new Hono<AppEnv>().get('/openapi.json', limit, takeTurn, serveDocument)
}
