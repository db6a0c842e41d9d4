import { validate } from '../../engine/validate.ts'
import { asService } from '../../engine/workspace-transaction.ts'
import { object } from '../../kernel/object-schemas.ts'
import type { Ports } from '../../ports/index.ts'
import { prepareChanges, saveChanges, type WorkspaceChanges } from '../workspaces/update-workspace.ts'
import { findWorkspaceBySlug, slug, toWorkspaceView, type WorkspaceView } from '../workspaces/workspace.ts'
import { findOwnerId } from './find-owner.ts'

/** @throws CrmError `validation_error`, `bad_request` without a change, `not_found` */
export async function updateWorkspace(
  ports: Pick<Ports, 'storage' | 'now' | 'newId' | 'random' | 'files'>,
  input: { readonly workspace: string } & WorkspaceChanges,
): Promise<WorkspaceView> {
  const { workspace, ...changes } = input
  const target = validate(object({ workspace: slug }), { workspace })
  const fields = await prepareChanges(changes, ports)
  return ports.storage.transact(async (tx) => {
    const { id } = await findWorkspaceBySlug(tx, target.workspace)
    const before = await tx.workspaces.getForUpdate(id)
    const actingUserId = (await findOwnerId(asService(tx, id))) ?? id
    const context = { ...ports, at: ports.now(), actingUserId }
    return toWorkspaceView(await saveChanges(tx, before!, fields, context))
  })
}
