import { mayManage } from '../kernel/role.ts'
import type { Visibility } from '../kernel/visibility.ts'
import { seesEveryone, shareKey, type Viewer } from '../kernel/visibility.ts'
import type { SharedStores, WorkspaceStores } from '../ports/storage.ts'
import type { Member } from '../schema/member.ts'
import type { Team } from '../schema/team.ts'

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
  if (member?.removed_at === null && mayManage(member.role)) return undefined
  return toViewer(workspace.visibility, member, await stores.teams.find([]))
}

function toViewer(visibility: Visibility, member: Member | undefined, teams: readonly Team[]): Viewer {
  const isCurrent = member?.removed_at === null
  const own = isCurrent ? teams.filter(({ members }) => members.some(({ id }) => id === member.id)) : []
  const led = own.filter(({ members }) => members.some(({ id, lead }) => lead && id === member?.id))
  const memberKeys = isCurrent
    ? [shareKey({ member_id: member.id, since: member.created_at, access: 'read' })]
    : []
  return {
    visibility,
    userIds: new Set(isCurrent ? [member.id] : []),
    teammateIds: listMemberIds(own),
    ledIds: listMemberIds(led),
    removedIds: new Set(led.flatMap(({ removed_member_ids }) => removed_member_ids)),
    shareKeys: new Set([...memberKeys, ...own.map(({ id }) => id)]),
  }
}

function listMemberIds(teams: readonly Team[]): ReadonlySet<string> {
  return new Set(teams.flatMap(({ members }) => members.map(({ id }) => id)))
}
