import type * as v from 'valibot'
import { validate } from '../../engine/validate.ts'
import { email, oneOf } from '../../kernel/field-schemas.ts'
import { object, optional } from '../../kernel/object-schemas.ts'
import type { Ports } from '../../ports/index.ts'
import { CURRENCIES } from '../../schema/currency.ts'
import type { MemberView } from '../../schema/views.ts'
import { checkNewPassword } from '../accounts/new-password.ts'
import { password, userName } from '../accounts/user.ts'
import { insertWorkspace } from '../setup/insert-workspace.ts'
import {
  countryCode,
  localeName,
  slug,
  timeZoneName,
  toWorkspaceView,
  type WorkspaceView,
  workspaceName,
} from '../workspaces/workspace.ts'

const workspaceInput = object({
  name: workspaceName,
  slug,
  owner_name: userName,
  owner_email: email,
  ...optional({
    owner_password: password,
    country: countryCode,
    locale: localeName,
    currency: oneOf(CURRENCIES),
    time_zone: timeZoneName,
  }),
})

/**
 * Creates a workspace with its owner and the default task types. An existing user keeps name and password.
 */
export async function createWorkspace(
  ports: Ports,
  input: v.InferInput<typeof workspaceInput>,
): Promise<WorkspaceView & { readonly owner: MemberView }> {
  const { storage, now, passwords } = ports
  const fields = validate(workspaceInput, input)
  const { owner_password, owner_email } = fields
  if (owner_password != null) await checkNewPassword(passwords, 'owner_password', owner_password, owner_email)
  const password_hash = owner_password == null ? null : await passwords.hash(owner_password)
  return storage.transact(async (tx) => {
    const { workspace, owner } = await insertWorkspace(tx, ports, { ...fields, password_hash }, now())
    return { ...toWorkspaceView(workspace), owner }
  })
}
