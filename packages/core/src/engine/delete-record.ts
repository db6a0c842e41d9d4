import type { Actor } from '../kernel/actor.ts'
import type { Instant } from '../kernel/instant.ts'
import { requirePermission } from '../kernel/permissions.ts'
import type { RecordBase } from '../kernel/record.ts'
import type { Engine } from './extension.ts'
import { buildDetailView, type HasDetailView, loadForUpdate } from './load-record.ts'
import { withCurrentRole } from './load-role.ts'
import { resolveEffectiveOwner } from './owner.ts'
import { requireVersion, type WriteConditions } from './record-version.ts'
import type { EmitsEvents, Resource } from './resource.ts'
import { inWorkspace, type WorkspaceTransaction } from './workspace-transaction.ts'

interface DeleteOptions<R extends RecordBase> {
  readonly conditions?: WriteConditions | undefined
  /** Runs before the deletion, in its transaction. It refuses by throwing. */
  readonly beforeDelete?: (record: R, unit: WorkspaceTransaction, at: Instant) => Promise<void>
}

/**
 * Soft-deletes a record. The event shows it as it was before `beforeDelete`.
 * @throws CrmError `not_found`, `forbidden`, `precondition_failed`, and what `beforeDelete` throws
 */
export async function deleteRecord<R extends RecordBase, Detail>(
  resource: Pick<Resource<R>, 'label' | 'collection' | 'store' | 'loadParts'> &
    HasDetailView<R, Detail> &
    EmitsEvents<NoInfer<Detail>>,
  engine: Pick<Engine, 'storage' | 'now' | 'newId' | 'secrets' | 'prepareEvents'>,
  actor: Actor,
  id: string,
  { conditions = {}, beforeDelete }: DeleteOptions<R> = {},
): Promise<void> {
  const { storage, now, newId, prepareEvents } = engine
  await storage.transact(async (tx) => {
    const unit = inWorkspace(tx, actor.workspaceId)
    const [record, emit, member] = await Promise.all([
      loadForUpdate(resource, id, unit),
      prepareEvents<Detail>(resource, unit),
      withCurrentRole(actor, unit),
    ])
    requirePermission(member, 'delete', resource, await resolveEffectiveOwner(record, member, unit))
    requireVersion(record, conditions, engine, await resource.loadParts?.(record, unit))
    const at = now()
    await emit({ before: () => buildDetailView(resource, record, unit) }, { at, newId })
    await beforeDelete?.(record, unit, at)
    await resource.store(unit.stores).softDelete(record.id, at)
  })
}
