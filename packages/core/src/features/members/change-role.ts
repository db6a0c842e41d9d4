import type * as v from 'valibot'
import { findById } from '../../engine/find-by-id.ts'
import { requireVersion, type WriteConditions } from '../../engine/record-version.ts'
import { validatePatch } from '../../engine/validate-patch.ts'
import { asService, inWorkspace } from '../../engine/workspace-transaction.ts'
import { type Actor, requireScope } from '../../kernel/actor.ts'
import { CONSOLE_CLIENT_ID } from '../../kernel/console-client.ts'
import { forbidden, notFound } from '../../kernel/errors.ts'
import type { Instant } from '../../kernel/instant.ts'
import { changeable, object } from '../../kernel/object-schemas.ts'
import { mayManage, type Role } from '../../kernel/role.ts'
import type { Ports } from '../../ports/index.ts'
import type { Transaction } from '../../ports/storage.ts'
import type { Member } from '../../schema/member.ts'
import { dropInaccessible } from '../webhooks/drop-deliveries.ts'
import { findInvitations } from './invitation.ts'
import { requireManager } from './manager.ts'
import { roleName } from './member.ts'
import { MANAGE_MEMBERS_SCOPE } from './member-scopes.ts'
import { requireOtherOwner } from './membership.ts'

export const memberChanges = object(changeable({ role: roleName }))

/** Input of `crm.members.update`. */
export type MemberChanges = v.InferInput<typeof memberChanges>

/**
 * Changes the role of another member. Ends what the new role may not have: the console's webhooks of the member, and
 * the invitations that they may not send any more.
 * @throws CrmError `insufficient_scope`, `validation_error`, `bad_request`, `not_found`, `forbidden`, `precondition_failed`
 */
export async function changeRole(
  { storage, now, secrets }: Pick<Ports, 'storage' | 'now' | 'secrets'>,
  actor: Actor,
  id: string,
  input: MemberChanges,
  conditions: WriteConditions = {},
): Promise<void> {
  requireScope(actor, MANAGE_MEMBERS_SCOPE)
  const { role } = validatePatch(memberChanges, input)
  await storage.transact(async (tx) => {
    // Serializes the changes of roles, so that of two owners who demote each other one stays.
    await tx.workspaces.getForUpdate(actor.workspaceId)
    const { members } = inWorkspace(tx, actor).stores
    const before = await findById(members, id, 'getForUpdate')
    if (!before || before.removed_at !== null) throw notFound('Member')
    await requireManager(tx, actor, ['update', 'member'], before.role, role ?? before.role)
    requireVersion(before, conditions, { secrets })
    if (role === undefined) return
    if (role !== before.role && before.id === actor.userId)
      throw forbidden('update', 'member', { role: 'Must not be your own role.' })
    await setRole(tx, actor.workspaceId, { before, role, at: now() })
  })
}

interface RoleChange {
  readonly before: Member
  readonly role: Role
  readonly at: Instant
}

/**
 * Changes the role of a member, unless it has it. The caller has locked the workspace and the member for update.
 * @throws CrmError `validation_error` for the last owner
 */
export async function setRole(
  tx: Transaction,
  workspaceId: string,
  { before, role, at }: RoleChange,
): Promise<void> {
  if (role === before.role) return
  const transaction = asService(tx, workspaceId)
  await requireOtherOwner(before, transaction, 'role')
  await transaction.stores.members.update({ ...before, role, updated_at: at })
  await dropInaccessible(transaction.stores, [CONSOLE_CLIENT_ID], at)
  for (const invitation of await findInvitations(tx, workspaceId, 'invited_by', before.id))
    if (!mayManage(role, invitation.role)) await tx.invitations.hardDelete(invitation.id)
}
