import type { ChangeContext } from '../../engine/extension.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { Condition } from '../../kernel/record-queries.ts'
import type { Run } from '../../schema/run.ts'

/** What tells a new run from others. */
export interface NewRun extends Pick<Run, 'kind' | 'subject_id' | 'input' | 'user_id'> {
  /** Number of records; null, the default, if it is not known. */
  readonly total?: number | null
}

/** Starts a run, whose first records are due at once. */
export async function startRun(
  { total = null, ...run }: NewRun,
  { workspaceId, shared }: WorkspaceTransaction,
  { at, newId }: ChangeContext,
): Promise<void> {
  await shared.runs.insert({
    id: newId(),
    workspace_id: workspaceId,
    ...run,
    position: null,
    total,
    visited: 0,
    changed: 0,
    refused: 0,
    due_at: at,
    created_at: at,
    updated_at: at,
  })
}

/** When a run ended; null while it goes on. */
export function endOfRun({ due_at, updated_at }: Run): Instant | null {
  return due_at === null ? updated_at : null
}

/** Finds the runs of a kind in the workspace, ended ones too, in the order of their start. */
export function findRuns(
  kind: Run['kind'],
  { workspaceId, shared }: WorkspaceTransaction,
  ...where: readonly Condition<Run>[]
): Promise<readonly Run[]> {
  return shared.runs.find([{ field: 'workspace_id', is: workspaceId }, { field: 'kind', is: kind }, ...where])
}

/** Locks the runs of a kind that have not ended, so that none takes a step before the transaction ends. */
export async function lockPendingRuns(
  kind: Run['kind'],
  transaction: WorkspaceTransaction,
  ...where: readonly Condition<Run>[]
): Promise<readonly Run[]> {
  const pending: Run[] = []
  for (const { id, due_at } of await findRuns(kind, transaction, ...where)) {
    const run = due_at === null ? undefined : await transaction.shared.runs.getForUpdate(id)
    if (run && run.due_at !== null) pending.push(run)
  }
  return pending
}
