import type { Actor } from '../actor.ts'
import { notFound } from '../errors.ts'
import { permit } from '../permissions.ts'
import type { Instant, Ports, RecordBase } from '../ports.ts'
import { emitChange, subscribersTo } from '../webhooks/emit.ts'
import { isUuid } from './fields.ts'
import { asOwned } from './owner.ts'
import type { Resource, Tells } from './resource.ts'
import { type Unit, unitOf } from './unit.ts'

/** @throws CrmError `not_found`, for an id that is no UUID as well */
export async function existing<R extends RecordBase>(
  resource: Pick<Resource<R>, 'label' | 'store'>,
  id: string,
  unit: Unit,
  how: 'get' | 'getWithLinks' | 'getForUpdate' | 'getToChange',
): Promise<R> {
  const record = isUuid(id) ? await resource.store(unit.stores)[how](id.toLowerCase()) : undefined
  if (!record) throw notFound(resource.label)
  return record
}

/** The part of a resource by which one record is shown. */
export interface Shows<R extends RecordBase, Detail> {
  detailView(page: readonly R[], unit: Unit): Promise<readonly Detail[]>
}

export async function detailOf<R extends RecordBase, Detail>(resource: Shows<R, Detail>, record: R, unit: Unit): Promise<Detail> {
  const [view] = await resource.detailView([record], unit)
  return view!
}

/**
 * Soft-deletes a record, after what is to be done first, unless that throws. What is told of it is how it was before either.
 * @throws CrmError `not_found`, `forbidden`, and what `first` throws
 */
export async function removeRecord<R extends RecordBase, Detail>(
  resource: Pick<Resource<R>, 'label' | 'store'> & Shows<R, Detail> & Tells<NoInfer<Detail>>,
  { storage, now, newId }: Pick<Ports, 'storage' | 'now' | 'newId'>,
  actor: Actor,
  id: string,
  first: (record: R, unit: Unit, at: Instant) => Promise<void>,
): Promise<void> {
  await storage.transact(async (tx) => {
    const unit = unitOf(tx, actor.workspaceId)
    const [record, webhooks] = await Promise.all([existing(resource, id, unit, 'getForUpdate'), subscribersTo(resource, unit)])
    permit(actor, 'delete', resource.label, await asOwned(record, actor, unit))
    const at = now()
    await emitChange(resource, { before: () => detailOf(resource, record, unit) }, webhooks, unit, { at, newId })
    await first(record, unit, at)
    await resource.store(unit.stores).softDelete(record.id, at)
  })
}
