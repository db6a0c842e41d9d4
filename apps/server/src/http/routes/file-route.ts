import type { Crm } from '@sales-crm/core'
import type { HttpResponse } from '../response.ts'

/** Images and attachments. Their URLs are unguessable and need no token. */
export const FILE_PATH = '/files/:workspace/:key'

/** The browser must neither execute a file nor guess its type; a file URL's content never changes. */
const SECURITY_HEADERS = {
  'Content-Security-Policy': "sandbox; default-src 'none'",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Cache-Control': 'public, max-age=31536000, immutable',
}

/** @throws CrmError `not_found` */
export async function fileResponse(
  files: Crm['files'],
  workspace: string,
  key: string,
): Promise<HttpResponse> {
  const { content, content_type, filename, download } = await files.read(workspace, key)
  const disposition = `${download ? 'attachment' : 'inline'}; filename*=UTF-8''${encodeFilename(filename)}`
  const bytes = Buffer.from(content, 'base64')
  const contentHeaders = {
    'Content-Type': content_type,
    'Content-Disposition': disposition,
    'Content-Length': String(bytes.length),
  }
  return { status: 200, raw: bytes, headers: { ...SECURITY_HEADERS, ...contentHeaders } }
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
