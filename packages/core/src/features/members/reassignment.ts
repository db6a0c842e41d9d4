import type { ChangeContext } from '../../engine/extension.ts'
import { loadOwners } from '../../engine/owner.ts'
import { getOrNull } from '../../engine/views.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { RecordBase } from '../../kernel/record.ts'
import type { Run } from '../../schema/run.ts'
import type { Owner } from '../../schema/views.ts'
import { endOfRun, findRuns, lockPendingRuns, startRun } from '../runs/pending-runs.ts'
import type { PassRule } from '../runs/run-rules.ts'

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

/** The member who takes over the records of a run. */
function successorOf({ input }: Run): string {
  return (input as { readonly reassign_to: string }).reassign_to
}

/** The latest reassignment of a removed member's records; null if there was none within a month. */
export async function loadReassignment(
  memberId: string,
  transaction: WorkspaceTransaction,
): Promise<Reassignment | null> {
  const run = (await findRuns('reassignment', transaction, { field: 'subject_id', is: memberId })).at(-1)
  if (!run) return null
  const successor = successorOf(run)
  const reassign_to = getOrNull(await loadOwners([successor], transaction), successor)
  return {
    reassign_to,
    total: run.total,
    reassigned: run.changed,
    refused: run.refused,
    ended_at: endOfRun(run),
  }
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
  transaction: WorkspaceTransaction,
  context: ChangeContext,
): Promise<void> {
  const { runs } = transaction.shared
  const { at } = context
  const pending = await lockPendingRuns('reassignment', transaction)
  for (const run of pending.filter((each) => successorOf(each) === memberId))
    await runs.update(
      reassignTo === undefined
        ? { ...run, due_at: null, updated_at: at }
        : { ...run, input: { reassign_to: reassignTo }, updated_at: at },
    )
  if (reassignTo === undefined) return
  const input = { reassign_to: reassignTo }
  const own = pending.find(({ subject_id }) => subject_id === memberId)
  if (own) return runs.update({ ...own, input, updated_at: at })
  await startRun(
    { kind: 'reassignment', subject_id: memberId, input, user_id: actingUserId },
    transaction,
    context,
  )
}

/** Leaves a member who joins again what was not handed over yet. */
export async function endReassignment(
  memberId: string,
  transaction: WorkspaceTransaction,
  at: Instant,
): Promise<void> {
  const pending = await lockPendingRuns('reassignment', transaction, { field: 'subject_id', is: memberId })
  for (const run of pending) await transaction.shared.runs.update({ ...run, due_at: null, updated_at: at })
}

interface OwnedRecord extends RecordBase {
  readonly owner_user_id: string | null
}

/** Gives the records that a removed member owns to another one. */
export function ownerChange<R extends OwnedRecord>(): PassRule<R> {
  const rule: PassRule<OwnedRecord> = {
    where: ({ subject_id }) => [{ field: 'owner_user_id', is: subject_id }],
    change: ({ owner_user_id }, run) =>
      owner_user_id === run.subject_id ? { owner_user_id: successorOf(run) } : {},
  }
  return rule as PassRule<R>
}

/** A removal locks the member before the runs. */
export function lockSuccessor(run: Run, { stores }: WorkspaceTransaction): Promise<unknown> {
  return stores.members.getForShare(successorOf(run))
}
