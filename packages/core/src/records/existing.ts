import type { Actor } from '../actor.ts'
import { notFound } from '../errors.ts'
import { permit } from '../permissions.ts'
import type { RecordBase, Storage } from '../ports.ts'
import { isUuid } from './fields.ts'
import { asOwned } from './owner.ts'
import type { Resource } from './resource.ts'
import { type Unit, unitOf } from './unit.ts'

/** @throws CrmError `not_found`, for an id that is no UUID as well */
export async function existing<R extends RecordBase>(
  resource: Pick<Resource<R>, 'label' | 'store'>,
  id: string,
  unit: Unit,
  how: 'get' | 'getForUpdate',
): Promise<R> {
  const record = isUuid(id) ? await resource.store(unit.stores)[how](id.toLowerCase()) : undefined
  if (!record) throw notFound(resource.label)
  return record
}

export async function detailOf<R extends RecordBase, Detail>(
  resource: { detailView(page: readonly R[], unit: Unit): Promise<readonly Detail[]> },
  record: R,
  unit: Unit,
): Promise<Detail> {
  const [view] = await resource.detailView([record], unit)
  return view!
}

/**
 * Soft-deletes a record, after what is to be done first, unless that throws.
 * @throws CrmError `not_found`, `forbidden`, and what `first` throws
 */
export async function removeRecord<R extends RecordBase>(
  resource: Pick<Resource<R>, 'label' | 'store'>,
  storage: Storage,
  actor: Actor,
  id: string,
  at: string,
  first: (record: R, unit: Unit) => Promise<void>,
): Promise<void> {
  await storage.transact(async (tx) => {
    const unit = unitOf(tx, actor.workspaceId)
    const record = await existing(resource, id, unit, 'getForUpdate')
    permit(actor, 'delete', resource.label, await asOwned(record, actor, unit))
    await first(record, unit)
    await resource.store(unit.stores).softDelete(record.id, at)
  })
}
