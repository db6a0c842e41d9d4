import type * as v from 'valibot'
import { DEFAULT_COLOR, email, oneOf } from '../../engine/field-schemas.ts'
import { object, optional } from '../../engine/object-schemas.ts'
import { validate } from '../../engine/validate.ts'
import { addSeconds, type Instant } from '../../kernel/instant.ts'
import type { Ports } from '../../ports/index.ts'
import { CURRENCIES } from '../../schema/currency.ts'
import type { TaskType } from '../../schema/task-type.ts'
import type { Workspace } from '../../schema/workspace.ts'
import { checkNewPassword } from '../accounts/new-password.ts'
import { password, userName } from '../accounts/user.ts'
import type { MemberView } from '../members/member.ts'
import { addMemberByEmail } from '../members/membership.ts'
import { DEFAULT_TASK_TYPES } from '../task-types/task-type.ts'
import {
  countryCode,
  findCountry,
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
  const { storage, now, newId, passwords } = ports
  const fields = validate(workspaceInput, input)
  const { owner_password, owner_email } = fields
  if (owner_password != null) await checkNewPassword(passwords, 'owner_password', owner_password, owner_email)
  const password_hash = owner_password == null ? null : await passwords.hash(owner_password)
  return storage.transact(async (tx) => {
    const at = now()
    const workspace: Workspace = {
      id: newId(),
      name: fields.name,
      slug: fields.slug,
      country: fields.country ?? findCountry(fields.locale),
      locale: fields.locale ?? 'en-US',
      currency: fields.currency ?? 'USD',
      time_zone: fields.time_zone ?? 'UTC',
      created_at: at,
      updated_at: at,
    }
    await tx.workspaces.insert(workspace)
    const owner = await addMemberByEmail(
      tx,
      workspace.id,
      { name: fields.owner_name, email: fields.owner_email, role: 'owner', password_hash },
      { newId, at },
    )
    await tx.workspace(workspace.id).task_types.insertMany(buildTaskTypes(newId, at))
    return { ...toWorkspaceView(workspace), owner }
  })
}

/** The task types are a millisecond apart, so that lists show them in the same order in every workspace. */
function buildTaskTypes(newId: () => string, at: Instant): readonly TaskType[] {
  return DEFAULT_TASK_TYPES.map((title, position) => {
    const created_at = addSeconds(at, position / 1000)
    const key = title.toLowerCase()
    return { id: newId(), title, color: DEFAULT_COLOR, key, created_at, updated_at: created_at }
  })
}
