import { setTimeout as wait } from 'node:timers/promises'
import type { RunApi, RunProgress } from '@sales-crm/core'
import { FailureLog } from '../observability/failure-log.ts'
import type { ServiceLog } from '../observability/service-log.ts'
import { startInterval } from '../process/interval.ts'

const INTERVAL_MS = 1_000
/** Between two transactions, so that other writers have their turn. */
const PAUSE_MS = 5

/**
 * Continues the long work of all workspaces until none is due, and looks for more every second.
 * @returns function that stops the worker and waits for a running transaction
 */
export function startRunWorker(runs: RunApi, log: Pick<ServiceLog, 'error' | 'info'>): () => Promise<void> {
  let isStopped = false
  const failures = new FailureLog(log, {
    failure: 'Continuing a background run failed. It will be retried until it succeeds.',
    recovery: 'Background runs continue again.',
  })

  async function shouldContinue(): Promise<boolean> {
    await wait(PAUSE_MS)
    return !isStopped
  }

  async function continueRuns(): Promise<void> {
    try {
      let run = await runs.continue(shouldContinue)
      while (run && !isStopped) {
        logEnd(run)
        run = await runs.continue(shouldContinue)
      }
      failures.reportSuccess()
    } catch (error) {
      failures.reportFailure(error)
    }
  }

  function logEnd({ has_ended, id: run_id, ...progress }: RunProgress): void {
    if (has_ended) log.info({ run_id, ...progress }, 'A background run has ended.')
  }

  const stop = startInterval(INTERVAL_MS, continueRuns)
  return () => {
    isStopped = true
    return stop()
  }
}
