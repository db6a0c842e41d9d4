import type { Actor } from '../kernel/actor.ts'
import { notFound } from '../kernel/errors.ts'
import { isUuid } from '../kernel/field-schemas.ts'
import type { RecordBase } from '../kernel/record.ts'
import type { LockOptions } from '../kernel/record-store.ts'
import type { Engine } from './extension.ts'
import type { Resource } from './resource.ts'
import { readWorkspace, type ViewTransaction, type WorkspaceTransaction } from './workspace-transaction.ts'

/** @throws CrmError `not_found`, also for text that is no UUID */
export async function loadRecord<R extends RecordBase>(
  resource: Pick<Resource<R>, 'label' | 'store'>,
  id: string,
  transaction: WorkspaceTransaction,
): Promise<R> {
  const record = isUuid(id) ? await resource.store(transaction.stores).get(id.toLowerCase()) : undefined
  if (!record) throw notFound(resource.label)
  return record
}

/** @throws CrmError `not_found`, also for text that is no UUID */
export async function loadForUpdate<R extends RecordBase>(
  resource: Pick<Resource<R>, 'label' | 'store'>,
  id: string,
  transaction: WorkspaceTransaction,
  options?: LockOptions,
): Promise<R> {
  const record = isUuid(id)
    ? await resource.store(transaction.stores).getForUpdate(id.toLowerCase(), options)
    : undefined
  if (!record) throw notFound(resource.label)
  return record
}

/** The view of a record; undefined if it does not exist. */
export async function findView<R extends RecordBase, Detail extends object>(
  resource: Pick<Resource<R>, 'store'> & HasDetailView<R, Detail>,
  ports: Pick<Engine, 'storage' | 'issuer' | 'now'>,
  actor: Actor,
  id: string,
): Promise<Detail | undefined> {
  if (!isUuid(id)) return undefined
  return readWorkspace(
    ports,
    actor,
    async (transaction) => {
      const record = await resource.store(transaction.stores).get(id.toLowerCase())
      return record && buildDetailView(resource, record, transaction)
    },
    { isolation: 'statement' },
  )
}

/** The part of a resource that builds the view of one record. */
export interface HasDetailView<R extends RecordBase, Detail> {
  detailView(
    page: readonly R[],
    transaction: ViewTransaction,
    include?: readonly string[],
  ): Promise<readonly Detail[]>
}

export async function buildDetailView<R extends RecordBase, Detail>(
  resource: HasDetailView<R, Detail>,
  record: R,
  transaction: ViewTransaction,
  include: readonly string[] = [],
): Promise<Detail> {
  const [view] = await resource.detailView([record], transaction, include)
  return view!
}
