import type { Actor } from '../kernel/actor.ts'
import { requirePermission } from '../kernel/permissions.ts'
import type { RecordBase } from '../kernel/record.ts'
import type { Transaction } from '../ports/storage.ts'
import type { EmitsEvents, Engine } from './extension.ts'
import { buildDetailView, type HasDetailView, loadForUpdate } from './load-record.ts'
import { withCurrentRole } from './load-role.ts'
import { resolveEffectiveOwner } from './owner.ts'
import { requireVersion, type WriteConditions } from './record-version.ts'
import type { Resource } from './resource.ts'
import { inWorkspace } from './workspace-transaction.ts'

type DeletableResource<R extends RecordBase, Detail> = Pick<
  Resource<R>,
  'label' | 'memberAccess' | 'collection' | 'store' | 'loadParts' | 'extensions' | 'retire'
> &
  HasDetailView<R, Detail> &
  EmitsEvents<NoInfer<Detail>>

type DeletionPorts = Pick<Engine, 'issuer' | 'now' | 'newId' | 'secrets' | 'prepareEvents'>

/**
 * Soft-deletes a record, or retires it. The event shows it as it was before the extensions' `beforeDelete`.
 * @throws CrmError `not_found`, `forbidden`, `precondition_failed`, and what `beforeDelete` throws
 */
export async function deleteRecord<R extends RecordBase, Detail>(
  resource: DeletableResource<R, Detail>,
  engine: DeletionPorts & Pick<Engine, 'storage'>,
  actor: Actor,
  id: string,
  conditions?: WriteConditions,
): Promise<void> {
  await engine.storage.transact((tx) => deleteWithin(resource, engine, actor, id, tx, conditions))
}

/** As `deleteRecord`, in a transaction of the caller. */
export async function deleteWithin<R extends RecordBase, Detail>(
  resource: DeletableResource<R, Detail>,
  engine: DeletionPorts,
  actor: Actor,
  id: string,
  tx: Transaction,
  conditions: WriteConditions = {},
): Promise<void> {
  const { now, newId, prepareEvents } = engine
  const transaction = inWorkspace(tx, actor, engine)
  const [record, emit, member] = await Promise.all([
    loadForUpdate(resource, id, transaction),
    prepareEvents<Detail>(resource, transaction),
    withCurrentRole(actor, transaction),
  ])
  requirePermission(
    member,
    'delete',
    resource,
    await resolveEffectiveOwner(record, resource, member, transaction),
  )
  requireVersion(record, conditions, engine, await resource.loadParts?.(record, transaction))
  const at = now()
  await emit({ record, before: (as) => buildDetailView(resource, record, as) }, { at, newId })
  for (const extension of resource.extensions) await extension.beforeDelete?.(record, transaction, at)
  const store = resource.store(transaction.stores)
  await (resource.retire ? store.update(resource.retire(record, at)) : store.softDelete(record.id, at))
}
