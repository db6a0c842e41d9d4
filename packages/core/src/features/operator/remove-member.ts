import { findMemberIdByEmail } from '../../engine/references.ts'
import { validate } from '../../engine/validate.ts'
import { asService, type WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { notFound } from '../../kernel/errors.ts'
import { knownEmail } from '../../kernel/field-schemas.ts'
import { object, optional } from '../../kernel/object-schemas.ts'
import type { Ports } from '../../ports/index.ts'
import type { Transaction } from '../../ports/storage.ts'
import type { MemberView } from '../../schema/views.ts'
import { toMemberView } from '../members/member.ts'
import { removeMembership } from '../members/membership.ts'
import { requireSuccessor } from '../members/remove-member.ts'
import { findWorkspaceBySlug, slug } from '../workspaces/workspace.ts'
import { findOwnerId } from './find-owner.ts'

const removalInput = object({
  workspace: slug,
  email: knownEmail,
  ...optional({ reassign_to: knownEmail }),
})

/** @throws CrmError `not_found`, `validation_error`, also for the last owner */
export async function removeMember(
  ports: Ports,
  input: { readonly workspace: string; readonly email: string; readonly reassign_to?: string | undefined },
): Promise<MemberView> {
  const { storage, now, newId } = ports
  const fields = validate(removalInput, input)
  return storage.transact(async (tx) => {
    const workspace = await findWorkspaceBySlug(tx, fields.workspace)
    await tx.workspaces.getForUpdate(workspace.id)
    const { user, member } = await findMemberByEmail(tx, workspace.id, fields.email, 'getForUpdate')
    const transaction = asService(tx, workspace.id)
    const reassignTo = await findSuccessor(fields.reassign_to, member.id, transaction)
    const actingUserId = (await findOwnerId(transaction, member.id)) ?? member.id
    const removal = { user, member, inputField: 'email', reassignTo, actingUserId } as const
    await removeMembership(tx, workspace.id, removal, { newId, at: now() })
    return toMemberView(member, user)
  })
}

/** @throws CrmError `validation_error` */
async function findSuccessor(
  email: string | null | undefined,
  memberId: string,
  transaction: WorkspaceTransaction,
): Promise<string | undefined> {
  return email ? requireSuccessor(await findMemberIdByEmail(email, transaction), memberId) : undefined
}

/** Finds a user and current member by e-mail address. @throws CrmError `not_found` */
export async function findMemberByEmail(
  tx: Transaction,
  workspaceId: string,
  address: string,
  method: 'get' | 'getForShare' | 'getForUpdate',
) {
  const [user] = await tx.users.find([{ field: 'email', is: address.toLowerCase() }])
  // The lock order of `acceptInvitation`: user, then member.
  if (user && method === 'getForUpdate') await tx.users.getForUpdate(user.id)
  const member = user && (await tx.workspace(workspaceId).members[method](user.id))
  if (!member || member.removed_at !== null) throw notFound('Member')
  return { user, member }
}
