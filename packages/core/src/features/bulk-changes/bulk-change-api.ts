import type { Engine } from '../../engine/extension.ts'
import { type Listing, type PageQuery, pageQuery, toPageMeta } from '../../engine/list-query.ts'
import { loadRole } from '../../engine/load-role.ts'
import { PreparedWrites } from '../../engine/prepared-writes.ts'
import { validate } from '../../engine/validate.ts'
import { inWorkspace } from '../../engine/workspace-transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import { stateConflict } from '../../kernel/errors.ts'
import { mayManage } from '../../kernel/role.ts'
import type { Transaction } from '../../ports/storage.ts'
import type { FilteredKind } from '../../schema/saved-view.ts'
import { lockPendingRuns, startRun } from '../runs/pending-runs.ts'
import { splitChange } from './bulk-input.ts'
import { resourceOf } from './bulk-kinds.ts'
import { type BulkChangeView, buildBulkViews, loadProgress, stateOf } from './bulk-view.ts'
import { type BulkFailureView, listFailures } from './list-failures.ts'
import { listWritableKinds, loadBulkChange, loadBulkProgress, showBulkChange } from './load-bulk-change.ts'
import { startBulkChange } from './start-bulk-change.ts'

/**
 * Changes of all records that match, in the background, of the kinds that the actor's token may write. Members see their own,
 * owners and admins all. All methods throw CrmError `insufficient_scope`, and those that take an id `not_found`.
 */
export interface BulkChangeApi {
  /**
   * Begins a change of the records that match now, at most 100,000. Each has the permissions, events and errors of an
   * update or a deletion alone.
   * @throws CrmError `validation_error`, `conflict` while ten others of the workspace run
   */
  start(actor: Actor, kind: FilteredKind, input: unknown): Promise<BulkChangeView>
  /** Lists the changes of the last 30 days, the newest first by default. @throws CrmError `validation_error` */
  list(actor: Actor, query?: PageQuery): Promise<Listing<BulkChangeView>>
  get(actor: Actor, id: string): Promise<BulkChangeView>
  /** Lists the records that were left as they were, with the reasons. @throws CrmError `validation_error` */
  failures(actor: Actor, id: string, query?: PageQuery): Promise<Listing<BulkFailureView>>
  /** Ends a change. What has been changed stays. @throws CrmError `conflict` if it has ended */
  stop(actor: Actor, id: string): Promise<BulkChangeView>
  /** Sets the records as they were, except those that were changed since. @throws CrmError `conflict` */
  revert(actor: Actor, id: string): Promise<BulkChangeView>
}

export function bulkChangeApi(engine: Engine): BulkChangeApi {
  const { storage } = engine
  return {
    async start(actor, kind, input) {
      new PreparedWrites(resourceOf(kind), engine).authorize(actor, Object(input).change)
      return startBulkChange(actor, kind, input, engine)
    },
    async list(actor, input = {}) {
      const kinds = listWritableKinds(actor)
      const query = validate(pageQuery, input, 'parameter')
      return storage.read(async (tx) => {
        const transaction = inWorkspace(tx, actor)
        const isManager = mayManage(await loadRole(actor, transaction))
        const { rows, total } = await tx.bulk_changes.list({
          ...query,
          where: [
            { field: 'workspace_id', is: actor.workspaceId },
            { field: 'kind', oneOf: kinds },
            ...(isManager ? [] : [{ field: 'user_id', is: actor.userId } as const]),
          ],
        })
        const data = await buildBulkViews(await loadProgress(rows, transaction), transaction)
        return { data, meta: toPageMeta(query, total) }
      })
    },
    async get(actor, id) {
      return storage.read((tx) => showBulkChange(actor, id, tx))
    },
    async failures(actor, id, input = {}) {
      const query = validate(pageQuery, input, 'parameter')
      return storage.read(async (tx) => {
        const progress = await loadBulkProgress(actor, id, tx)
        return listFailures(progress, query, inWorkspace(tx, actor))
      })
    },
    async stop(actor, id) {
      return storage.transact(async (tx) => {
        const bulk = await loadBulkChange(actor, id, tx)
        const subject = { field: 'subject_id', is: bulk.id } as const
        const [run] = await lockPendingRuns('bulk_change', inWorkspace(tx, actor), subject)
        if (!run) throw stateConflict('state', 'Must be running.')
        await tx.runs.update({ ...run, due_at: null, updated_at: engine.now() })
        return showBulkChange(actor, id, tx)
      })
    },
    async revert(actor, id) {
      return storage.transact((tx) => startReversal(actor, id, tx, engine))
    },
  }
}

async function startReversal(
  actor: Actor,
  id: string,
  tx: Transaction,
  { now, newId }: Pick<Engine, 'now' | 'newId'>,
): Promise<BulkChangeView> {
  const transaction = inWorkspace(tx, actor)
  await transaction.lock('bulk_changes')
  const progress = await loadBulkProgress(actor, id, tx)
  const { bulk, change } = progress
  const state = stateOf(progress)
  if (state !== 'done' && state !== 'stopped')
    throw stateConflict('state', `Is ${state}. Must be done or stopped.`)
  if (splitChange(bulk.change).isDeletion)
    throw stateConflict('change', 'Is a deletion, which cannot be taken back.')
  const run = { kind: 'bulk_reversal', subject_id: bulk.id, input: {}, user_id: actor.userId } as const
  await startRun({ ...run, total: change.visited }, transaction, { at: now(), newId })
  return showBulkChange(actor, id, tx)
}
