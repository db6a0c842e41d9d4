import type { ChangeContext, Engine, Extension } from '../../engine/extension.ts'
import type { Owner } from '../../engine/owner.ts'
import type { WritableResource } from '../../engine/record-writer.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { RecordBase } from '../../kernel/record.ts'
import type { Condition } from '../../kernel/record-queries.ts'
import type { Run } from '../../schema/run.ts'
import { createPass, type RunPass, type RunRule } from '../runs/run-rules.ts'

/** How far the records of a removed member are handed over to another one. */
export interface Reassignment {
  /** The member who takes over; null if that one was removed since. */
  readonly reassign_to: Owner | null
  /** Number of people, companies, deals and tasks; null until they are counted. */
  readonly total: number | null
  /** Records that have the new owner. */
  readonly reassigned: number
  /** Records that a rule of the embedding application refused. They keep their former owner. */
  readonly refused: number
  /** Null while it goes on. It also ends when the removed member joins again, or the other one is removed. */
  readonly ended_at: Instant | null
}

export function toReassignment(run: Run, reassign_to: Owner | null): Reassignment {
  const { total, changed, refused, due_at, updated_at } = run
  const ended_at = due_at === null ? updated_at : null
  return { reassign_to, total, reassigned: changed, refused, ended_at }
}

/** Returns the latest reassignment of a removed member's records. */
export async function findReassignment(
  memberId: string,
  { workspaceId, shared }: WorkspaceTransaction,
): Promise<Run | undefined> {
  return (await shared.runs.find(reassignmentsIn(workspaceId, { field: 'subject_id', is: memberId }))).at(-1)
}

interface Departure {
  readonly memberId: string
  /** The member who takes over the records; undefined if nobody does. */
  readonly reassignTo: string | undefined
  /** The member in whose name the records are changed. */
  readonly actingUserId: string
}

/**
 * Hands over the records of a removed member in the background, together with those that were still to become the
 * member's own. Without a successor, the latter keep the owner they have. The caller
 * has locked the workspace.
 */
export async function reassignRecords(
  { memberId, reassignTo, actingUserId }: Departure,
  unit: WorkspaceTransaction,
  { at, newId }: ChangeContext,
): Promise<void> {
  const { runs } = unit.shared
  const pending = await lockPendingReassignments(unit)
  for (const run of pending.filter(({ input }) => input['reassign_to'] === memberId))
    await runs.update(
      reassignTo === undefined
        ? { ...run, due_at: null, updated_at: at }
        : { ...run, input: { reassign_to: reassignTo }, updated_at: at },
    )
  if (reassignTo === undefined) return
  const input = { reassign_to: reassignTo }
  const own = pending.find(({ subject_id }) => subject_id === memberId)
  if (own) return runs.update({ ...own, input, updated_at: at })
  await runs.insert({
    id: newId(),
    workspace_id: unit.workspaceId,
    kind: 'reassignment',
    subject_id: memberId,
    input,
    user_id: actingUserId,
    position: null,
    total: null,
    visited: 0,
    changed: 0,
    refused: 0,
    due_at: at,
    created_at: at,
    updated_at: at,
  })
}

/** Leaves a member who joins again what was not handed over yet. */
export async function endReassignment(
  memberId: string,
  unit: WorkspaceTransaction,
  at: Instant,
): Promise<void> {
  const pending = await lockPendingReassignments(unit, { field: 'subject_id', is: memberId })
  for (const run of pending) await unit.shared.runs.update({ ...run, due_at: null, updated_at: at })
}

async function lockPendingReassignments(
  { workspaceId, shared }: WorkspaceTransaction,
  ...where: readonly Condition<Run>[]
): Promise<readonly Run[]> {
  const all = await shared.runs.find(reassignmentsIn(workspaceId, ...where))
  const pending: Run[] = []
  for (const { id } of all.filter(({ due_at }) => due_at !== null)) {
    const run = await shared.runs.getForUpdate(id)
    if (run && run.due_at !== null) pending.push(run)
  }
  return pending
}

function reassignmentsIn(
  workspaceId: string,
  ...where: readonly Condition<Run>[]
): readonly Condition<Run>[] {
  return [{ field: 'workspace_id', is: workspaceId }, { field: 'kind', is: 'reassignment' }, ...where]
}

interface OwnedRecord extends RecordBase {
  readonly owner_user_id: string | null
}

/** Visits the records of one kind that a removed member owns. */
export function createReassignmentPass<R extends OwnedRecord, Detail extends object>(
  resource: WritableResource<R, Detail>,
  engine: Engine,
  extensions: readonly Extension<R>[],
): RunPass {
  return createPass<R, Detail>(resource, engine, extensions, {
    where: ({ subject_id }) => [{ field: 'owner_user_id', is: subject_id }],
    change: ({ owner_user_id }, { subject_id, input }) =>
      (owner_user_id === subject_id ? { owner_user_id: input['reassign_to'] } : {}) as Partial<R>,
  })
}

export function reassignmentRule(passes: readonly RunPass[]): RunRule {
  return {
    passes,
    // A removal locks the member before the runs.
    lock: ({ input }, { stores }) => stores.members.getForShare(input['reassign_to']!),
  }
}
