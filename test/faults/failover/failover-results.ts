import { formatTable } from '../../../bench/report.ts'
import { median } from '../../../bench/rounds.ts'
import type { FaultEnvironment } from '../environment.ts'
import type { AcknowledgedWrites, KnownTask } from '../writers.ts'
import { FAILURES, type Failure } from './database-server.ts'

/** A failover, from the progress of writes before it to the completion of the cluster after it. */
export interface FailoverResult {
  readonly failure: Failure
  /** For each process, the time that a write took that was repeated until it succeeded. */
  readonly seconds: readonly number[]
  /** Tasks acknowledged so far, by all failovers. */
  readonly taskCount: number
}

/** Formats a result as `kill, calls failed for 8.1 s and 8.3 s`. */
export function formatResult({ failure, seconds }: FailoverResult): string {
  return `${failure}, calls failed for ${seconds.map((each) => `${each.toFixed(1)} s`).join(' and ')}`
}

/**
 * Checks that every acknowledged task is stored with its last title.
 * @throws Error with the numbers of lost writes for each failure
 */
export async function expectNoneLost(
  environment: FaultEnvironment,
  { tasks }: Pick<AcknowledgedWrites, 'tasks'>,
  results: readonly FailoverResult[],
): Promise<void> {
  const stored = await environment.withCore(({ storage }) =>
    storage.read((tx) => tx.workspace(environment.workspaceId).tasks.find([])),
  )
  const titles = new Map(stored.map(({ id, title }) => [id, title]))
  const lost = [...tasks].map(([id, known]) => isLost(known, titles.get(id)))
  if (lost.includes(true)) throw new Error(`Acknowledged writes are lost.\n${formatResults(results, lost)}`)
}

/** @param lost for each acknowledged task, in order, whether it is lost */
export function formatResults(results: readonly FailoverResult[], lost: readonly boolean[] = []): string {
  const ranges = results.map((result, index) => ({
    ...result,
    first: results[index - 1]?.taskCount ?? 0,
  }))
  const lines = FAILURES.flatMap((failure) => {
    const group = ranges.filter((each) => each.failure === failure)
    if (group.length === 0) return []
    const seconds = group.flatMap((each) => each.seconds)
    const lostCount = group
      .flatMap(({ first, taskCount }) => lost.slice(first, taskCount))
      .filter(Boolean).length
    return [
      [
        failure,
        String(group.length),
        median(seconds).toFixed(1),
        Math.max(...seconds).toFixed(1),
        String(group.reduce((sum, { first, taskCount }) => sum + taskCount - first, 0)),
        String(lostCount),
      ],
    ]
  })
  return formatTable(
    ['failure', 'failovers', 'failing s, median', 'longest', 'tasks acknowledged', 'lost'],
    lines,
  )
}

function isLost(known: KnownTask, title: string | undefined): boolean {
  return title === undefined || (title !== known.title && title !== known.unconfirmed)
}
