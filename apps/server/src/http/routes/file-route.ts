import type { Crm } from '@sales-crm/core'
import { GET_FILE } from '../../openapi/service-operations.ts'
import { encodeFilename } from '../content-disposition.ts'
import { rejectQueryParameters } from '../query-string.ts'
import { type OpenRoute, pathParam } from './route.ts'

/** The browser must neither execute a file nor guess its type; a file URL's content never changes. */
const SECURITY_HEADERS = {
  'Content-Security-Policy': "sandbox; default-src 'none'",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Cache-Control': 'public, max-age=31536000, immutable',
}

/** Images and attachments. Their URLs are unguessable and need no token. */
export function fileRoute({ files }: Pick<Crm, 'files'>): OpenRoute {
  return {
    ...{ method: 'GET', path: '/files/:workspace/:key', access: 'nobody', limitedBy: 'address' },
    ...{ turn: 'address', operation: GET_FILE },
    async handle(c) {
      rejectQueryParameters(c.req.url)
      const { content, content_type, filename, download } = await files.read(
        pathParam(c, 'workspace'),
        pathParam(c, 'key'),
      )
      const disposition = `${download ? 'attachment' : 'inline'}; filename*=UTF-8''${encodeFilename(filename)}`
      const bytes = Buffer.from(content, 'base64')
      return c.body(bytes, 200, {
        ...SECURITY_HEADERS,
        'Content-Type': content_type,
        'Content-Disposition': disposition,
        'Content-Length': String(bytes.length),
      })
    },
  }
}
