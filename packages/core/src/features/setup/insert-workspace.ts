import type { Instant } from '../../kernel/instant.ts'
import { VISIBLE_TO_EVERYONE } from '../../kernel/visibility.ts'
import type { Ports } from '../../ports/index.ts'
import type { Transaction } from '../../ports/storage.ts'
import type { Currency } from '../../schema/currency.ts'
import type { MemberView } from '../../schema/views.ts'
import type { Workspace } from '../../schema/workspace.ts'
import { addMemberByEmail } from '../members/membership.ts'
import { insertDefaultTaskTypes } from '../task-types/task-type.ts'
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
    visibility: VISIBLE_TO_EVERYONE,
    sender: null,
    created_at: at,
    updated_at: at,
  }
  await tx.workspaces.insert(workspace)
  const { owner_name: name, owner_email: email, password_hash } = fields
  const newOwner = { name, email, role: 'owner', password_hash } as const
  const owner = await addMemberByEmail(tx, workspace.id, newOwner, { newId, at })
  await insertDefaultTaskTypes(tx.workspace(workspace.id), newId, at)
  return { workspace, owner }
}
