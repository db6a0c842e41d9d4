import type * as v from 'valibot'
import { password, userName } from '../accounts/user.ts'
import { CURRENCIES } from '../deals/currency.ts'
import type { MemberView } from '../members/member.ts'
import { join } from '../members/membership.ts'
import type { Ports } from '../ports.ts'
import { DEFAULT_COLOR, email, line, object, oneOf, optional } from '../records/fields.ts'
import { validate } from '../records/input.ts'
import { FIRST_TASK_TYPES } from '../task-types/task-type.ts'
import { localeName, slug, timeZoneName, type Workspace, type WorkspaceView, workspaceView } from './workspace.ts'

const workspaceInput = object({
  name: line(1, 80),
  slug,
  owner_name: userName,
  owner_email: email,
  ...optional({ owner_password: password, locale: localeName, currency: oneOf(CURRENCIES), time_zone: timeZoneName }),
})

/** Makes a workspace with its owner and its first task types. A known e-mail joins with the account it has. */
export async function createWorkspace(
  ports: Ports,
  input: v.InferInput<typeof workspaceInput>,
): Promise<WorkspaceView & { readonly owner: MemberView }> {
  const { storage, now, newId, passwords } = ports
  const asked = validate(workspaceInput, input)
  const password_hash = asked.owner_password == null ? null : await passwords.hash(asked.owner_password)
  return storage.transact(async (tx) => {
    const at = now()
    const workspace: Workspace = {
      id: newId(),
      name: asked.name,
      slug: asked.slug,
      locale: asked.locale ?? 'en-US',
      currency: asked.currency ?? 'USD',
      time_zone: asked.time_zone ?? 'UTC',
      created_at: at,
      updated_at: at,
    }
    await tx.workspaces.insert(workspace)
    const owner = await join(
      tx,
      workspace.id,
      { name: asked.owner_name, email: asked.owner_email, role: 'owner', password_hash },
      { newId, at },
    )
    const types = FIRST_TASK_TYPES.map((title) => {
      return { id: newId(), title, color: DEFAULT_COLOR, key: title.toLowerCase(), created_at: at, updated_at: at }
    })
    await tx.workspace(workspace.id).task_types.insertMany(types)
    return { ...workspaceView(workspace), owner }
  })
}
