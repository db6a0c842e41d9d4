import type * as v from 'valibot'
import { email, object, optional } from '../../engine/field-schemas.ts'
import { validate } from '../../engine/validate.ts'
import type { Ports } from '../../ports/index.ts'
import { password, userName } from '../accounts/user.ts'
import { type MemberView, roleName } from '../members/member.ts'
import { addMemberByEmail } from '../members/membership.ts'
import { findWorkspaceBySlug, slug } from '../workspaces/workspace.ts'

const memberInput = object({
  workspace: slug,
  name: userName,
  email,
  role: roleName,
  ...optional({ password }),
})

/** @throws CrmError `not_found`, `conflict` for someone who is a member already */
export async function addMember(ports: Ports, input: v.InferInput<typeof memberInput>): Promise<MemberView> {
  const { storage, now, newId, passwords } = ports
  const parsed = validate(memberInput, input)
  const password_hash = parsed.password == null ? null : await passwords.hash(parsed.password)
  return storage.transact(async (tx) => {
    const workspace = await findWorkspaceBySlug(tx, parsed.workspace)
    return addMemberByEmail(
      tx,
      workspace.id,
      { name: parsed.name, email: parsed.email, role: parsed.role, password_hash },
      { newId, at: now() },
    )
  })
}
