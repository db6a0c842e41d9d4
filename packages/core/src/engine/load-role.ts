import type { Actor } from '../kernel/actor.ts'
import { CrmError } from '../kernel/errors.ts'
import type { Writer } from '../kernel/permissions.ts'
import type { Role } from '../kernel/role.ts'
import type { WorkspaceTransaction } from './workspace-transaction.ts'

/** Returns the current role of a user; undefined for a removed member. */
export async function loadRole(
  { userId }: { readonly userId: string },
  { stores }: WorkspaceTransaction,
): Promise<Role | undefined> {
  const member = await stores.members.get(userId)
  return member?.removed_at === null ? member.role : undefined
}

/**
 * Returns the actor with the role that the member has in this transaction, and what it sees: both may change after an
 * actor was loaded.
 * @throws CrmError `unauthorized` for a member who was removed since
 */
export async function withCurrentRole(
  actor: Actor,
  transaction: WorkspaceTransaction,
): Promise<Actor & Writer> {
  const [role, viewer] = await Promise.all([loadRole(actor, transaction), transaction.viewer()])
  if (role === undefined) throw new CrmError('unauthorized', 'Invalid or malformed token.')
  return role === actor.role && !viewer ? actor : { ...actor, role, viewer }
}
