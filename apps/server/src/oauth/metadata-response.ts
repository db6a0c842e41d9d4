import { jsonResponse } from '../http/response.ts'

/** Keeps proxies that only know HTTP/1.0 from caching tokens. */
export const NO_CACHE_HEADERS = { Pragma: 'no-cache' }
const METADATA_HEADERS = { 'Cache-Control': 'public, max-age=3600' }

export function metadataResponse(metadata: object): Response {
  return jsonResponse(metadata, 200, METADATA_HEADERS)
}
