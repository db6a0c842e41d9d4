import { loadRole } from '../../engine/load-role.ts'
import { asService } from '../../engine/workspace-transaction.ts'
import { forbidden } from '../../kernel/errors.ts'
import { mayManage, type Role } from '../../kernel/role.ts'
import type { Transaction } from '../../ports/storage.ts'

/** A user in a workspace: an actor, or a signed-in user of the workspace's page. */
export interface MemberIdentity {
  readonly workspaceId: string
  readonly userId: string
}

/** @throws CrmError `forbidden` unless the user manages members who have all of the roles */
export async function requireManager(
  tx: Transaction,
  identity: MemberIdentity,
  [operation, entity]: readonly ['create' | 'read' | 'update' | 'delete', 'member' | 'invitation'],
  ...roles: readonly Role[]
): Promise<void> {
  const role = await loadRole(identity, asService(tx, identity.workspaceId))
  if (!mayManage(role, ...roles)) throw forbidden(operation, entity)
}
