import { DEFAULT_COLOR } from '../../kernel/field-schemas.ts'
import { addSeconds, type Instant } from '../../kernel/instant.ts'
import type { Ports } from '../../ports/index.ts'
import type { Transaction } from '../../ports/storage.ts'
import type { Currency } from '../../schema/currency.ts'
import type { TaskType } from '../../schema/task-type.ts'
import type { MemberView } from '../../schema/views.ts'
import type { Workspace } from '../../schema/workspace.ts'
import { addMemberByEmail } from '../members/membership.ts'
import { DEFAULT_TASK_TYPES } from '../task-types/task-type.ts'
import { findCountry } from '../workspaces/workspace.ts'

interface NewWorkspace {
  readonly name: string
  readonly slug: string
  readonly country?: string | null | undefined
  readonly locale?: string | null | undefined
  readonly currency?: Currency | null | undefined
  readonly time_zone?: string | null | undefined
  readonly owner_name: string
  readonly owner_email: string
  readonly password_hash: string | null
}

/**
 * Inserts a workspace with its owner and the default task types. An existing user keeps name and password.
 * @throws CrmError `conflict` for a slug that is taken
 */
export async function insertWorkspace(
  tx: Transaction,
  { newId }: Pick<Ports, 'newId'>,
  fields: NewWorkspace,
  at: Instant,
): Promise<{ readonly workspace: Workspace; readonly owner: MemberView }> {
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
  const { owner_name: name, owner_email: email, password_hash } = fields
  const newOwner = { name, email, role: 'owner', password_hash } as const
  const owner = await addMemberByEmail(tx, workspace.id, newOwner, { newId, at })
  await tx.workspace(workspace.id).task_types.insertMany(buildTaskTypes(newId, at))
  return { workspace, owner }
}

/** The task types are a millisecond apart, so that lists show them in the same order in every workspace. */
function buildTaskTypes(newId: () => string, at: Instant): readonly TaskType[] {
  return DEFAULT_TASK_TYPES.map((title, position) => {
    const created_at = addSeconds(at, position / 1000)
    const key = title.toLowerCase()
    return { id: newId(), title, color: DEFAULT_COLOR, key, created_at, updated_at: created_at }
  })
}
