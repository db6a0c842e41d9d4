import type { Actor } from '../kernel/actor.ts'
import type { RecordBase } from '../kernel/record.ts'
import type { Collection } from '../schema/index.ts'
import type { Engine, IdempotentResult } from './extension.ts'
import { buildDetailView, type HasDetailView, loadRecord } from './load-record.ts'
import type { Resource } from './resource.ts'
import { COLLECTION_RULES } from './visible-records.ts'
import { readWorkspace } from './workspace-transaction.ts'

/**
 * The result of an idempotent call as the actor may see it: the key may be that of another member, or the record may not
 * be visible any more. For a bounded actor a replay has the record as it is.
 * @throws CrmError `not_found`
 */
export async function reviewReplay<R extends RecordBase, Detail extends object>(
  resource: Pick<Resource<R>, 'label' | 'store'> & HasDetailView<R, Detail> & { readonly collection: string },
  engine: Pick<Engine, 'storage' | 'issuer' | 'now'>,
  actor: Actor,
  result: IdempotentResult<Detail>,
): Promise<IdempotentResult<Detail>> {
  if (!result.isReplay || !COLLECTION_RULES[resource.collection as Collection]) return result
  return readWorkspace(engine, actor, async (transaction) => {
    if (!(await transaction.viewer())) return result
    const { id } = result.response as { readonly id: string }
    const record = await loadRecord(resource, id, transaction)
    return { ...result, response: await buildDetailView(resource, record, transaction) }
  })
}
