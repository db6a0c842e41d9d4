import type { Ports } from '../ports.ts'
import { viewsOf } from '../records/unit.ts'
import { workspaceBySlug } from '../workspaces/workspace.ts'
import { type MemberView, memberView } from './member.ts'

/** The present members of a workspace, in the order they came. @throws CrmError `not_found` */
export async function membersOf({ storage }: Pick<Ports, 'storage'>, { workspace }: { readonly workspace: string }): Promise<MemberView[]> {
  return storage.read(async (tx) => {
    const { id } = await workspaceBySlug(tx, workspace)
    const members = await tx.workspace(id).members.find([{ field: 'removed_at', is: null }])
    const users = await viewsOf(
      tx.users,
      members.map((member) => member.id),
      (user) => user,
    )
    return members.map((member) => memberView(member, users.get(member.id)))
  })
}
