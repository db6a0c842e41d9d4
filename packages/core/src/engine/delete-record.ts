import type { Actor } from '../kernel/actor.ts'
import type { Instant } from '../kernel/instant.ts'
import { requirePermission } from '../kernel/permissions.ts'
import type { RecordBase } from '../kernel/record.ts'
import type { Transaction } from '../ports/storage.ts'
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

type DeletableResource<R extends RecordBase, Detail> = Pick<
  Resource<R>,
  'label' | 'collection' | 'store' | 'loadParts'
> &
  HasDetailView<R, Detail> &
  EmitsEvents<NoInfer<Detail>>

type DeletionPorts = Pick<Engine, 'now' | 'newId' | 'secrets' | 'prepareEvents'>

/**
 * Soft-deletes a record. The event shows it as it was before `beforeDelete`.
 * @throws CrmError `not_found`, `forbidden`, `precondition_failed`, and what `beforeDelete` throws
 */
export async function deleteRecord<R extends RecordBase, Detail>(
  resource: DeletableResource<R, Detail>,
  engine: DeletionPorts & Pick<Engine, 'storage'>,
  actor: Actor,
  id: string,
  options?: DeleteOptions<R>,
): Promise<void> {
  await engine.storage.transact((tx) => deleteWithin(resource, engine, actor, id, tx, options))
}

/** As `deleteRecord`, in a transaction of the caller. */
export async function deleteWithin<R extends RecordBase, Detail>(
  resource: DeletableResource<R, Detail>,
  engine: DeletionPorts,
  actor: Actor,
  id: string,
  tx: Transaction,
  { conditions = {}, beforeDelete }: DeleteOptions<R> = {},
): Promise<void> {
  const { now, newId, prepareEvents } = engine
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
}
