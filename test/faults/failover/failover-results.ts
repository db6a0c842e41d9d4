import { formatTable } from '../../../bench/report.ts'
import { median } from '../../../bench/rounds.ts'
import type { FaultEnvironment } from '../environment.ts'
import type { AcknowledgedWrites, KnownTask } from '../writers.ts'
import { FAILURES, type Failure } from './database-server.ts'

/** A failover, from the progress of writes before it to the completion of the cluster after it. */
export interface FailoverResult {
  readonly failure: Failure
  /** Seconds that a write through HAProxy took that was repeated until it succeeded. */
  readonly viaProxy: number
  /** The same with several hosts. */
  readonly viaHosts: number
  /** Tasks acknowledged so far, by all failovers. */
  readonly taskCount: number
}

/** The beginning of the message about lost writes. */
export const LOSS = 'Acknowledged writes are lost.'

/** Formats a result as `kill, writes failed for 8.1 s through HAProxy and for 8.3 s with several hosts`. */
export function formatResult({ failure, viaProxy, viaHosts }: FailoverResult): string {
  return `${failure}, writes failed for ${viaProxy.toFixed(1)} s through HAProxy and for ${viaHosts.toFixed(1)} s with several hosts`
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
  if (lost.includes(true)) throw new Error(`${LOSS}\n${formatResults(results, lost)}`)
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
    const lostCount = group
      .flatMap(({ first, taskCount }) => lost.slice(first, taskCount))
      .filter(Boolean).length
    return [
      [
        failure,
        String(group.length),
        formatSeconds(group.map(({ viaProxy }) => viaProxy)),
        formatSeconds(group.map(({ viaHosts }) => viaHosts)),
        String(group.reduce((sum, { first, taskCount }) => sum + taskCount - first, 0)),
        String(lostCount),
      ],
    ]
  })
  return formatTable(
    ['failure', 'failovers', 'through HAProxy', 'several hosts', 'tasks acknowledged', 'lost'],
    lines,
  )
}

/** Formats the median and the longest time. */
function formatSeconds(seconds: readonly number[]): string {
  return `${median(seconds).toFixed(1)} s, at most ${Math.max(...seconds).toFixed(1)} s`
}

function isLost(known: KnownTask, title: string | undefined): boolean {
  return title === undefined || (title !== known.title && title !== known.unconfirmed)
}
