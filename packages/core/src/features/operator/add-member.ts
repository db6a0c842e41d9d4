import type * as v from 'valibot'
import { validate } from '../../engine/validate.ts'
import { email } from '../../kernel/field-schemas.ts'
import { object, optional } from '../../kernel/object-schemas.ts'
import type { Ports } from '../../ports/index.ts'
import type { MemberView } from '../../schema/views.ts'
import { checkNewPassword } from '../accounts/new-password.ts'
import { password, userName } from '../accounts/user.ts'
import { roleName } from '../members/member.ts'
import { addMemberByEmail } from '../members/membership.ts'
import { findWorkspaceBySlug, slug } from '../workspaces/workspace.ts'

const memberInput = object({
  workspace: slug,
  name: userName,
  email,
  role: roleName,
  ...optional({ password }),
})

/** @throws CrmError `validation_error`, `not_found`, `conflict` for a current member */
export async function addMember(ports: Ports, input: v.InferInput<typeof memberInput>): Promise<MemberView> {
  const { storage, now, newId, passwords } = ports
  const fields = validate(memberInput, input)
  if (fields.password != null) await checkNewPassword(passwords, 'password', fields.password, fields.email)
  const password_hash = fields.password == null ? null : await passwords.hash(fields.password)
  return storage.transact(async (tx) => {
    const workspace = await findWorkspaceBySlug(tx, fields.workspace)
    return addMemberByEmail(
      tx,
      workspace.id,
      { name: fields.name, email: fields.email, role: fields.role, password_hash },
      { newId, at: now() },
    )
  })
}
