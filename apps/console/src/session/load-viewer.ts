import type { CrmClient, Me, Workspace } from '@sales-crm/client'
import { buildViewer, seesEveryone, type Viewer } from '@sales-crm/core/browser'
import { isAdmin } from '../app/console-context.ts'
import { MEMBER_SINCE } from '../app/permissions.ts'
import { readAll } from '../reference/queries.ts'

/** Loads what bounds the records that the member sees; undefined if nothing does. */
export async function loadViewer(
  crm: CrmClient,
  me: Pick<Me, 'id' | 'role'>,
  { visibility }: Pick<Workspace, 'visibility'>,
): Promise<Viewer | undefined> {
  if (isAdmin(me) || seesEveryone(visibility)) return undefined
  const teams = await readAll(crm.teams.list())
  return buildViewer(
    visibility,
    { id: me.id, created_at: MEMBER_SINCE },
    teams.map((team) => ({ ...team, removed_member_ids: [] })),
  )
}
