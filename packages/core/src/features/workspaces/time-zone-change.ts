import type { ChangeContext } from '../../engine/extension.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { FIRST_INSTANT, type Instant } from '../../kernel/instant.ts'
import { dayOf, isWholeDay, wholeDay } from '../../kernel/time-zone.ts'
import type { Deal } from '../../schema/deal.ts'
import type { Run } from '../../schema/run.ts'
import type { Task } from '../../schema/task.ts'
import { endOfRun, findRuns, lockPendingRuns, startRun } from '../runs/pending-runs.ts'
import type { PassRule } from '../runs/run-rules.ts'

/** How far whole days have moved with the time zone of the workspace. */
export interface TimeZoneChange {
  /** The zone in which they are the same days as before. */
  readonly time_zone: string
  /** Number of open tasks and deals to look at; null until they are counted. */
  readonly total: number | null
  readonly visited: number
  /** Tasks and deals whose date moved: those that had no time of day. */
  readonly moved: number
  /** Records that a rule of the embedding application refused. They keep their date. */
  readonly refused: number
  /** Null while it goes on. */
  readonly ended_at: Instant | null
}

interface ZoneInput {
  /** The former zones in which records may have whole days. */
  readonly from: readonly string[]
  readonly to: string
}

function inputOf({ input }: Run): ZoneInput {
  return input as unknown as ZoneInput
}

/** The latest change; undefined if there was none within a month. */
export async function findTimeZoneChange(
  transaction: WorkspaceTransaction,
): Promise<TimeZoneChange | undefined> {
  const run = (await findRuns('time_zone_change', transaction)).at(-1)
  if (!run) return undefined
  const { total, visited, changed, refused } = run
  return { time_zone: inputOf(run).to, total, visited, moved: changed, refused, ended_at: endOfRun(run) }
}

/**
 * Moves whole days of open tasks and deals in the background. A change that was under way is replaced: records are in
 * whole days of any of its zones.
 */
export async function moveWholeDays(
  { from, to, actingUserId }: { readonly from: string; readonly to: string; readonly actingUserId: string },
  transaction: WorkspaceTransaction,
  context: ChangeContext,
): Promise<void> {
  const zones = [from]
  for (const run of await lockPendingRuns('time_zone_change', transaction)) {
    zones.push(...inputOf(run).from)
    await transaction.shared.runs.update({ ...run, due_at: null, updated_at: context.at })
  }
  const input: ZoneInput = { from: [...new Set(zones)], to }
  const run = {
    kind: 'time_zone_change',
    subject_id: transaction.workspaceId,
    input,
    user_id: actingUserId,
  } as const
  await startRun(run, transaction, context)
}

/** Returns the instant of the same day in the new zone; the same instant if it has a time of day. */
function moveDay(at: Instant, { from, to }: ZoneInput): Instant {
  const zone = from.find((each) => isWholeDay(at, each))
  const moved = zone === undefined ? at : wholeDay(dayOf(at, zone), to)
  // Sorts before all others also if its year is 10000, which is written with a plus.
  return moved < FIRST_INSTANT ? at : moved
}

export const dueDateMove: PassRule<Task> = {
  where: () => [
    { field: 'completed', is: false },
    { field: 'due_date', from: FIRST_INSTANT },
  ],
  change: ({ completed, due_date }, run) =>
    completed || due_date === null ? {} : { due_date: moveDay(due_date, inputOf(run)) },
}

export const forecastMove: PassRule<Deal> = {
  where: () => [
    { field: 'closed_at', is: null },
    { field: 'forecast_date', from: FIRST_INSTANT },
  ],
  change: ({ closed_at, forecast_date }, run) =>
    closed_at !== null || forecast_date === null
      ? {}
      : { forecast_date: moveDay(forecast_date, inputOf(run)) },
}
