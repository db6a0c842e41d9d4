import { validate } from '../../engine/validate.ts'
import { validatePatch } from '../../engine/validate-patch.ts'
import { asService } from '../../engine/workspace-transaction.ts'
import { object } from '../../kernel/object-schemas.ts'
import type { Ports } from '../../ports/index.ts'
import { saveChanges, type WorkspaceChanges, workspaceChanges } from '../workspaces/update-workspace.ts'
import { findWorkspaceBySlug, slug, toWorkspaceView, type WorkspaceView } from '../workspaces/workspace.ts'
import { findOwnerId } from './find-owner.ts'

/** @throws CrmError `validation_error`, `bad_request` without a change, `not_found` */
export async function updateWorkspace(
  { storage, now, newId }: Pick<Ports, 'storage' | 'now' | 'newId'>,
  input: { readonly workspace: string } & WorkspaceChanges,
): Promise<WorkspaceView> {
  const { workspace, ...changes } = input
  const target = validate(object({ workspace: slug }), { workspace })
  const fields = validatePatch(workspaceChanges, changes)
  return storage.transact(async (tx) => {
    const { id } = await findWorkspaceBySlug(tx, target.workspace)
    const before = await tx.workspaces.getForUpdate(id)
    const actingUserId = (await findOwnerId(asService(tx, id))) ?? id
    return toWorkspaceView(await saveChanges(tx, before!, fields, { at: now(), newId, actingUserId }))
  })
}
