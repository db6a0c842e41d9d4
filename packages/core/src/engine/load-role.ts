import type { Actor } from '../kernel/actor.ts'
import { CrmError } from '../kernel/errors.ts'
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
 * Returns the actor with the role that the member has in this transaction: a role may change after an actor was
 * loaded.
 * @throws CrmError `unauthorized` for a member who was removed since
 */
export async function withCurrentRole(actor: Actor, transaction: WorkspaceTransaction): Promise<Actor> {
  const role = await loadRole(actor, transaction)
  if (role === undefined) throw new CrmError('unauthorized', 'Invalid or malformed token.')
  return role === actor.role ? actor : { ...actor, role }
}
