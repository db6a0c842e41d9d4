import { validate } from '../../engine/validate.ts'
import { knownEmail } from '../../kernel/field-schemas.ts'
import { object } from '../../kernel/object-schemas.ts'
import type { Role } from '../../kernel/role.ts'
import type { Ports } from '../../ports/index.ts'
import type { MemberView } from '../../schema/views.ts'
import { setRole } from '../members/change-role.ts'
import { roleName, toMemberView } from '../members/member.ts'
import { findWorkspaceBySlug, slug } from '../workspaces/workspace.ts'
import { findMemberByEmail } from './remove-member.ts'

const memberInput = object({ workspace: slug, email: knownEmail, role: roleName })

/** @throws CrmError `validation_error`, also for the last owner; `not_found` */
export async function updateMember(
  { storage, now }: Pick<Ports, 'storage' | 'now'>,
  input: { readonly workspace: string; readonly email: string; readonly role: Role },
): Promise<MemberView> {
  const { workspace, email, role } = validate(memberInput, input)
  return storage.transact(async (tx) => {
    const { id } = await findWorkspaceBySlug(tx, workspace)
    await tx.workspaces.getForUpdate(id)
    const { user, member } = await findMemberByEmail(tx, id, email, 'getForUpdate')
    await setRole(tx, id, { before: member, role, at: now() })
    return toMemberView({ id: member.id, role }, user)
  })
}
