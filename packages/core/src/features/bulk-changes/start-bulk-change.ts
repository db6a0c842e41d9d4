import type { Engine } from '../../engine/extension.ts'
import { toListQuery } from '../../engine/list-query.ts'
import {
  inWorkspace,
  readWorkspace,
  type ViewTransaction,
  type WorkspaceTransaction,
} from '../../engine/workspace-transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import { stateConflict, validationError } from '../../kernel/errors.ts'
import { addSeconds, DAY } from '../../kernel/instant.ts'
import type { RecordBase } from '../../kernel/record.ts'
import type { BulkChange } from '../../schema/bulk-change.ts'
import { KINDS } from '../../schema/index.ts'
import type { FilteredKind } from '../../schema/saved-view.ts'
import { findRuns, startRun } from '../runs/pending-runs.ts'
import { splitChange, validateBulkInput } from './bulk-input.ts'
import { resourceOf } from './bulk-kinds.ts'
import { BulkParts, IDS_PER_PART } from './bulk-parts.ts'
import type { BulkChangeView } from './bulk-view.ts'
import { checkChange } from './check-change.ts'
import { showBulkChange } from './load-bulk-change.ts'

/** Records of one change. */
const MAX_RECORDS = 100_000
/** Changes of a workspace that run at once. */
const MAX_RUNNING = 10
/** Days in which a change can be taken back. */
const DAYS = 30
/** A page far into a list costs as much as all before it. */
const IDS_PER_PAGE = 5_000

/** @throws CrmError as `BulkChangeApi.start` */
export async function startBulkChange(
  actor: Actor,
  kind: FilteredKind,
  input: unknown,
  engine: Engine,
): Promise<BulkChangeView> {
  const { filters, change } = await validateBulkInput(kind, input)
  const ids = await readWorkspace(engine, actor, (transaction) => selectIds(kind, filters, transaction), {
    workload: 'report',
  })
  return engine.storage.transact(async (tx) => {
    const transaction = inWorkspace(tx, actor)
    await requireRoom(transaction)
    await checkChange(kind, splitChange(change), transaction)
    const at = engine.now()
    const bulk: BulkChange = {
      ...{ id: engine.newId(), workspace_id: actor.workspaceId, user_id: actor.userId, kind, change },
      ...{ total: ids.length, expires_at: addSeconds(at, DAYS * DAY), created_at: at, updated_at: at },
    }
    const context = { at, newId: engine.newId }
    await tx.bulk_changes.insert(bulk)
    await new BulkParts(bulk.id, transaction).insert('ids', 0, splitIds(ids), context)
    const run = { kind: 'bulk_change', subject_id: bulk.id, input: {}, user_id: actor.userId } as const
    await startRun({ ...run, total: ids.length }, transaction, context)
    return showBulkChange(actor, bulk.id, tx)
  })
}

/** @throws CrmError `conflict` */
async function requireRoom(transaction: WorkspaceTransaction): Promise<void> {
  await transaction.lock('bulk_changes')
  const running = await findRuns('bulk_change', transaction, { not: { field: 'due_at', is: null } })
  if (running.length >= MAX_RUNNING)
    throw stateConflict('state', `${MAX_RUNNING} changes of the workspace are running already.`)
}

/** Finds the ids of the records that match, as the caller sees them, the oldest first. */
async function selectIds(
  kind: FilteredKind,
  filters: Readonly<Record<string, unknown>>,
  transaction: ViewTransaction,
): Promise<readonly string[]> {
  const resource = resourceOf(kind)
  const omit = Object.keys(KINDS[kind].shape.columns).filter((column) => column !== 'id')
  const parameters = { ...filters, page: 1, per_page: IDS_PER_PAGE, order_by: 'created_at', order: 'asc' }
  const query = await toListQuery<RecordBase>(parameters, { filters: resource.filters }, transaction)
  const ids: string[] = []
  for (let page = 1; query; page += 1) {
    const options = { ...query, page, omit: omit as (keyof RecordBase)[] }
    const { rows, total } = await resource.store(transaction.stores).list(options)
    if (total > MAX_RECORDS)
      throw validationError({ filter: `Must match at most ${MAX_RECORDS} records. It matches ${total}.` })
    ids.push(...rows.map(({ id }) => id))
    if (page * IDS_PER_PAGE >= total) break
  }
  return ids
}

function splitIds(ids: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(ids.length / IDS_PER_PART) }, (_, index) =>
    ids.slice(index * IDS_PER_PART, (index + 1) * IDS_PER_PART),
  )
}
