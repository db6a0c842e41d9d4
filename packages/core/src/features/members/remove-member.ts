import { findById } from '../../engine/find-by-id.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Ports } from '../../ports/index.ts'
import type { Transaction } from '../../ports/storage.ts'
import { type MemberIdentity, requireManager } from './manager.ts'
import { type MemberRemoval, removeMembership } from './membership.ts'

/**
 * Removes a member for another one who manages members, or for the member itself.
 * @throws CrmError `not_found`, `forbidden`, `validation_error` for the last owner
 */
export async function removeMember(
  tx: Transaction,
  { now, newId }: Pick<Ports, 'now' | 'newId'>,
  manager: MemberIdentity,
  userId: string,
  inputField: MemberRemoval['inputField'],
): Promise<void> {
  const { workspaceId } = manager
  await tx.workspaces.getForUpdate(workspaceId)
  // The lock order of `acceptInvitation`: user, then member.
  const user = await findById(tx.users, userId, 'getForUpdate')
  const member = user && (await tx.workspace(workspaceId).members.getForUpdate(user.id))
  if (!user || !member || member.removed_at !== null) throw notFound('Member')
  // Read under the lock: the manager may have been removed meanwhile.
  if (user.id !== manager.userId) await requireManager(tx, manager, ['delete', 'member'], member.role)
  await removeMembership(tx, workspaceId, { user, member, inputField }, { newId, at: now() })
}
