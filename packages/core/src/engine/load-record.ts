import { emitChange, loadSubscribers } from '../features/webhooks/emit-events.ts'
import type { Actor } from '../kernel/actor.ts'
import { notFound } from '../kernel/errors.ts'
import type { Instant } from '../kernel/instant.ts'
import { requirePermission } from '../kernel/permissions.ts'
import type { RecordBase } from '../kernel/record.ts'
import type { GetOptions, LockOptions } from '../kernel/record-store.ts'
import type { Ports } from '../ports/index.ts'
import { isUuid } from './field-schemas.ts'
import { resolveEffectiveOwner } from './owner.ts'
import type { EmitsEvents, Resource } from './resource.ts'
import { inWorkspace, type WorkspaceTransaction } from './workspace-transaction.ts'

/** @throws CrmError `not_found`, for an id that is no UUID as well */
export async function loadRecord<R extends RecordBase>(
  resource: Pick<Resource<R>, 'label' | 'store'>,
  id: string,
  unit: WorkspaceTransaction,
  options?: GetOptions,
): Promise<R> {
  const record = isUuid(id) ? await resource.store(unit.stores).get(id.toLowerCase(), options) : undefined
  if (!record) throw notFound(resource.label)
  return record
}

/** @throws CrmError `not_found`, for an id that is no UUID as well */
export async function loadForUpdate<R extends RecordBase>(
  resource: Pick<Resource<R>, 'label' | 'store'>,
  id: string,
  unit: WorkspaceTransaction,
  options?: LockOptions,
): Promise<R> {
  const record = isUuid(id)
    ? await resource.store(unit.stores).getForUpdate(id.toLowerCase(), options)
    : undefined
  if (!record) throw notFound(resource.label)
  return record
}

/** The part of a resource by which one record is shown. */
export interface HasDetailView<R extends RecordBase, Detail> {
  detailView(page: readonly R[], unit: WorkspaceTransaction): Promise<readonly Detail[]>
}

export async function buildDetailView<R extends RecordBase, Detail>(
  resource: HasDetailView<R, Detail>,
  record: R,
  unit: WorkspaceTransaction,
): Promise<Detail> {
  const [view] = await resource.detailView([record], unit)
  return view!
}

/**
 * Soft-deletes a record, after what is to be done first, unless that throws. What is told of it is how it was before either.
 * @throws CrmError `not_found`, `forbidden`, and what `first` throws
 */
export async function deleteRecord<R extends RecordBase, Detail>(
  resource: Pick<Resource<R>, 'label' | 'store'> & HasDetailView<R, Detail> & EmitsEvents<NoInfer<Detail>>,
  { storage, now, newId }: Pick<Ports, 'storage' | 'now' | 'newId'>,
  actor: Actor,
  id: string,
  beforeDelete: (record: R, unit: WorkspaceTransaction, at: Instant) => Promise<void>,
): Promise<void> {
  await storage.transact(async (tx) => {
    const unit = inWorkspace(tx, actor.workspaceId)
    const [record, webhooks] = await Promise.all([
      loadForUpdate(resource, id, unit),
      loadSubscribers(resource, unit),
    ])
    requirePermission(actor, 'delete', resource.label, await resolveEffectiveOwner(record, actor, unit))
    const at = now()
    await emitChange(resource, { before: () => buildDetailView(resource, record, unit) }, webhooks, unit, {
      at,
      newId,
    })
    await beforeDelete(record, unit, at)
    await resource.store(unit.stores).softDelete(record.id, at)
  })
}
