import { loadOwners } from '../../engine/owner.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { BulkChange, BulkState } from '../../schema/bulk-change.ts'
import type { Run } from '../../schema/run.ts'
import type { FilteredKind } from '../../schema/saved-view.ts'
import type { Owner } from '../../schema/views.ts'
import { endOfRun } from '../runs/pending-runs.ts'

/** How far a bulk change has been taken back. */
export interface BulkReversal {
  /** Records of the change that were visited, of its `done`. */
  readonly done: number
  readonly restored: number
  /** Records that were left, since somebody has changed them. */
  readonly failed: number
}

/** One change of all records that matched when it began. */
export interface BulkChangeView {
  readonly id: string
  readonly kind: FilteredKind
  /** As it was sent. */
  readonly change: Readonly<Record<string, unknown>>
  /** The member who began it; null for one who was removed. */
  readonly user: Owner | null
  /** `stopped` also if the member was removed while it ran. */
  readonly state: BulkState
  /** Number of records that matched when it began. */
  readonly total: number
  readonly done: number
  readonly changed: number
  /** Records that were refused. */
  readonly failed: number
  readonly reversal: BulkReversal | null
  readonly created_at: Instant
  /** Null while it runs, or is taken back. */
  readonly ended_at: Instant | null
  /** Until then it can be taken back. */
  readonly expires_at: Instant
}

/** A bulk change with its runs. */
export interface BulkProgress {
  readonly bulk: BulkChange
  readonly change: Run
  readonly reversal: Run | undefined
}

/** Loads the runs of bulk changes. Leaves out those that expire at this moment, whose runs are deleted. */
export async function loadProgress(
  bulks: readonly BulkChange[],
  { shared }: WorkspaceTransaction,
): Promise<readonly BulkProgress[]> {
  if (bulks.length === 0) return []
  const runs = await shared.runs.find([{ field: 'subject_id', oneOf: bulks.map(({ id }) => id) }])
  const find = (id: string, kind: Run['kind']) =>
    runs.find((run) => run.subject_id === id && run.kind === kind)
  return bulks.flatMap((bulk) => {
    const change = find(bulk.id, 'bulk_change')
    return change ? [{ bulk, change, reversal: find(bulk.id, 'bulk_reversal') }] : []
  })
}

export async function buildBulkViews(
  progress: readonly BulkProgress[],
  transaction: WorkspaceTransaction,
): Promise<readonly BulkChangeView[]> {
  const owners = await loadOwners([...new Set(progress.map(({ bulk }) => bulk.user_id))], transaction)
  return progress.map((each) => toView(each, owners))
}

export function stateOf({ change, reversal }: BulkProgress): BulkState {
  if (reversal) return reversal.due_at === null ? 'reverted' : 'reverting'
  if (change.due_at !== null) return 'running'
  return change.visited < change.total! ? 'stopped' : 'done'
}

function toView(progress: BulkProgress, owners: ReadonlyMap<string, Owner>): BulkChangeView {
  const { bulk, change, reversal } = progress
  return {
    ...{ id: bulk.id, kind: bulk.kind, change: bulk.change, user: owners.get(bulk.user_id) ?? null },
    ...{ state: stateOf(progress), total: bulk.total },
    ...{ done: change.visited, changed: change.changed, failed: change.refused },
    reversal: reversal
      ? { done: reversal.visited, restored: reversal.changed, failed: reversal.refused }
      : null,
    created_at: bulk.created_at,
    ended_at: endOfRun(reversal ?? change),
    expires_at: bulk.expires_at,
  }
}
