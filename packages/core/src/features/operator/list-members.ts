import { loadViews } from '../../engine/views.ts'
import type { Ports } from '../../ports/index.ts'
import type { MemberView } from '../../schema/views.ts'
import { toMemberView } from '../members/member.ts'
import { findWorkspaceBySlug } from '../workspaces/workspace.ts'

/** Lists the current members of a workspace in the order of joining. @throws CrmError `not_found` */
export async function listMembers(
  { storage }: Pick<Ports, 'storage'>,
  { workspace }: { readonly workspace: string },
): Promise<MemberView[]> {
  return storage.read(async (tx) => {
    const { id } = await findWorkspaceBySlug(tx, workspace)
    const members = await tx.workspace(id).members.find([{ field: 'removed_at', is: null }])
    const users = await loadViews(
      tx.users,
      members.map((member) => member.id),
      (user) => user,
    )
    return members.map((member) => toMemberView(member, users.get(member.id)))
  })
}
