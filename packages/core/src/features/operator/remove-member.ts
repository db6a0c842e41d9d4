import { knownEmail } from '../../engine/field-schemas.ts'
import { object } from '../../engine/object-schemas.ts'
import { validate } from '../../engine/validate.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Ports } from '../../ports/index.ts'
import type { Transaction } from '../../ports/storage.ts'
import { type MemberView, toMemberView } from '../members/member.ts'
import { removeMembership } from '../members/membership.ts'
import { findWorkspaceBySlug, slug } from '../workspaces/workspace.ts'

/** @throws CrmError `not_found`, `validation_error`, also for the last owner */
export async function removeMember(
  ports: Ports,
  input: { readonly workspace: string; readonly email: string },
): Promise<MemberView> {
  const { storage, now, newId } = ports
  const fields = validate(object({ workspace: slug, email: knownEmail }), input)
  return storage.transact(async (tx) => {
    const workspace = await findWorkspaceBySlug(tx, fields.workspace)
    await tx.workspaces.getForUpdate(workspace.id)
    const { user, member } = await findMemberByEmail(tx, workspace.id, fields.email, 'getForUpdate')
    await removeMembership(tx, workspace.id, { user, member, inputField: 'email' }, { newId, at: now() })
    return toMemberView(member, user)
  })
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
