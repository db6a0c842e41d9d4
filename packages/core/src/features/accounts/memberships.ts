import type { Transaction } from '../../ports/storage.ts'
import type { Membership } from './account.ts'

/** Lists the current memberships of a user, in the order of joining. */
export async function listMemberships(tx: Transaction, userId: string): Promise<Membership[]> {
  const user = await tx.users.get(userId)
  const ids = user?.workspace_ids ?? []
  const [workspaces, members] = await Promise.all([
    tx.workspaces.getMany(ids),
    Promise.all(ids.map((id) => tx.workspace(id).members.get(userId))),
  ])
  const memberships = ids.flatMap((id, index) => {
    const [workspace, member] = [workspaces.find((candidate) => candidate.id === id), members[index]]
    return workspace && member?.removed_at === null ? [{ workspace, member }] : []
  })
  memberships.sort((a, b) => Date.parse(a.member.created_at) - Date.parse(b.member.created_at))
  return memberships.map(({ workspace: { id, name, slug }, member: { role } }) => ({ id, name, slug, role }))
}
