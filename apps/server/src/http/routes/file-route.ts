import type { Crm } from '@sales-crm/core'
import type { HttpResponse } from '../response.ts'

/** Pictures and attachments, for whoever knows their address. */
export const FILE_PATH = '/files/:workspace/:key'

/**
 * Nothing a browser is handed here runs, or is taken for something else than it is; and what an address leads
 * to never changes.
 */
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
 * As RFC 8187 has it: `encodeURIComponent` leaves a few characters that a header's parameter may not hold.
 */
function encodeFilename(filename: string): string {
  return encodeURIComponent(filename).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
