import { object } from '../../engine/object-schemas.ts'
import { validate, validatePatch } from '../../engine/validate.ts'
import type { Ports } from '../../ports/index.ts'
import { saveChanges, type WorkspaceChanges, workspaceChanges } from '../workspaces/update-workspace.ts'
import { findWorkspaceBySlug, slug, toWorkspaceView, type WorkspaceView } from '../workspaces/workspace.ts'

/** @throws CrmError `validation_error`, `bad_request` without a change, `not_found` */
export async function updateWorkspace(
  { storage, now }: Pick<Ports, 'storage' | 'now'>,
  input: { readonly workspace: string } & WorkspaceChanges,
): Promise<WorkspaceView> {
  const { workspace, ...changes } = input
  const target = validate(object({ workspace: slug }), { workspace })
  const fields = validatePatch(workspaceChanges, changes)
  return storage.transact(async (tx) => {
    const { id } = await findWorkspaceBySlug(tx, target.workspace)
    const before = await tx.workspaces.getForUpdate(id)
    return toWorkspaceView(await saveChanges(tx, before!, fields, now()))
  })
}
