import type { Actor } from '../kernel/actor.ts'
import type { Instant } from '../kernel/instant.ts'
import { requirePermission } from '../kernel/permissions.ts'
import type { RecordBase } from '../kernel/record.ts'
import type { Engine } from './extension.ts'
import { buildDetailView, type HasDetailView, loadForUpdate } from './load-record.ts'
import { withCurrentRole } from './load-role.ts'
import { resolveEffectiveOwner } from './owner.ts'
import type { EmitsEvents, Resource } from './resource.ts'
import { inWorkspace, type WorkspaceTransaction } from './workspace-transaction.ts'

/**
 * Soft-deletes a record. `beforeDelete` runs first in the same transaction and may refuse by throwing. The
 * event shows the record as it was before both.
 * @throws CrmError `not_found`, `forbidden`, and what `beforeDelete` throws
 */
export async function deleteRecord<R extends RecordBase, Detail>(
  resource: Pick<Resource<R>, 'label' | 'collection' | 'store'> &
    HasDetailView<R, Detail> &
    EmitsEvents<NoInfer<Detail>>,
  { storage, now, newId, prepareEvents }: Pick<Engine, 'storage' | 'now' | 'newId' | 'prepareEvents'>,
  actor: Actor,
  id: string,
  beforeDelete: (record: R, unit: WorkspaceTransaction, at: Instant) => Promise<void>,
): Promise<void> {
  await storage.transact(async (tx) => {
    const unit = inWorkspace(tx, actor.workspaceId)
    const [record, emit, member] = await Promise.all([
      loadForUpdate(resource, id, unit),
      prepareEvents<Detail>(resource, unit),
      withCurrentRole(actor, unit),
    ])
    requirePermission(member, 'delete', resource, await resolveEffectiveOwner(record, member, unit))
    const at = now()
    await emit({ before: () => buildDetailView(resource, record, unit) }, { at, newId })
    await beforeDelete(record, unit, at)
    await resource.store(unit.stores).softDelete(record.id, at)
  })
}
