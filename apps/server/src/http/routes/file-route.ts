import type { Crm } from '@sales-crm/core'
import { Hono } from 'hono'
import type { AppEnv, Middleware } from '../app-env.ts'
import { rejectQueryParameters } from '../query-string.ts'

/** The browser must neither execute a file nor guess its type; a file URL's content never changes. */
const SECURITY_HEADERS = {
  'Content-Security-Policy': "sandbox; default-src 'none'",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Cache-Control': 'public, max-age=31536000, immutable',
}

/** Images and attachments. Their URLs are unguessable and need no token. */
export function fileRoute(
  { files }: Pick<Crm, 'files'>,
  limit: Middleware,
  takeTurn: Middleware,
): Hono<AppEnv> {
  return new Hono<AppEnv>().get('/:workspace/:key', limit, takeTurn, async (c) => {
    rejectQueryParameters(c.req.url)
    const { workspace, key } = c.req.param()
    const { content, content_type, filename, download } = await files.read(workspace, key)
    const disposition = `${download ? 'attachment' : 'inline'}; filename*=UTF-8''${encodeFilename(filename)}`
    const bytes = Buffer.from(content, 'base64')
    return c.body(bytes, 200, {
      ...SECURITY_HEADERS,
      'Content-Type': content_type,
      'Content-Disposition': disposition,
      'Content-Length': String(bytes.length),
    })
  })
}

/**
 * Encoding of RFC 8187: `encodeURIComponent` leaves some characters that a header parameter must not contain.
 */
function encodeFilename(filename: string): string {
  return encodeURIComponent(filename).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
