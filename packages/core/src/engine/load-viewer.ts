import { mayManage } from '../kernel/role.ts'
import { buildViewer, seesEveryone, type Viewer } from '../kernel/visibility.ts'
import type { SharedStores, WorkspaceStores } from '../ports/storage.ts'

/** All of a workspace. */
interface ViewerSource {
  readonly workspaceId: string
  readonly stores: Pick<WorkspaceStores, 'members' | 'teams'>
  readonly shared: Pick<SharedStores, 'workspaces'>
}

/** Returns undefined if nothing bounds what the member sees. A removed member sees what nobody owns. */
export async function loadViewer(
  userId: string,
  { workspaceId, stores, shared }: ViewerSource,
): Promise<Viewer | undefined> {
  const workspace = await shared.workspaces.get(workspaceId)
  if (!workspace || seesEveryone(workspace.visibility)) return undefined
  const member = await stores.members.get(userId)
  const current = member?.removed_at === null ? member : undefined
  if (current && mayManage(current.role)) return undefined
  return buildViewer(workspace.visibility, current, await stores.teams.find([]))
}
