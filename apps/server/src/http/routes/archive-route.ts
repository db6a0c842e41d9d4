import type { Crm } from '@sales-crm/core'
import { packArchive } from '@sales-crm/node'
import { GET_ARCHIVE } from '../../openapi/workspace-operations.ts'
import { respondWithFile } from '../file-response.ts'
import { rejectQueryParameters } from '../query-string.ts'
import { RequestSignal } from '../request-signal.ts'
import { type OpenRoute, pathParam } from './route.ts'

/** The archive of a workspace. Its URL is sealed and needs no token, so that a browser downloads it by itself. */
export function archiveRoute({ workspace }: Pick<Crm, 'workspace'>): OpenRoute {
  return {
    ...{ method: 'GET', path: '/archives/:token', access: 'nobody', limitedBy: 'address' },
    ...{ turn: 'parts', operation: GET_ARCHIVE },
    async handle(c) {
      rejectQueryParameters(c.req.url)
      const { workspaceId, slug, entries } = await workspace.openArchive(pathParam(c, 'token'))
      c.get('takeTurnsAs')?.(workspaceId)
      const signal = new RequestSignal(c.req.raw.signal)
      return respondWithFile(c, () => packArchive(entries(signal)), {
        'Content-Type': 'application/x-tar',
        'Content-Disposition': `attachment; filename="${slug}.tar"`,
        'Referrer-Policy': 'no-referrer',
      })
    },
  }
}
