import type * as v from 'valibot'
import { oneOf } from '../../engine/field-schemas.ts'
import { loadRole } from '../../engine/load-role.ts'
import { changeable, clearable, object } from '../../engine/object-schemas.ts'
import { hasChanges } from '../../engine/patch.ts'
import { validatePatch } from '../../engine/validate.ts'
import { inWorkspace } from '../../engine/workspace-transaction.ts'
import { type Actor, requireScope } from '../../kernel/actor.ts'
import { forbidden, notFound } from '../../kernel/errors.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { Ports } from '../../ports/index.ts'
import type { Transaction } from '../../ports/storage.ts'
import { CURRENCIES } from '../../schema/currency.ts'
import type { Workspace } from '../../schema/workspace.ts'
import { countryCode, localeName, timeZoneName, workspaceName } from './workspace.ts'

export const WORKSPACE_SCOPE = 'workspace:manage'

export const workspaceChanges = object({
  ...changeable({
    name: workspaceName,
    currency: oneOf(CURRENCIES),
    locale: localeName,
    time_zone: timeZoneName,
  }),
  ...clearable({ country: countryCode }),
})

/** The settings of a workspace that `crm.workspace.update` changes. Its slug stays. */
export type WorkspaceChanges = v.InferInput<typeof workspaceChanges>

/** @throws CrmError `insufficient_scope`, `validation_error`, `bad_request`, `not_found`, `forbidden` unless the actor is an owner */
export async function updateWorkspace(
  { storage, now }: Pick<Ports, 'storage' | 'now'>,
  actor: Actor,
  input: WorkspaceChanges,
): Promise<void> {
  requireScope(actor, WORKSPACE_SCOPE)
  const fields = validatePatch(workspaceChanges, input)
  await storage.transact(async (tx) => {
    const before = await tx.workspaces.getForUpdate(actor.workspaceId)
    if (!before) throw notFound('Workspace')
    if ((await loadRole(actor, inWorkspace(tx, before.id))) !== 'owner')
      throw forbidden('update', 'workspace')
    await saveChanges(tx, before, fields, now())
  })
}

/** Writes nothing if nothing changes. The caller has locked the workspace for update. */
export async function saveChanges(
  tx: Transaction,
  before: Workspace,
  fields: Partial<Workspace>,
  at: Instant,
): Promise<Workspace> {
  if (!hasChanges(before, fields)) return before
  const after = { ...before, ...fields, updated_at: at }
  await tx.workspaces.update(after)
  return after
}
