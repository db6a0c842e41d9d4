import * as v from 'valibot'
import { findById } from '../../engine/find-by-id.ts'
import { loadRole } from '../../engine/load-role.ts'
import { requireVersion, type WriteConditions } from '../../engine/record-version.ts'
import { findMemberId } from '../../engine/references.ts'
import { asService, type WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { forbidden, notFound, validationError } from '../../kernel/errors.ts'
import { uuid } from '../../kernel/field-schemas.ts'
import { mayManage } from '../../kernel/role.ts'
import type { Ports } from '../../ports/index.ts'
import type { Transaction } from '../../ports/storage.ts'
import { type MemberIdentity, requireManager } from './manager.ts'
import { type MemberRemoval, removeMembership } from './membership.ts'
import { reassignRecords } from './reassignment.ts'

export const removalQuery = v.object({ reassign_to: v.optional(uuid) })

/** Options of `crm.members.remove`. */
export type RemovalOptions = v.InferInput<typeof removalQuery>

interface Removal extends RemovalOptions, WriteConditions, Pick<MemberRemoval, 'inputField'> {
  readonly userId: string
}

/**
 * Removes a member for another one who manages members, or for the member itself. With `reassign_to` the records of a
 * member who was removed before are handed over too.
 * @throws CrmError `not_found`, `forbidden`, `validation_error` for the last owner and for a wrong `reassign_to`
 */
export async function removeMember(
  tx: Transaction,
  { now, newId, secrets }: Pick<Ports, 'now' | 'newId' | 'secrets'>,
  manager: MemberIdentity,
  { userId, inputField, reassign_to, versions }: Removal,
): Promise<void> {
  const { workspaceId } = manager
  const transaction = asService(tx, workspaceId)
  await tx.workspaces.getForUpdate(workspaceId)
  // The lock order of `acceptInvitation`: user, then member.
  const user = await findById(tx.users, userId, 'getForUpdate')
  const member = user && (await transaction.stores.members.getForUpdate(user.id))
  const isCurrent = member?.removed_at === null
  if (!member || !(isCurrent || reassign_to)) throw notFound('Member')
  // Read under the lock: the manager may have been removed meanwhile.
  if (member.id !== manager.userId) await requireManager(tx, manager, ['delete', 'member'], member.role)
  requireVersion(member, { versions }, { secrets })
  const reassignTo = await findSuccessor(reassign_to, member.id, manager, transaction)
  const context = { newId, at: now() }
  const actingUserId = manager.userId
  if (isCurrent)
    await removeMembership(tx, workspaceId, { user, member, inputField, reassignTo, actingUserId }, context)
  else await reassignRecords({ memberId: member.id, reassignTo, actingUserId }, transaction, context)
}

const SUCCESSOR_RULE = 'Only an owner or admin may hand over the records of a member.'

/** @throws CrmError `forbidden`, `validation_error` */
async function findSuccessor(
  reassignTo: string | undefined,
  memberId: string,
  manager: MemberIdentity,
  transaction: WorkspaceTransaction,
): Promise<string | undefined> {
  if (reassignTo === undefined) return undefined
  // A member who leaves needs no permission for that, but for this.
  if (!mayManage(await loadRole(manager, transaction)))
    throw forbidden('delete', 'member', { reassign_to: SUCCESSOR_RULE })
  return requireSuccessor(await findMemberId(reassignTo.toLowerCase(), transaction), memberId)
}

/** @throws CrmError `validation_error` */
export function requireSuccessor(successor: string | undefined, memberId: string): string {
  if (successor === undefined) throw validationError({ reassign_to: 'Member not found.' })
  if (successor === memberId) throw validationError({ reassign_to: 'Must be another member.' })
  return successor
}
