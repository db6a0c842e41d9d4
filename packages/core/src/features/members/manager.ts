import { loadRole } from '../../engine/load-role.ts'
import { inWorkspace } from '../../engine/workspace-transaction.ts'
import { forbidden } from '../../kernel/errors.ts'
import type { Role } from '../../kernel/role.ts'
import type { Transaction } from '../../ports/storage.ts'

/** A user in a workspace: an actor, or a visitor of the workspace's page. */
export interface MemberIdentity {
  readonly workspaceId: string
  readonly userId: string
}

/** Owners and admins manage members. Only an owner gives, takes or removes the role of owner. */
export function mayManage(role: Role | undefined, ...roles: readonly Role[]): boolean {
  return role === 'owner' || (role === 'admin' && !roles.includes('owner'))
}

/** @throws CrmError `forbidden` unless the user manages members who have all of the roles */
export async function requireManager(
  tx: Transaction,
  identity: MemberIdentity,
  [operation, entity]: readonly ['create' | 'read' | 'update' | 'delete', 'member' | 'invitation'],
  ...roles: readonly Role[]
): Promise<void> {
  const role = await loadRole(identity, inWorkspace(tx, identity.workspaceId))
  if (!mayManage(role, ...roles)) throw forbidden(operation, entity)
}
